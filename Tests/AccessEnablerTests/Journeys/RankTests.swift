// Tests the rank with which each call asks the service.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("ruling 32, rest-v2.md §15: the rank of requests") @EngineActor struct RankTests {
    private func stage() async throws -> Stage {
        try await Stage {
            $0.offersLogin()
            $0.authorize = { .success(Sample.permit($0)) }
        }
    }

    @Test func `a starting app's requests have the rank of a start, even for hints, and a viewer's calls go first`()
        async throws
    {
        let stage = try await stage()
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.preauthorize(.init(resources: ["r"]))
        _ = try await app.listProviders(.init(includeTempPass: true))
        _ = try await app.getAuthorization(.init(resource: "r"))
        _ = try await app.logout()
        let ranks = stage.backend.ranks.elements
        #expect(
            ranks == [
                "prepare start", "profiles start", "preauthorize start", "providers start", "authorize viewer",
                "profiles background", "logout viewer",
            ])
    }

    @Test func `a login goes first, but its polls do not`() async throws {
        let stage = try await stage()
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        try await stage.settled()
        try await stage.poll()
        let ranks = stage.backend.ranks.elements.dropFirst(2)
        #expect(ranks == ["providers viewer", "beginLogin viewer", "pollLogin poll"])
    }

    enum Waiting: CaseIterable, Sendable {
        case play, check, login, choice, question

        var rank: CallRank { self == .question ? .start : .viewer }

        func call(_ app: Session) async {
            switch self {
            case .play: _ = try? await app.getAuthorization(.init(resource: "r"))
            case .check: _ = try? await app.checkAuthorization(.init(resource: "r"))
            case .login: _ = try? await app.getAuthentication(.init())
            case .choice: _ = try? await app.setSelectedProvider(.init(providerID: "M1"))
            case .question: _ = try? await app.checkAuthentication()
            }
        }
    }

    @Test(arguments: Waiting.allCases)
    func `a setup gets the rank of the calls that wait for it, as soon as they wait`(waiting: Waiting) async throws {
        let stage = try await stage()
        let app = stage.connect("A")
        stage.backend.hold("prepare")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ prepare NEWS24")
        let another = Task { try await app.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("A")) }
        while app.setup.calls.waiting.isEmpty { await EngineActor.turn() }
        let call = Task { await waiting.call(app) }
        while app.setup.calls.waiting.count < 2 { await EngineActor.turn() }
        #expect(app.setup.urgency?.rank == waiting.rank)
        stage.backend.release("prepare")
        _ = try await setup.value
        _ = try await another.value
        await call.value
        let ranks = stage.backend.ranks.elements.prefix(4)
        #expect(
            ranks == [
                "prepare start", "profiles \(waiting.rank)", "prepare \(waiting.rank)", "profiles \(waiting.rank)",
            ])
    }

    @Test(arguments: [false, true])
    func `a login's requests for other apps are background, but as urgent as a poll if the app shows a code`(
        showsCode: Bool
    ) async throws {
        let stage = try await stage()
        let neighbour = try await stage.app("B", "SUMMIT")
        try await stage.open(try await stage.app("A", "NEWS24"))
        if showsCode {
            stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB"))) }
            try await stage.open(neighbour)
        }
        stage.backend.script { $0.polls = [.success(.done(Sample.profile())), .success(.pending)] }
        try await stage.settled()
        try await stage.poll()
        try await stage.backend.ranks.wait { $0.last == "profiles \(showsCode ? "poll" : "background")" }
    }
}
