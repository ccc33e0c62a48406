// Tests `metrics --output`. The file is always replaced as a whole, and says so if the daemon does not answer.

import Glibc
import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassCLI

@Suite("rpc.md §7: passd-cli metrics") struct MetricsVerbTests {
    private func text(_ folder: TemporaryDirectory) -> String {
        String(decoding: folder.read("passd.prom"), as: UTF8.self)
    }

    @Test func `the file contains the answer, all users may read it, and no other file is left`() async throws {
        let folder = TemporaryDirectory()
        let daemon = try ScriptedDaemon(["passd.metrics": .result(["contentType": "t", "text": "passd_up 1\n"])])
        folder.write("old", to: "passd.prom")
        let file = folder.file("passd.prom")
        for _ in 0..<2 {
            let ran = await run(["metrics", "--output", file], daemon)
            #expect(ran.exit == .done && ran.out.isEmpty && ran.err.isEmpty)
        }
        #expect(text(folder) == "passd_up 1\n")
        #expect(folder.mode(of: "passd.prom") == 0o644)
        #expect(folder.names == ["passd.prom"])
        #expect(daemon.params(of: "passd.metrics").count == 2)
    }

    @Test func `without a listener, the file says that the daemon is down`() async throws {
        let folder = TemporaryDirectory()
        folder.write("passd_calls_total 7\n", to: "passd.prom")
        let ran = await run([
            "--socket", folder.file("passd.sock"), "metrics", "--output", folder.file("passd.prom"),
        ])
        #expect(ran.exit == .unreachable && !ran.err.isEmpty)
        #expect(text(folder).hasSuffix("\npassd_up 0\n") && !text(folder).contains("passd_calls"))
        #expect(folder.names == ["passd.prom"])
    }

    @Test func `if the daemon refuses, the file also says that it is down`() async throws {
        let folder = TemporaryDirectory()
        let daemon = try ScriptedDaemon(["passd.metrics": .error(.notReady(.starting))])
        let ran = await run(["metrics", "--output", folder.file("passd.prom")], daemon)
        #expect(ran.exit == .tryLater)
        #expect(text(folder).contains("\npassd_up 0\n"))
    }

    @Test func `a file that cannot be written is an error with a remedy`() async throws {
        let daemon = try ScriptedDaemon(["passd.metrics": .result(["text": "passd_up 1\n"])])
        let folder = TemporaryDirectory()
        let missing = await run(["metrics", "--output", folder.file("no/passd.prom")], daemon)
        #expect(missing.exit == .failed)
        #expect(missing.err.contains("No such file") && missing.err.contains("Check that the directory exists"))
        mkdir(folder.file("passd.prom"), 0o700)
        let occupied = await run(["metrics", "--output", folder.file("passd.prom")], daemon)
        #expect(occupied.exit == .failed && folder.names == ["passd.prom"])
    }

    @Test func `temporary files of a crashed run are removed, but no others`() async throws {
        let folder = TemporaryDirectory()
        let daemon = try ScriptedDaemon(["passd.metrics": .result(["text": "passd_up 1\n"])])
        let (old, fresh) = ([".passd.prom.abcdef", ".passd.prom.UVWXYZ"], ".passd.prom.123456")
        let others = [".passd.prom", ".passd.prom.abcdefg", ".other.prom.abcdef", "passd.prom.abcdef"]
        for name in old + others + [fresh] { folder.write("half", to: name) }
        mkdir(folder.file(".passd.prom.folder"), 0o700)
        let long = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        for name in old + others { #expect(utimensat(AT_FDCWD, folder.file(name), long, 0) == 0) }
        #expect(await run(["metrics", "--output", folder.file("passd.prom")], daemon).exit == .done)
        #expect(Set(folder.names) == Set(others + [fresh, ".passd.prom.folder", "passd.prom"]))
    }

    @Test func `without a daemon an instance's metric has the instance's name`() async throws {
        let folder = TemporaryDirectory()
        mkdir(folder.file("passd@room1"), 0o700)
        let socket = folder.file("passd@room1/passd.sock")
        let ran = await run(["--socket", socket, "metrics", "--output", folder.file("a.prom")])
        #expect(ran.exit == .unreachable && ran.err.contains("systemctl status passd@room1)"))
        #expect(String(decoding: folder.read("a.prom"), as: UTF8.self).hasSuffix("\npassd_up{box=\"room1\"} 0\n"))
    }

    @Test func `a user without access to the operators' socket asks as an observer`() async throws {
        let daemon = try ScriptedDaemon(["passd.metrics": .result(["text": "passd_up 1\n"])])
        #expect(await run(["metrics"], daemon).out == "passd_up 1\n")
        unlink(daemon.socket.replacing("passd.sock", with: "admin.sock"))
        #expect(await run(["metrics"], daemon).out == "passd_up 1\n")
        #expect(await run(["call", "passd.metrics"], daemon).exit == .done)
        #expect(daemon.heard.elements.filter { $0.method == "passd.metrics" }.map(\.socket) == [.admin, .api, .api])
    }
}
