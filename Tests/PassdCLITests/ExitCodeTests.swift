// Tests the exit code for each error name.

import PassArguments
import PassClient
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassCLI

@Suite("operations.md §1: exit codes")
struct ExitCodeTests {
    static let errors: [(RPCError, Int32)] = [
        (.denied("No", remedy: "Ask."), 77),
        (.limit("sessions-per-user", maximum: 64), 75),
        (.notReady(.starting), 75),
        (.requestorNotSet(), 64),
        (.unanswered(.R400), 78),
        (.unanswered(.R401), 78),
        (.unanswered(.CFG400), 78),
        (.unanswered(.CFG404), 75), (.unanswered(.CFG404, action: .configuration), 78),
        (.unanswered(.CFG429), 75),
        (.unanswered(.CFG5xx), 75),
        (.unanswered(.configurationServer(503)), 75),
        (.unanswered(.Z500), 1),
        (.unanswered(.Z500, action: .retry), 75),
        (.unanswered(.Z500, action: .retryAfter), 75),
        (.unanswered(.Z500, retryAfter: 5), 75),
        (.unanswered(.SEC403), 1),
        (.unanswered(.N500), 1),
        (.flowConflict("Open"), 1),
        (.internalError(), 1),
        (.methodNotFound("x"), 1),
        (.invalidParams(SchemaFault(path: "a", expected: "b", found: "c")), 1),
    ]

    @Test(arguments: errors)
    func `an error of the daemon gives its exit code, two lines on stderr, and an object with --json`(
        _ error: RPCError, _ code: Int32
    ) async throws {
        let daemon = try ScriptedDaemon(["checkAuthentication": .error(error)])
        let plain = await run(["check"], daemon)
        #expect(plain.exit.rawValue == code)
        #expect(plain.out == "")
        #expect(plain.err.hasPrefix("passd-cli: \(error.message)\n"))
        #expect(plain.err.split(separator: "\n").count == 2)
        let asked = await run(["check", "--json"], daemon)
        #expect(asked.exit.rawValue == code)
        let answer = try object(asked.out)
        #expect(answer["kind"] == "error")
        #expect(answer["data"] == error.json)
    }

    @Test func `every named error of the protocol is in the table`() {
        let tested = Set(Self.errors.map(\.0.name))
        for name in ErrorName.named where ![.parseError, .invalidRequest].contains(name) {
            #expect(tested.contains(name), "\(name.text)")
        }
    }

    @Test func `without a listener at the socket the exit code is 69`() async throws {
        let ran = await run(["--socket", "/nonexistent/passd.sock", "check", "--json"])
        #expect(ran.exit == .unreachable)
        #expect(ran.err.contains("/nonexistent/passd.sock"))
        #expect(try object(ran.out)["data"]?["data"]?["code"] == "UNREACHABLE")
    }

    @Test func `the environment may name the socket`() async throws {
        let daemon = try ScriptedDaemon(["passd.status": .result(["version": "1"])])
        let ran = await run(["status"], environment: ["PASSD_SOCKET": daemon.socket])
        #expect(ran.exit == .done)
        #expect(daemon.heard.elements.last?.socket == .admin)
    }

    @Test func `if the daemon dies during the call, the exit code is 69`() async throws {
        let daemon = try ScriptedDaemon(["setRequestor": .hangUp])
        let ran = await run(["check"], daemon)
        #expect(ran.exit == .unreachable)
        #expect(ran.err.hasPrefix("passd-cli: The connection to passd was lost: closed by the daemon.\n"))
    }

    @Test func `if the daemon does not answer in time, the exit code is 75`() async throws {
        let daemon = try ScriptedDaemon(["checkAuthentication": .silence])
        let ran = await run(["check", "--timeout", "0.05"], daemon)
        #expect(ran.exit == .tryLater)
        #expect(ran.err.hasPrefix("passd-cli: passd did not answer within 50 ms.\nTry again"))
    }

    @Test func `a closed pipe is not an error, but a lost answer is`() async throws {
        let daemon = try ScriptedDaemon(["checkAuthentication": .result(["authenticated": false])])
        let gone = await run(["check"], daemon, console: RecordedConsole(losing: .readerGone))
        #expect(gone.exit == .no)
        #expect(gone.err == "")
        let full = await run(["check"], daemon, console: RecordedConsole(losing: .failed(reason: "No space left")))
        #expect(full.exit == .failed)
        #expect(full.err == "passd-cli: Cannot write to standard output: No space left.\n")
    }
}
