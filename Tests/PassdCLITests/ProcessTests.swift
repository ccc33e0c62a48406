// Tests the program as a process: signals, broken pipes, and its exit code in a shell.

import Glibc
import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Testing

@testable import PassCLI

@Suite("operations.md §1: the process")
struct ProcessTests {
    @Test func `the program ends with the exit code of its outcome`() async throws {
        let child = try start(["--socket", "/nonexistent/passd.sock", "check"])
        #expect(try await child.end().status == 69)
        #expect(child.errors.hasSuffix("set PASSD_SOCKET to the path of its socket.\n"))
        #expect(child.output == "")
    }

    @Test func `the environment names daemon and requestor`() async throws {
        let daemon = try ScriptedDaemon(["checkAuthentication": .result(["authenticated": true])])
        let child = try start(["check"], environment: ["PASSD_SOCKET": daemon.socket, "PASSD_REQUESTOR": "R"])
        #expect(try await child.end().status == 0)
        #expect(child.output == "Signed in.\n")
        #expect(daemon.params(of: "setRequestor").first?["requestorID"] == "R")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal cancels the login at the daemon`(_ signal: Int32, _ code: Int32) async throws {
        let daemon = try ScriptedDaemon([
            "getAuthentication": .result(LoginTests.open), "setSelectedProvider": .result(["state": "cancelled"]),
        ])
        let child = try start(["--socket", daemon.socket, "login"])
        await eventually { child.errors.contains("Waiting") }
        child.signal(signal)
        #expect(try await child.end().status == code)
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": nil]])
        #expect(child.output.hasSuffix(LoginTests.shown))
    }

    @Test func `Ctrl-C is the normal end of watch`() async throws {
        let daemon = try ScriptedDaemon(["passd.subscribe": .result(WatchTests.subscription)])
        let child = try start(["--socket", daemon.socket, "watch", "--json"])
        await eventually { !child.output.isEmpty }
        child.signal(SIGINT)
        #expect(try await child.end().status == 0)
    }

    @Test func `a closed pipe ends the program without a signal and without a message`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(WatchTests.subscription, [.event(WatchTests.event)])
        ])
        let (reader, writer) = try Descriptor.pair()
        defer { close(writer) }
        close(reader)
        let child = try start(["--socket", daemon.socket, "watch"], descriptors: [1: writer])
        #expect(try await child.end().status == 0)
        #expect(child.errors == "")
    }

    @Test(arguments: [["metrics"], ["bugreport", "--offline", "--records", "0"]])
    func `if a file does not fit on the disk, this is reported, and no part of the file is left`(
        verb: [String]
    ) async throws {
        let folder = TemporaryDirectory()
        // The limit prevents every write to a file. The signal for this would end the program. A pipe has no limit.
        let script = "set -o pipefail; (trap '' XFSZ; ulimit -f 0; exec \"$@\" 2>&1) | cat >&2"
        let shell = ["bash", "-c", script, "bash"]
        let words = ["--socket", folder.file("passd.sock")] + verb + ["--output", folder.file("file")]
        let child = try start(words, by: shell)
        #expect(try await child.end().status == 1)
        #expect(child.errors.contains("File too large"), "\(child.errors)")
        #expect(folder.names.isEmpty)
    }

    @Test func `a full disk is reported, and so is a file that cannot be closed`() {
        #expect(OutputFile.fill(open("/dev/full", O_WRONLY | O_CLOEXEC), with: "x") == ENOSPC)
        #expect(OutputFile.fill(-1, with: "") == EBADF)
    }

    /// The program is in the folder of the tests' own bundle. `swift test` passes the bundle's path as an argument.
    private func start(
        _ words: [String], by shell: [String] = [], environment: [String: String] = [:],
        descriptors: [Int32: Int32] = [:]
    ) throws -> ChildProcess {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? ""
        let folder = bundle.split(separator: "/").prefix { !$0.hasSuffix(".xctest") }
        let program = (bundle.hasPrefix("/") ? "/" : "") + (folder + ["passd-cli"]).joined(separator: "/")
        return try ChildProcess(shell + [program] + words, environment: environment, descriptors: descriptors)
    }
}
