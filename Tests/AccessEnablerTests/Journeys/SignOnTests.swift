// Tests that all apps share one login: which apps are told when it begins, and when it ends.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rpc.md §5; access-enabler.md §9.5, §18, OQ-2, OQ-13") @EngineActor struct SignOnTests {
    private static let shared = Sample.profile(Sample.north, .platformSSO)

    /// App A logs in by code while app B is connected.
    private static func loggedIn(_ stage: Stage) async throws -> (Session, Session) {
        let other = try await stage.app("B", "SUMMIT")
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script {
            $0.polls = [.success(.done(Sample.profile()))]
            $0.isLoggedIn("NEWS24")
            $0.isLoggedIn("SUMMIT", profile: shared)
        }
        try await stage.poll()
        try await stage.hear("B ← setAuthenticationStatus 1  reason=sso")
        return (app, other)
    }

    @Test func `a login in one app is reported to the other app if the service confirms it`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let (_, other) = try await Self.loggedIn(stage)
        #expect(
            stage.lines().suffix(4) == [
                "A ← setAuthenticationStatus 1 ", "A ← tracking true,M1,md5(u1),false", "⇄ profiles SUMMIT all",
                "B ← setAuthenticationStatus 1  reason=sso",
            ])
        let answer = try await other.checkAuthentication()
        #expect(answer == .authenticated(provider: "M1", expires: 1_803_340_861_000, type: "platformSSO"))
    }

    @Test func `an app that connects later is signed in by its setRequestor`() async throws {
        let stage = try await Stage { $0.isLoggedIn("SUMMIT", profile: Self.shared) }
        let app = stage.connect("B")
        let result = try await app.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("B"))
        #expect(result == .init(requestorID: "SUMMIT", authenticated: true, provider: "M1"))
        #expect(stage.vault.contents.profiles.count == 1)
    }

    @Test func `another app stays signed out if the service does not confirm its login`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let other = try await stage.app("B", "SUMMIT")
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        let count = stage.backend.calls.elements.count
        try await stage.poll()
        try await stage.backend.calls.wait { $0.dropFirst(count).contains("profiles SUMMIT all") }
        #expect(try await other.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
    }

    @Test func `trace 7: a logout ends all logins of the box, and every app is told`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let (app, other) = try await Self.loggedIn(stage)
        let mark = stage.mark
        #expect(try await app.logout() == .init(actions: [.init(provider: "M1", action: .none)]))
        try await stage.hear("⇄ logout SUMMIT M1", since: mark)
        #expect(
            stage.lines(since: mark) == [
                "B ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout", "⇄ logout NEWS24 M1",
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout", "A ← tracking false,,,",
                "⇄ logout SUMMIT M1",
            ])
        #expect(stage.vault.contents.profiles.isEmpty && stage.vault.contents.selections.isEmpty)
        #expect(
            try await other.checkAuthentication()
                == .notAuthenticated(.userNotAuthenticated, saying: .signedOutElsewhere))
        try await stage.until { $0.tombstones.isEmpty }
    }

    @Test func `a logout that did not reach the service takes effect, survives a restart and is sent later`()
        async throws
    {
        let stage = try await Stage { $0.offersLogin() }
        let (app, _) = try await Self.loggedIn(stage)
        stage.backend.script { $0.logout = .failure(BackendFault(.unreachable)) }
        _ = try await app.logout()
        #expect(stage.vault.contents.tombstones.count == 2)
        // The service still has the login, but the box does not restore it.
        let again = stage.connect("A2")
        let result = try await again.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(!result.authenticated)
        stage.engine.stop()

        let next = try await Stage(vault: stage.vault)
        try await next.backend.calls.wait {
            $0.contains("logout NEWS24 M1") && $0.contains("logout SUMMIT M1")
        }
        try await next.until { $0.tombstones.isEmpty }
    }

    @Test func `a failed logout is sent to the service again after a pause, not earlier`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.logout = .failure(BackendFault(.unreachable)) }
        let next = stage.clock.boot.advanced(by: .seconds(30))
        _ = try await app.logout()
        try await stage.clock.settings.wait { $0.contains(next) }
        stage.backend.script { $0.logout = .success(.nothingToDo) }
        let mark = stage.mark
        stage.clock.advance(by: .seconds(29))
        #expect(stage.lines(since: mark).isEmpty)
        stage.clock.advance(by: .seconds(1))
        try await stage.hear("⇄ logout NEWS24 M1", since: mark)
        try await stage.until { $0.tombstones.isEmpty }
    }

    @Test func `no viewer can sign in before the service has heard of the logout`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let (app, _) = try await Self.loggedIn(stage)
        stage.backend.script { $0.logout = .failure(BackendFault(.unreachable)) }
        let alarms = stage.clock.settings.elements.count
        _ = try await app.logout()
        _ = try await app.getAuthentication(.init())
        let error = await #expect(throws: RPCError.self) {
            try await app.setSelectedProvider(.init(providerID: "M1"))
        }
        #expect(error?.name == .unanswered(.CFG404) && error?.action == .retry)
        // All background requests have been sent.
        try await stage.clock.settings.wait(for: alarms + 1)
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄") }
        #expect(asked.last == "⇄ beginLogin NEWS24 M1")
        #expect(Set(asked).isSuperset(of: ["⇄ logout NEWS24 M1", "⇄ logout SUMMIT M1"]))
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        #expect(stage.vault.contents.tombstones.isEmpty)
    }

    @Test func `a logout that the service refuses stays in effect on the box`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let (app, _) = try await Self.loggedIn(stage)
        let refusal = ServiceError(status: 400, code: "invalid_parameter_redirect_url", actionName: "none")
        stage.backend.script { $0.logout = .failure(BackendFault(.refused(refusal))) }
        _ = try await app.logout()
        #expect(try await !app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")).authenticated)
        // The service admits the former viewer without a password. That must not sign a viewer in.
        stage.backend.script { $0.beginLogin = .success(.alreadyIn(Sample.north, .regular)) }
        _ = try await app.getAuthentication(.init())
        await #expect(throws: RPCError.self) { try await app.setSelectedProvider(.init(providerID: "M1")) }
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
    }

    @Test func `OQ-2: the next setRequestor notices a logout elsewhere, but changes nothing while the network is down`()
        async throws
    {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.profiles = [RequestorID(rawValue: "NEWS24"): .failure(BackendFault(.unreachable))] }
        let mark = stage.mark
        #expect(try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")).authenticated)
        await stage.rest()
        // The call is answered from memory, and the service is asked afterwards. Ruling 34.
        #expect(
            stage.lines(since: mark) == [
                "A ← setRequestorComplete 1", "⇄ prepare NEWS24", "⇄ profiles NEWS24 M1", "A ~ CFG404",
            ])
        // An app without a login is told that the service could not be asked.
        stage.backend.script { $0.profiles[RequestorID(rawValue: "SUMMIT")] = .failure(BackendFault(.unreachable)) }
        let other = stage.connect("B")
        let error = await #expect(throws: RPCError.self) {
            try await other.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("B"))
        }
        #expect(error?.name == .unanswered(.CFG404))
        stage.backend.script { $0.profiles = [:] }
        // At most one request per minute is sent for each login.
        #expect(try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")).authenticated)
        await stage.rest()
        #expect(app.isIn)
        #expect(try await stage.setAgain(app).authenticated)
        #expect(!app.isIn && stage.vault.contents.profiles.isEmpty)
        try await stage.hear("A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked", since: mark)
    }

    @Test func `ruling 34: a silent service does not delay signed-in viewers, and delays other apps for five seconds`()
        async throws
    {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        await stage.rest()
        for call in ["prepare", "profiles"] { stage.backend.hold(call) }
        #expect(try await stage.setAgain(app).authenticated)
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
        let other = stage.connect("B")
        let began = stage.clock.boot
        let mark = stage.mark
        let setup = Task { try await other.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("B")) }
        try await stage.hear("⇄ prepare SUMMIT", since: mark)
        let queued = Task { try await other.checkAuthentication() }
        await stage.rest()
        stage.clock.advance(by: .milliseconds(5249))
        await stage.rest()
        #expect(!stage.lines(since: mark).contains("B ← setRequestorComplete 0"))
        stage.clock.advance(by: .milliseconds(1))
        for task in [Task { _ = try await setup.value }, Task { _ = try await queued.value }] {
            let error = await #expect(throws: RPCError.self) { try await task.answer }
            #expect(error?.name == .unanswered(.CFG404), "the real reason, also for the waiting calls")
        }
        #expect(began.duration(to: stage.clock.boot) == .milliseconds(5250))
        for call in ["prepare", "profiles"] { stage.backend.release(call) }
        #expect(try await !other.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("B")).authenticated)
    }
}
