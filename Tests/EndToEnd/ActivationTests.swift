// Tests the daemon under a service manager: named sockets and notifications. operations.md §3.

import Glibc
import PassTestKit
import PassTestTools
import Testing

@Suite("operations.md §3: activation") struct ActivationTests {
    @Test(arguments: [
        ("web", "a socket named \"web\" was passed"), ("", "a socket named"),
        ("api", "the socket named api is not a listening Unix stream socket"),
    ]) func `wrong sockets end the start with 78 and a message`(_ name: String, _ words: String) throws {
        let scratch = TemporaryDirectory()
        let daemon = "\(RunningBox.builds)passd --state-dir \(scratch.file("state"))"
        let script = "exec 3< /dev/null; LISTEN_PID=$$ LISTEN_FDS=1 LISTEN_FDNAMES='\(name)' exec \(daemon)"
        let outcome = try ChildProcess.run(["bash", "-c", script])
        #expect(outcome.status == 78 && outcome.errors.contains(words), "\(outcome)")
        #expect(access(scratch.file("state"), F_OK) != 0, "a failed start creates no files")
    }

    @Test func `the passed sockets are recognized by their names, in any order`() throws {
        let scratch = TemporaryDirectory()
        let door = scratch.file("passd.sock")
        let daemon = try ChildProcess([
            "systemd-socket-activate", "--listen=\(scratch.file("admin.sock"))", "--listen=\(door)",
            "--fdname=admin:api",
            RunningBox.builds + "passd", "--state-dir", scratch.file("state"),
        ])
        func status(of verb: String) throws -> Int32 {
            try ChildProcess.run([RunningBox.builds + "passd-cli", "--socket", door, verb]).status
        }
        #expect(becomesTrue { access(door, F_OK) == 0 })
        #expect(try becomesTrue { try status(of: "status") == 0 }, "\(daemon.errors)")
        #expect(try status(of: "check") == 77, "no stanza names the caller")
        daemon.signal(SIGTERM)
        #expect(try daemon.wait().status == 0)
        #expect(access(door, F_OK) == 0, "its maker removes it")
    }

    @Test func `one socket without the other ends the start with 78`() throws {
        let scratch = TemporaryDirectory()
        let daemon = try ChildProcess([
            "systemd-socket-activate", "--listen=\(scratch.file("s"))", "--fdname=api", RunningBox.builds + "passd",
            "--state-dir", scratch.file("state"),
        ])
        var peer: RawPeer?
        // The file exists a moment before its socket listens.
        #expect(
            becomesTrue {
                peer = try? RawPeer.connect(to: scratch.file("s"))
                return peer != nil
            })
        let outcome = try daemon.wait()
        #expect(outcome.status == 78 && outcome.errors.contains("no socket named admin was passed"), "\(outcome)")
        peer?.close()
    }
}
