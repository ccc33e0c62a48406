// Tests which requestor the program uses.

import PassArguments
import PassJSON
import PassProtocol
import Testing

@testable import PassCLI

@Suite("rpc.md §4: the requestor of the command line")
struct RequestorTests {
    private func used(_ words: [String], _ environment: [String: String] = [:]) async throws -> JSONValue? {
        let daemon = try ScriptedDaemon()
        await run(words + ["check"], daemon, environment: environment)
        return daemon.params(of: "setRequestor").first?["requestorID"]
    }

    @Test
    func `an option overrides the environment, and the environment overrides the only requestor that policy allows`()
        async throws
    {
        #expect(try await used(["--requestor", "A"], ["PASSD_REQUESTOR": "B"]) == "A")
        #expect(try await used([], ["PASSD_REQUESTOR": "B"]) == "B")
        #expect(try await used([], ["PASSD_REQUESTOR": ""]) == "NEWS24")
        #expect(try await used([]) == "NEWS24")
    }

    @Test func `if the box must wait for its turn at the service, the program asks once more`() async throws {
        let full = RPCError.limit("requests-per-second", maximum: 1, retryAfter: 0)
        let once = try ScriptedDaemon(["setRequestor": .sequence([.error(full), .result([:])])])
        let ran = await run(["--requestor", "A", "check"], once)
        #expect(ran.exit == .no)
        #expect(ran.err.contains("Trying again in 0 seconds."))
        #expect(once.methods == ["setRequestor", "setRequestor", "checkAuthentication"])
        let always = try ScriptedDaemon(["setRequestor": .error(full)])
        #expect(await run(["--requestor", "A", "check"], always).exit == .tryLater)
        #expect(always.methods == ["setRequestor", "setRequestor"])
        let long = try ScriptedDaemon([
            "setRequestor": .error(.limit("requests-per-second", maximum: 1, retryAfter: 60))
        ])
        #expect(await run(["--requestor", "A", "check"], long).exit == .tryLater)
        #expect(long.methods == ["setRequestor"])
    }

    static let undecided: [([String], ExitCode, String)] = [
        (["A", "B"], .usage, "Name it with --requestor ID or PASSD_REQUESTOR; policy allows A, B."),
        (["*"], .usage, "Name it with --requestor ID or PASSD_REQUESTOR."),
        ([], .denied, "Ask the operator for an [app] stanza; the deciding rule is: no app stanza matches this peer"),
    ]

    @Test(arguments: undecided)
    func `if the requestor is unknown, the message says what to do`(
        _ allowed: [String], _ exit: ExitCode, _ remedy: String
    ) async throws {
        let whoami: JSONValue = ["requestors": .strings(allowed), "rule": "no app stanza matches this peer"]
        let daemon = try ScriptedDaemon(["passd.whoami": .result(whoami)])
        let ran = await run(["check"], daemon)
        #expect(ran.exit == exit)
        #expect(ran.err.split(separator: "\n").last.map(String.init) == remedy)
        #expect(!daemon.methods.contains("setRequestor"))
    }
}
