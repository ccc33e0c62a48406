// Tests a login whose requestor no longer works with the provider.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rest-v2.md §9, ruling 31: a lapsed integration") @EngineActor struct LapsedIntegrationTests {
    private static let news = RequestorID(rawValue: "NEWS24")

    private static func bothIn() async throws -> (Stage, Session, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24", "SUMMIT")
        }
        return (stage, try await stage.app("A", "NEWS24"), try await stage.app("B", "SUMMIT"))
    }

    @Test func `a play ends only this requestor's login and says why, and the viewer chooses again`() async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        let twin = try await stage.app("C", "NEWS24")
        stage.backend.script { $0.lapsed = [Self.news] }
        let mark = stage.mark
        let answer = try await app.getAuthorization(.init(resource: "film"))
        guard case .answered(let decision) = answer else {
            Issue.record("a login begins")
            return
        }
        guard case .refused(.userNotAuthenticated, _, _) = decision.outcome else {
            Issue.record("\(decision.outcome)")
            return
        }
        for name in ["A", "C"] {
            try await stage.hear(
                "\(name) ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked", since: mark)
        }
        #expect(!app.isIn && !twin.isIn && neighbour.isIn)
        #expect(stage.engine.memory.contents.selections[Self.news] == nil)
        let next = try await app.getAuthentication(.init())
        #expect(next.state == .selectProvider)
        let late = try await stage.app("D", "NEWS24")
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("C"))
        #expect(!late.isIn && !twin.isIn && !app.isIn, "the service's list of all logins still names it")
        #expect(try await late.getAuthentication(.init()).state == .selectProvider)
        stage.backend.script { $0.lapsed = [] }
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("C"))
        #expect(twin.isIn, "the integration is there again")
    }

    @Test func `ruling 49: the login stays lapsed after a restart, and returns with the integration`() async throws {
        let (stage, app, _) = try await Self.bothIn()
        stage.backend.script { $0.lapsed = [Self.news] }
        try await stage.setAgain(app)
        #expect(!app.isIn)
        let after = try await Stage(vault: stage.vault) {
            $0.isLoggedIn("NEWS24", "SUMMIT")
            $0.lapsed = [Self.news]
        }
        let late = try await after.app("A", "NEWS24")
        let twin = try await after.app("C", "NEWS24")
        #expect(!late.isIn && !twin.isIn, "the service's list of all logins still names it")
        after.backend.script { $0.lapsed = [] }
        _ = try await late.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(late.isIn && after.vault.contents.lapsed.isEmpty)
    }

    @Test
    func `E21, ruling 44: a logout while an integration is off stays owed, and the login does not return later`()
        async throws
    {
        let (stage, app, _) = try await Self.bothIn()
        stage.backend.script {
            $0.lapsed = [Self.news]
            $0.logout = .failure(Self.lapse)
        }
        try await stage.setAgain(app)
        #expect(!app.isIn)
        _ = try await app.logout()
        try await stage.hear("⇄ logout NEWS24 M1")
        #expect(stage.vault.contents.tombstones.count == 2 && stage.vault.contents.lapsed.isEmpty)
        stage.backend.script { $0.lapsed = [] }
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(!app.isIn)
        stage.backend.script { $0.logout = .success(.finished) }
        stage.clock.advance(by: .seconds(3600))
        try await stage.until { $0.tombstones.isEmpty }
    }

    @Test func `E21: an operator's logout goes on after a refusal because of an integration that is off`() async throws
    {
        let (stage, _, _) = try await Self.bothIn()
        stage.backend.script { $0.logoutOf[Self.news] = .failure(Self.lapse) }
        stage.backend.hold("logout SUMMIT M1")
        _ = await stage.engine.logout(tellingService: true)
        let telling = Task { await stage.engine.tellLogouts() }
        try await stage.hear("⇄ logout SUMMIT M1")
        for _ in 0..<50 { await EngineActor.turn() }
        stage.backend.release("logout SUMMIT M1")
        #expect(await telling.value.map(\.requestor) == [Self.news])
    }

    @Test func `the list of all logins does not restore a lapsed login`() async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        stage.backend.script { $0.lapsed = [Self.news] }
        let twin = try await stage.app("C", "NEWS24")
        #expect(!twin.isIn && !app.isIn && neighbour.isIn)
        #expect(stage.lines().contains("A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked"))
        stage.backend.script { $0.lapsed = [] }
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("C"))
        #expect(twin.isIn, "the integration is there again")
    }

    nonisolated static let lapse = BackendFault(
        .refused(ServiceError(status: 412, code: "invalid_integration", actionName: "none")))

    @Test(arguments: [true, false]) func `hints end the lapsed login too, without an error`(inList: Bool) async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        stage.backend.script {
            $0.preauthorize = { resource in
                guard inList else { return .failure(Self.lapse) }
                let error = ServiceError(status: 403, code: "invalid_integration", actionName: "none")
                return .success(
                    ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd, error: error))
            }
        }
        let mark = stage.mark
        #expect(try await app.checkPreauthorizedResources(.init(resources: ["film"])).resources == [])
        let told = stage.lines(since: mark)
        #expect(told.contains("A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked"))
        #expect(told.contains("A ← preauthorizedResources ") && !told.contains("A ~ P100"))
        #expect(!app.isIn && neighbour.isIn)
        let again = try await app.preauthorize(.init(resources: ["film"]))
        #expect(again.decisions.isEmpty && again.status?.code == "authentication_session_missing")
    }

    @Test func `the answer to preauthorize says that the provider is gone`() async throws {
        let (stage, app, _) = try await Self.bothIn()
        stage.backend.script { $0.preauthorize = { _ in .failure(Self.lapse) } }
        let answer = try await app.preauthorize(.init(resources: ["film"]))
        #expect(answer.decisions.isEmpty && answer.status?.code == "invalid_integration" && !app.isIn)
    }

    /// For the question who is logged in, REST V1 ignores integrations. Contract: rest-v1.md §6.7.
    private static func oldBox(_ providers: Result<[Provider], BackendFault>) async throws -> (Stage, Session) {
        var traits = FakeBackend.richTraits
        traits.multipleProfiles = false
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.isLoggedIn("NEWS24")
            }, traits: traits)
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.providers = providers }
        return (stage, app)
    }

    @Test func `with a service that has only one login, the list of providers shows the lapse`() async throws {
        let (stage, app) = try await Self.oldBox(.success([Sample.providers[1]]))
        let mark = stage.mark
        try await stage.setAgain(app)
        #expect(
            stage.lines(since: mark).contains(
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked"))
        #expect(!app.isIn && stage.engine.memory.contents.selections[Self.news] == nil)
        #expect(try await app.getAuthentication(.init()).state == .selectProvider)
        let late = try await stage.app("D", "NEWS24")
        #expect(!late.isIn)
        stage.backend.script { $0.providers = .success(Sample.providers) }
        try await stage.setAgain(late, as: "D")
        #expect(late.isIn, "the integration is there again")
    }

    @Test(arguments: [.failure(BackendFault(.serverError(500))), .success([])] as [Result<[Provider], BackendFault>])
    func `an unavailable or empty list of providers ends no login`(
        providers: Result<[Provider], BackendFault>
    ) async throws {
        let (stage, app) = try await Self.oldBox(providers)
        try await stage.setAgain(app)
        #expect(app.isIn)
    }
}
