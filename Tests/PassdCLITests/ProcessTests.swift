// Tests the program as a process: signals, broken pipes and its exit code as a shell sees it.

import Glibc
import PassProtocol
import PassTestKit
import Testing

@testable import passd_cli

@Suite("operations.md §1: the process")
struct ProcessTests {
    @Test func `it ends with the exit code of its outcome`() async throws {
        let child = try Child(["--socket", "/nonexistent/passd.sock", "check"])
        #expect(try await child.end() == 69)
        try await child.errors.wait { $0.joined().hasSuffix("PASSD_SOCKET.\n") }
        #expect(child.output.elements == [])
    }

    @Test func `the environment names daemon and requestor`() async throws {
        let daemon = try ScriptedDaemon(["checkAuthentication": .result(["authenticated": true])])
        let child = try Child(["check"], environment: ["PASSD_SOCKET": daemon.socket, "PASSD_REQUESTOR": "R"])
        #expect(try await child.end() == 0)
        try await child.output.wait { $0.joined() == "Signed in.\n" }
        #expect(daemon.params(of: "setRequestor").first?["requestorID"] == "R")
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func `a signal cancels the login at the daemon`(_ signal: Int32, _ code: Int32) async throws {
        let daemon = try ScriptedDaemon([
            "getAuthentication": .result(LoginTests.open), "setSelectedProvider": .result(["state": "cancelled"]),
        ])
        let child = try Child(["--socket", daemon.socket, "login"])
        try await child.errors.wait { $0.joined().contains("Waiting") }
        child.signal(signal)
        #expect(try await child.end() == code)
        #expect(daemon.params(of: "setSelectedProvider") == [["providerID": nil]])
        try await child.output.wait { $0.joined().hasSuffix(LoginTests.shown) }
    }

    @Test func `Ctrl-C is the usual end of watch`() async throws {
        let daemon = try ScriptedDaemon(["passd.subscribe": .result(WatchTests.subscription)])
        let child = try Child(["--socket", daemon.socket, "watch", "--json"])
        try await child.output.wait(for: 1)
        child.signal(SIGINT)
        #expect(try await child.end() == 0)
    }

    @Test func `a reader that has gone ends it without a signal and without a word`() async throws {
        let daemon = try ScriptedDaemon([
            "passd.subscribe": .resultThenCallbacks(WatchTests.subscription, [.event(WatchTests.event)])
        ])
        let child = try Child(["--socket", daemon.socket, "watch"], isRead: false)
        #expect(try await child.end() == 0)
        #expect(child.errors.elements == [])
    }
}
