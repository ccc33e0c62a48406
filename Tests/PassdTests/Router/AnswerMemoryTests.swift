// Tests that a stored answer always equals a computed answer, after any changes in between. docs/decisions/0019.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassSystem
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@EngineActor @Suite("docs/decisions/0019: answers from memory", .serialized) struct AnswerMemoryTests {
    struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    private nonisolated static let questions = [
        #""method":"checkAuthentication""#, #""method":"getSelectedProvider","params":{}"#,
        #""method":"listProfiles""#, #""method":"getMetadata","params":{"key":"METADATA_AUTHENTICATION"}"#,
        #""method":"getMetadata","params":{"key":"METADATA_AUTHORIZATION","resource":"R"}"#,
        #""method":"getMetadata","params":{"key":"METADATA_DEVICE_ID"}"#,
        #""method":"getMetadata","params":{"key":"METADATA_USER_META","userMetadataName":"userID"}"#,
    ]

    // The calls are not sent from the engine's actor, because each step there counts as a change.

    /// Sends a call, and returns all messages up to the answer, without the id.
    private nonisolated func ask(_ visitor: Visitor, _ question: String, id: String) async throws -> [String] {
        try await visitor.send(#"{"jsonrpc":"2.0","id":\#(id),\#(question)}"#)
        var said: [String] = []
        while let message = try await visitor.next() {
            guard message["id"] != nil else {
                said.append(message.text)
                continue
            }
            return said + [(message["result"] ?? message["error"] ?? .null).text]
        }
        throw Visitor.Failure(description: "the stream ended")
    }

    /// Answers to an id with a fraction are never stored, so these calls are executed. Callbacks from the step may
    /// still arrive between the answers, but a wrong stored answer would stay.
    private nonisolated func compare(_ visitor: Visitor, after step: String, _ comment: Comment) async throws {
        for question in Self.questions {
            var answers: [[String]] = []
            for _ in 0..<20 {
                answers = []
                for id in ["0.5", "7", #""again""#, "8", #""again""#] {
                    answers.append(try await ask(visitor, question, id: id))
                }
                if answers.allSatisfy({ $0 == answers[0] }) { break }
            }
            #expect(answers.allSatisfy { $0 == answers[0] }, "\(question) after \(step): \(answers); \(comment)")
        }
    }

    /// A household whose journal does not record each answer.
    private func household(_ stanza: AppStanza = .sample()) async throws -> Household {
        let household = try await Household(apps: [stanza]) { $0.offersAll() }
        household.log.journal.level = .info
        return household
    }

    @Test(arguments: 1...3) func `an answer from memory is always still correct`(_ seed: UInt64) async throws {
        var random = Seeded(state: seed)
        let stanza = AppStanza.sample("news24", ["NEWS24", "SPORT"])
        let household = try await household(stanza)
        let visitors = [
            try await household.app(), try await household.app(), try await household.app("SPORT"),
        ]
        for _ in 0..<40 {
            let visitor = visitors.randomElement(using: &random) ?? visitors[0]
            let step = Int.random(in: 0..<17, using: &random)
            let name = try await perform(step, visitor, household, &random)
            for visitor in visitors.shuffled(using: &random) {
                try await compare(visitor, after: name, "seed \(seed)")
            }
        }
        // The number depends on other tests, which run at the same time and also change the revision.
        #expect(household.server.router.memory.recalled > 0)
    }

    private func perform(
        _ step: Int, _ visitor: Visitor, _ household: Household, _ random: inout Seeded
    ) async throws -> String {
        let requestor = Bool.random(using: &random) ? "NEWS24" : "SPORT"
        switch step {
        case 0, 1, 2:
            household.logsIn(requestor)
            _ = try await visitor.exchange("setRequestor", ["requestorID": .string(requestor)])
            return "a login"
        case 3:
            _ = try await visitor.exchange("logout")
            return "a logout"
        case 4:
            _ = try await visitor.exchange("setOptions", ["callbacks": .bool(Bool.random(using: &random))])
            return "new options"
        case 5, 6:
            _ = try await visitor.exchange("checkAuthorization", ["resource": "R"])
            return "a play"
        case 7:
            household.clock.advance(by: .seconds(Int.random(in: 1...100_000, using: &random)))
            return "a time"
        case 8:
            let end = Sample.profile.notAfter.milliseconds
            household.clock.setDate(end + Int64.random(in: -1...1, using: &random))
            return "a date near a login's end"
        case 9:
            household.clock.setDate(Sample.profile.notBefore.milliseconds + 1_000_000)
            return "a date that is set back"
        case 10:
            _ = try await visitor.exchange("setSelectedProvider", ["providerID": "M2"])
            return "another choice"
        case 11:
            _ = try await visitor.exchange("setSelectedProvider", ["providerID": .null])
            return "a cancelled login"
        case 12:
            await household.engine.logout(requestor: nil, provider: nil, tellingService: false)
            return "an operator's logout"
        case 13:
            let requestors = Bool.random(using: &random) ? ["NEWS24"] : ["NEWS24", "SPORT"]
            household.apply(Policy(stanzas: [AppStanza.sample("news24", requestors)], ownUser: geteuid()))
            return "another policy"
        case 14:
            household.engine.settings.deviceIDIsReadable.toggle()
            return "another setting"
        case 15:
            _ = try await visitor.exchange("getAuthentication", ["forceAuthentication": true])
            return "a login that opens"
        default:
            household.server.holdCalls(Bool.random(using: &random))
            return "calls that are refused for a moment"
        }
    }

    private nonisolated func askForProfiles(_ visitor: Visitor, twiceAround crowd: [Visitor]) async throws {
        _ = try await visitor.call("listProfiles")
        try await check(crowd)
        _ = try await visitor.call("listProfiles")
    }

    private nonisolated func check(_ visitors: [Visitor]) async throws {
        for visitor in visitors { _ = try await visitor.call("checkAuthentication") }
    }

    @Test func `only the client with an open login is told of the login, not the app's other client`() async throws {
        let household = try await household()
        let (shows, waits) = (try await household.app(), try await household.app())
        _ = try await shows.exchange("getAuthentication")
        for _ in 0..<3 {
            let openLogin = try await shows.exchange("checkAuthentication").answer["result"]?["openLogin"]
            #expect(openLogin?["state"] == "selectProvider")
            #expect(try await waits.exchange("checkAuthentication").answer["result"]?["openLogin"] == nil)
        }
        _ = try await shows.exchange("setSelectedProvider", ["providerID": .null])
        #expect(try await shows.exchange("checkAuthentication").answer["result"]?["openLogin"] == nil)
    }

    @Test func `a crowd of identical calls does not evict other answers`() async throws {
        let household = try await household()
        household.logsIn()
        var crowd: [Visitor] = []
        for _ in 0..<20 { crowd.append(try await household.app()) }
        for _ in 0..<1_000 {
            let before = household.server.router.memory.recalled
            try await askForProfiles(crowd[0], twiceAround: crowd)
            if household.server.router.memory.recalled > before { return }
        }
        Issue.record("the list is never remembered")
    }

    /// Other tests change the revision at the same time, because there is one actor. So this is repeated.
    @Test func `an answer to one client of an app is remembered for the others`() async throws {
        let household = try await household()
        household.logsIn()
        let visitors = [try await household.app(), try await household.app()]
        for _ in 0..<1_000 where household.server.router.memory.recalled == 0 {
            // Policy is asked once for each client after each change.
            try await check(visitors + [visitors[0]])
        }
        #expect(household.server.router.memory.recalled > 0)
        let taken = household.server.router.counts.taken
        try await check(visitors)
        #expect(household.server.router.counts.taken == taken + 2)
    }

    @Test func `while a call of the session is pending, no answer comes from memory`() async throws {
        let household = try await household()
        household.logsIn()
        let visitor = try await household.app()
        try await check([visitor, visitor])
        let recalled = household.server.router.memory.recalled
        household.backend.hold("authorize")
        try await visitor.send(
            #"{"jsonrpc":"2.0","id":"slow","method":"checkAuthorization","params":{"resource":"R"}}"#)
        _ = try await visitor.call("checkAuthentication")
        #expect(household.server.router.memory.recalled == recalled)
        household.backend.release("authorize")
        while try await visitor.next()?["id"] != "slow" {}
    }

    @Test func `while the journal records each answer, no answer comes from memory`() async throws {
        let household = try await household()
        household.logsIn()
        let visitor = try await household.app()
        household.log.journal.level = .debug
        try await check([visitor, visitor, visitor])
        #expect(household.server.router.memory.recalled == 0)
    }

    @Test func `a client without the right is refused, even if others are answered from memory`() async throws {
        let household = try await household()
        household.logsIn()
        let visitor = try await household.app()
        try await check([visitor, visitor])
        household.apply(Policy(stanzas: [.sample("news24", ["OTHER"])], ownUser: geteuid()))
        #expect(try await visitor.exchange("checkAuthentication").fault == "DENIED")
        let stranger = try household.connect()
        #expect(try await stranger.exchange("checkAuthentication").fault != nil)
    }
}
