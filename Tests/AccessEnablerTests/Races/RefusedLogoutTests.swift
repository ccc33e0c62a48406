// Tests logouts that the service refuses or cannot process now. The next viewer can still sign in, with a new login.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("ruling 44; evidence E21; access-enabler.md §9.5") @EngineActor struct RefusedLogoutTests {
    nonisolated static let refusal = BackendFault(
        .refused(ServiceError(status: 400, code: "bad_request", actionName: "none", trace: "t-1")), trace: "t-1")

    nonisolated static let oneLogin: BackendTraits = {
        var traits = FakeBackend.richTraits
        (traits.multipleProfiles, traits.headerSignOn, traits.forcedLoginEndsFormer) = (false, false, false)
        return traits
    }()

    /// The former viewer has logged out, and the service refuses the logout.
    private static func loggedOut(
        _ fault: BackendFault = refusal, _ traits: BackendTraits = FakeBackend.richTraits
    ) async throws -> (Stage, Session) {
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.isLoggedIn("NEWS24")
                $0.logout = .failure(fault)
            }, traits: traits)
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.logout()
        try await stage.hear("⇄ logout NEWS24 M1")
        return (stage, app)
    }

    @Test(arguments: [FakeBackend.richTraits, oneLogin])
    func `a permanently refused logout is sent once more, and then the next viewer signs in with a new login`(
        traits: BackendTraits
    ) async throws {
        let (stage, app) = try await Self.loggedOut(traits: traits)
        let mark = stage.mark
        try await stage.logIn(app, "A", Sample.other)
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄ logout") || $0.hasPrefix("⇄ beginLogin") }
        #expect(asked == ["⇄ logout NEWS24 M1", "⇄ beginLogin NEWS24 M1 fresh"])
        #expect(app.isIn && stage.vault.contents.tombstones.isEmpty && stage.engine.refusedLogouts.isEmpty)
        stage.backend.script { $0.isLoggedIn("NEWS24", profile: Sample.other) }
        try await stage.setAgain(app)
        #expect(app.isIn)
    }

    @Test(arguments: [FakeBackend.richTraits, oneLogin])
    func `a single refusal has no effect`(traits: BackendTraits) async throws {
        let (stage, app) = try await Self.loggedOut(traits: traits)
        #expect(stage.engine.refusedLogouts.map(\.fault.code) == ["bad_request"])
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        try await stage.open(app)
        #expect(stage.lines(since: mark).contains("⇄ beginLogin NEWS24 M1"))
        #expect(stage.engine.logins.tombstones.isEmpty && stage.engine.refusedLogouts.isEmpty)
    }

    nonisolated static let passing: [BackendFault] = [
        BackendFault(.serverError(503)), BackendFault(.throttled), BackendFault(.unusableAnswer),
        BackendFault(.deadline),
        LapsedIntegrationTests.lapse,
        BackendFault(.refused(ServiceError(status: 403, code: "network_received_error", actionName: "retry"))),
    ]

    @Test(arguments: passing, [FakeBackend.richTraits, oneLogin])
    func `a temporary refusal leads to a later retry, and does not delay a login`(
        fault: BackendFault, traits: BackendTraits
    ) async throws {
        let (stage, app) = try await Self.loggedOut(fault, traits)
        #expect(stage.engine.refusedLogouts.isEmpty && stage.engine.untakenLogouts.map(\.fault.kind) == [fault.kind])
        let mark = stage.mark
        try await stage.open(app)
        #expect(stage.lines(since: mark).contains("⇄ beginLogin NEWS24 M1 fresh"))
        #expect(stage.engine.logins.tombstones.count == 1, "the logout stays owed")
        stage.backend.script { $0.polls = [.success(.done(Sample.other))] }
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        #expect(stage.engine.logins.tombstones.isEmpty && stage.engine.untakenLogouts.isEmpty)
        // No later logout may end the new login.
        let later = stage.mark
        stage.clock.advance(by: .seconds(7200))
        await stage.rest()
        #expect(!stage.has("⇄ logout", since: later) && app.isIn)
    }

    @Test(arguments: [LoginReason.regular, .signOn])
    func `an old login that the service still has never counts`(reason: LoginReason) async throws {
        let (stage, app) = try await Self.loggedOut()
        stage.backend.script { $0.beginLogin = .success(.alreadyIn(Sample.north, reason)) }
        await #expect(throws: RPCError.self) { try await stage.open(app) }
        try await stage.setAgain(app)
        let after = try await Stage(vault: stage.vault) {
            $0.isLoggedIn("NEWS24")
            $0.logout = .failure(Self.refusal)
        }
        let late = try await after.app("A", "NEWS24")
        #expect(!app.isIn && !late.isIn)
    }

    @Test func `a degradation rule that admits everyone admits the next viewer, and the logout stays owed`()
        async throws
    {
        let (stage, app) = try await Self.loggedOut()
        stage.backend.script {
            $0.beginLogin = .success(.alreadyIn(Sample.north, .degraded))
            $0.isLoggedIn("NEWS24", profile: Sample.profile(Sample.north, .degraded))
        }
        try await stage.open(app)
        #expect(app.isIn && stage.engine.logins.tombstones.count == 1)
    }

    @Test func `a login that the service continues to share does not count in other apps`() async throws {
        let (stage, app) = try await Self.loggedOut()
        var unshared = Sample.login()
        unshared.leavesLogout = true
        stage.backend.script { $0.beginLogin = .success(.showCode(unshared)) }
        try await stage.logIn(app, "A", Sample.other)
        #expect(app.isIn && stage.engine.logins.tombstones.count == 1)
        stage.backend.script { $0.isLoggedIn("SUMMIT", profile: Sample.profile(Sample.north, .platformSSO)) }
        let neighbour = try await stage.app("B", "SUMMIT")
        #expect(!neighbour.isIn)
        // The service's answers about the new login are applied, and the next logout ends both logins.
        var renewed = Sample.other
        renewed.attributes["zip"] = .init(value: .string("news"), isEncrypted: false)
        stage.backend.script { $0.isLoggedIn("NEWS24", profile: renewed) }
        try await stage.setAgain(app)
        #expect(stage.engine.logins.profiles.values.contains { $0.attributes["zip"]?.value == .string("news") })
        stage.backend.script { $0.logout = .success(.finished) }
        _ = try await app.logout()
        try await stage.until { $0.tombstones.isEmpty }
    }

    @Test(arguments: [FakeBackend.richTraits, oneLogin])
    func `another app's owed logout does not end the next viewer's login`(traits: BackendTraits) async throws {
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.isLoggedIn("NEWS24", "SUMMIT")
                $0.logout = .failure(Self.refusal)
            }, traits: traits)
        let (app, neighbour) = (try await stage.app("A", "NEWS24"), try await stage.app("B", "SUMMIT"))
        _ = try await app.logout()
        try await stage.hear("⇄ logout SUMMIT M1")
        try await stage.logIn(app, "A", Sample.other)
        // The service accepts logouts again, and the next viewer opens the other app. The service may have merged its
        // former login with the new login.
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        try await stage.logIn(neighbour, "B", Sample.other)
        #expect(app.isIn && neighbour.isIn && stage.engine.logins.tombstones.isEmpty)
        #expect(!stage.has("⇄ logout", since: mark) && stage.has("⇄ beginLogin SUMMIT M1 fresh", since: mark))
    }

    @Test func `a new login at another provider clears the owed logout, where the service has only one login`()
        async throws
    {
        let (stage, app) = try await Self.loggedOut(traits: Self.oneLogin)
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB", Sample.alpen))) }
        try await stage.logIn(app, "A", Sample.profile(Sample.alpen))
        #expect(app.isIn && stage.engine.logins.tombstones.isEmpty)
    }

    @Test func `operators are told of a refusal once for each reason`() async throws {
        let (stage, app) = try await Self.loggedOut()
        let heard = Recorder<String>()
        stage.engine.observe { event in
            if case .logoutRefused = event.kind, let requestor = event.requestor, let provider = event.provider {
                heard.append("\(requestor) \(provider) \(event.cause?.code ?? "") \(event.cause?.trace ?? "")")
            }
        }
        #expect(heard.elements == ["NEWS24 M1 bad_request t-1"])
        try await stage.open(app)
        #expect(heard.elements.count == 1)
    }
}

extension RefusedLogoutTests {
    private static func loggedOut(traits: BackendTraits) async throws -> (Stage, Session) {
        try await loggedOut(refusal, traits)
    }
}
