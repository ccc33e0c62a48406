// Tests services with fewer abilities, and the engine's replacements for the missing ones.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rest-v2.md §19, §21: traits") @EngineActor struct PoorServiceTests {
    private static func traits(_ change: (inout BackendTraits) -> Void) -> BackendTraits {
        var traits = FakeBackend.richTraits
        change(&traits)
        return traits
    }

    /// Lets all pending work finish.
    private static func turns() async { for _ in 0..<100 { await EngineActor.turn() } }

    private static let pass: Provider = {
        var pass = Provider(id: ProviderID(rawValue: "PASS"), displayName: "Free preview", logoURL: "")
        pass.isTempPass = true
        return pass
    }()

    @Test(arguments: [true, false])
    func `§19 item 9: a replaced code is cancelled if the interface supports that`(can: Bool) async throws {
        let stage = try await Stage({ $0.offersLogin() }, traits: Self.traits { $0.cancellableCode = can })
        let (app, twin) = (try await stage.app("A", "NEWS24"), try await stage.twin("B", of: "A", "NEWS24"))
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script {
            $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB", ProviderID(rawValue: "M2"))))
        }
        _ = try await twin.getAuthentication(.init(force: true))
        _ = try await twin.setSelectedProvider(.init(providerID: "M2"))
        try await stage.hear("⇄ beginLogin NEWS24 M2")
        if can { try await stage.hear("⇄ abandonLogin K7Q2M4X") }
        await Self.turns()
        #expect(stage.lines().contains("⇄ abandonLogin K7Q2M4X") == can)
        #expect(!stage.lines().contains("⇄ abandonLogin K2BBBBB"))
    }

    @Test(arguments: [true, false])
    func `a browser's code is cancelled with the login`(can: Bool) async throws {
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.beginLogin = .success(.openURL(Sample.login()))
            }, traits: Self.traits { $0.cancellableCode = can })
        let app = try await stage.app("A", "NEWS24")
        var options = SetOptions.Params()
        options.flow = .browser
        _ = app.setOptions(options)
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        if can { try await stage.hear("⇄ abandonLogin K7Q2M4X") }
        await Self.turns()
        #expect(stage.lines().count { $0 == "⇄ abandonLogin K7Q2M4X" } == (can ? 1 : 0))
    }

    @Test(arguments: [true, false])
    func `§19 item 6: a new login replaces the former login where the service has only one`(several: Bool) async throws
    {
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.isLoggedIn("NEWS24")
            }, traits: Self.traits { $0.multipleProfiles = several })
        let app = try await stage.app("A", "NEWS24")
        let other = ProviderID(rawValue: "M2")
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB", other))) }
        _ = try await app.getAuthentication(.init(force: true))
        _ = try await app.setSelectedProvider(.init(providerID: "M2"))
        stage.backend.script { $0.polls = [.success(.done(Sample.profile(other)))] }
        let mark = stage.mark
        try await stage.settled()
        try await stage.poll("K2BBBBB")
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        #expect(
            Set(stage.engine.memory.contents.profiles.keys.map(\.provider))
                == (several ? [Sample.north, other] : [other]))
    }

    @Test func `ruling 20: if a forced login fails after the former login has ended, no viewer is signed in`()
        async throws
    {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init(force: true))
        stage.backend.script {
            $0.profiles = [:]
            $0.beginLogin = .failure(BackendFault(.serverError(500)))
        }
        let mark = stage.mark
        await #expect(throws: RPCError.self) { _ = try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked", since: mark)
        #expect(!app.isIn)
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login())) }
        _ = try await app.getAuthentication(.init())
        let begun = try await app.setSelectedProvider(.init(providerID: "M1"))
        #expect(begun == .secondScreen(Sample.login().invitation))
    }

    @Test(arguments: [true, false])
    func `ruling 20, 42: if a forced login signs an app out at the service, the app is told at once`(
        ends: Bool
    ) async throws {
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.isLoggedIn("NEWS24")
            }, traits: Self.traits { $0.forcedLoginEndsFormer = ends })
        let (app, twin) = (try await stage.app("A", "NEWS24"), try await stage.twin("B", of: "A", "NEWS24"))
        await stage.rest()
        let mark = stage.mark
        _ = try await app.getAuthentication(.init(force: true))
        #expect(twin.isIn && app.isIn, "nobody has chosen yet")
        if ends { stage.backend.script { $0.profiles = [:] } }
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        let told = stage.lines(since: mark).contains(
            "B ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout")
        #expect(told == ends && twin.isIn != ends && app.isIn != ends)
        #expect(!stage.lines(since: mark).contains { $0.hasPrefix("A ← setAuthenticationStatus 0") })
        let late = try await stage.twin("C", of: "A", "NEWS24")
        #expect(late.isIn != ends)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        if ends { try await stage.hear("B ← setAuthenticationStatus 1  reason=sso", since: mark) }
    }

    @Test func `ruling 20: a forced login does not join an open code, and queries other requestors' logins`()
        async throws
    {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("SUMMIT")
        }
        let neighbour = try await stage.app("N", "SUMMIT")
        let app = try await stage.app("A", "NEWS24")
        try await stage.open(app)
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        await stage.rest()
        let mark = stage.mark
        stage.backend.script {
            $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB")))
            $0.profiles = [:]
        }
        _ = try await twin.getAuthentication(.init(force: true))
        let begun = try await twin.setSelectedProvider(.init(providerID: "M1"))
        #expect(begun == .secondScreen(Sample.login("K2BBBBB").invitation))
        try await stage.hear("N ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout", since: mark)
        #expect(!neighbour.isIn)
    }

    @Test(arguments: [true, false])
    func `one request finds the login where the service has only one login`(several: Bool) async throws {
        let stage = try await Stage(
            { $0.isLoggedIn("NEWS24") }, traits: Self.traits { $0.multipleProfiles = several })
        let app = try await stage.app("A", "NEWS24")
        let mark = stage.mark
        try await stage.setAgain(app)
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄ profiles") }
        #expect(asked == [several ? "⇄ profiles NEWS24 M1" : "⇄ profiles NEWS24 all"])
    }

    // MARK: Temporary passes

    private static func offering(
        _ begun: Result<LoginStep, BackendFault>
    ) async throws -> (Stage, Session) {
        let stage = try await Stage(
            {
                $0.providers = .success(Sample.providers + [Self.pass])
                $0.beginLogin = begun
                $0.isLoggedIn("NEWS24", profile: Sample.profile(Self.pass.id, .temporary))
            }, traits: traits { $0.temporaryPassByCall = true })
        return (stage, try await stage.app("A", "NEWS24"))
    }

    @Test func `§19 item 23: a temporary pass has a call of its own`() async throws {
        let (stage, app) = try await Self.offering(.success(.alreadyIn(Self.pass.id, .temporary)))
        let mark = stage.mark
        #expect(try await app.setSelectedProvider(.init(providerID: "PASS")) == .authenticated)
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄") }
        #expect(asked == ["⇄ providers NEWS24", "⇄ beginLogin NEWS24 PASS", "⇄ profiles NEWS24 PASS"])
        #expect(stage.lines(since: mark).contains("A ~ N011"))
    }

    @Test func `ruling 29, access-enabler.md §16.1: a used-up pass is reported as used up, not as a missing code`()
        async throws
    {
        let error = ServiceError(
            status: 403, code: "temporary_access_duration_limit_exceeded", actionName: "authentication",
            details: "Your ten minutes are over.")
        let (stage, app) = try await Self.offering(.failure(BackendFault(.refused(error))))
        let answer = await #expect(throws: RPCError.self) {
            try await app.setSelectedProvider(.init(providerID: "PASS"))
        }
        #expect(answer?.name == .unanswered(.N111) && answer?.remedy == SDKStatus.N111.remedy)
        let told = stage.lines().filter { $0.hasPrefix("A ~") }
        #expect(told.contains("A ~ N111") && !told.contains("A ~ REG500"))
        #expect(stage.displays == ["Your ten minutes are over."])
        #expect(!app.conversation.isOpen)
    }
}
