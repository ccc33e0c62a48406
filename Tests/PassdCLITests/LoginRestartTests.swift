// Tests a login whose daemon is restarted before the viewer has finished.

import PassArguments
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassCLI

@Suite("rpc.md §3: a login over a restart of the daemon")
struct LoginRestartTests {
    /// The daemon has another open code, or none.
    private static let another = LoginInvitation(code: "NEXT22", url: "https://activate.example/?code=NEXT22")

    private static let cases: [(GetAuthentication.Result, ExitCode, String, String)] = [
        (.authenticated, .done, "Signed in with CableVista.\n", ""),
        (.selectProvider([LoginTests.provider]), .no, "", "passd-cli: The login ended while passd was being restarted"),
    ]

    private func daemon(_ second: GetAuthentication.Result) throws -> ScriptedDaemon {
        try ScriptedDaemon([
            "getAuthentication": .sequence([.result(LoginTests.open), .result(second.json)]),
            "getSelectedProvider": .result(LoginTests.selected),
        ])
    }

    @Test(arguments: cases)
    func `the outcome is the outcome of the login in the meantime`(
        _ second: GetAuthentication.Result, _ exit: ExitCode, _ out: String, _ err: String
    ) async throws {
        let daemon = try daemon(second)
        let console = RecordedConsole()
        async let ran = run(["login"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.hangUp()
        let end = await ran
        #expect(end.exit == exit)
        #expect(end.out == LoginTests.shown + out)
        #expect(end.err.contains("connecting again") && end.err.contains(err))
        #expect(console.pauses.elements == [LoginConnection.pauses[0]])
        #expect(daemon.params(of: "setRequestor").count == 2)
        #expect(daemon.params(of: "setSelectedProvider").isEmpty)
    }

    @Test func `the login continues with the same code, which is not shown again`() async throws {
        let daemon = try daemon(.secondScreen(LoginTests.invitation))
        let console = RecordedConsole()
        async let ran = run(["login"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        for time in 1...3 {
            daemon.hangUp()
            try await console.warned.wait { $0.count { $0.contains("the code is still valid") } == time }
        }
        daemon.tell(.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)))
        let end = await ran
        #expect(end.exit == .done)
        #expect(end.out == LoginTests.shown + "Signed in with CableVista.\n")
    }

    @Test func `a new code is shown`() async throws {
        let daemon = try daemon(.secondScreen(Self.another))
        let console = RecordedConsole()
        async let ran = run(["login", "--json"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.hangUp()
        try await console.written.wait(for: 2)
        #expect(try lastObject(console.out)["data"]?["code"] == "NEXT22")
        daemon.tell(.setAuthenticationStatus(status: 1, .authenticated, nil, LoginOutcome(.authenticated)))
        #expect(await ran.exit == .done)
    }

    @Test func `if the daemon does not return, the exit code is 69 after a minute`() async throws {
        let daemon = try daemon(.authenticated)
        let console = RecordedConsole()
        async let ran = run(["login"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.goAway()
        let end = await ran
        #expect(end.exit == .unreachable)
        #expect(end.err.contains("passd cannot be reached"))
        #expect(console.pauses.elements == LoginConnection.pauses)
        #expect((55...65).contains(LoginConnection.pauses.reduce(.zero, +).components.seconds))
    }

    @Test func `if the daemon restarts again and again, the program stops waiting`() async throws {
        let daemon = try ScriptedDaemon(["getAuthentication": .sequence([.result(LoginTests.open), .hangUp])])
        let console = RecordedConsole()
        async let ran = run(["login"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.hangUp()
        let end = await ran
        #expect(end.exit == .unreachable && end.err.contains("closed by the daemon"))
        #expect(console.pauses.elements == LoginConnection.pauses)
    }

    @Test func `a login without a code ends with the connection`() async throws {
        let daemon = try ScriptedDaemon(["getAuthentication": .result(["state": "platformDialog"])])
        let console = RecordedConsole()
        async let ran = run(["login"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.hangUp()
        let end = await ran
        #expect(end.exit == .unreachable && console.pauses.elements.isEmpty)
        #expect(end.err.contains("closed by the daemon"))
    }

    @Test func `Ctrl-C ends the attempts, and the message says that the code stays valid`() async throws {
        let daemon = try daemon(.authenticated)
        let console = RecordedConsole(pausesForever: true)
        async let ran = run(["login"], daemon, console: console)
        try await console.warned.wait { $0.contains { $0.contains("Waiting") } }
        daemon.goAway()
        try await console.pauses.wait(for: 1)
        console.signals.continuation.yield(2)
        let end = await ran
        #expect(end.exit.rawValue == 130)
        #expect(end.err.contains("stays valid until it expires"))
    }
}
