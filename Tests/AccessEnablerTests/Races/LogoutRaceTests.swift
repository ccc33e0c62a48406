// Tests that a logout is final, regardless of calls under way and later answers of the service.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §9.5, §18; open-questions.md OQ-13") @EngineActor struct LogoutRaceTests {
    private static let refusal = BackendFault(
        .refused(ServiceError(status: 400, code: "invalid_parameter_redirect_url", actionName: "none")))

    private static func bothIn(
        _ traits: BackendTraits = FakeBackend.richTraits
    ) async throws -> (Stage, Session, Session) {
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.isLoggedIn("NEWS24", "SUMMIT")
            }, traits: traits)
        return (stage, try await stage.app("A", "NEWS24"), try await stage.app("B", "SUMMIT"))
    }

    @Test func `another app whose logout was refused stays logged out when a new viewer logs in`() async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        stage.backend.script { $0.logout = .failure(Self.refusal) }
        _ = try await app.logout()
        try await stage.hear("⇄ logout SUMMIT M1")
        stage.backend.script { $0.profiles[RequestorID(rawValue: "NEWS24")] = .success([Sample.other]) }
        let mark = stage.mark
        try await stage.logIn(app, "A", Sample.other)
        try await stage.hear("⇄ profiles SUMMIT all", since: mark)
        await stage.rest()
        #expect(app.isIn && !neighbour.isIn)
        #expect(!stage.has("B ← setAuthenticationStatus 1", since: mark))
    }

    @Test(arguments: [BackendFault.Kind.unusableAnswer, .serverError(500), .serverError(503)])
    func `ruling 44: a logout that the service cannot process does not delay a login`(
        trouble: BackendFault.Kind
    ) async throws {
        let (stage, app, _) = try await Self.bothIn()
        stage.backend.script { $0.logout = .failure(BackendFault(trouble)) }
        _ = try await app.logout()
        await stage.rest()
        try await stage.open(app)
        #expect(stage.has("⇄ beginLogin NEWS24 M1 fresh", since: 0))
        #expect(stage.vault.contents.tombstones.count == 2, "both logouts stay owed")
    }

    private static func tombstone(at origin: String) -> ProfileKey {
        ProfileKey(
            registration: RegistrationKey(app: AppID(rawValue: "B"), statement: "s-B", origin: origin, interface: "v2"),
            requestor: RequestorID(rawValue: "SUMMIT"), provider: Sample.north)
    }

    @Test(arguments: [
        ("https://gone.test", true), ("https://service.test", false),
        ("https://gone.test https://service.test", false),
    ]) func `only logouts at the same service delay a login`(origin: String, begins: Bool) async throws {
        var contents = VaultContents()
        contents.tombstones = [Self.tombstone(at: origin)]
        let stage = try await Stage(vault: FakeVault(contents)) {
            $0.offersLogin()
            $0.logout = .failure(BackendFault(.unreachable))
        }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try? await app.setSelectedProvider(.init(providerID: "M1"))
        #expect(stage.has("⇄ beginLogin", since: 0) == begins)
    }

    @Test(arguments: [("https://gone.test", true), ("https://service.test", false)])
    func `only a login at the same service delays the report of an owed logout`(
        origin: String, isTold: Bool
    ) async throws {
        var contents = VaultContents()
        let owed = Self.tombstone(at: origin)
        contents.tombstones = [owed]
        contents.profiles[Self.tombstone(at: "https://service.test")] = Sample.profile()
        let stage = try await Stage(vault: FakeVault(contents)) { $0.logout = .success(.finished) }
        await stage.rest()
        #expect(stage.has("⇄ logout SUMMIT M1", since: 0) == isTold)
        #expect(stage.engine.logins.tombstones == (isTold ? [] : [owed]))
    }

    @Test func `a removal on the box only keeps an owed logout`() async throws {
        var contents = VaultContents()
        let owed = Self.tombstone(at: "https://service.test")
        contents.tombstones = [owed]
        let stage = try await Stage(vault: FakeVault(contents)) {
            $0.offersLogin()
            $0.logout = .failure(BackendFault(.unreachable))
        }
        let app = try await stage.app("A", "NEWS24")
        _ = await stage.engine.logout(provider: Sample.north, tellingService: false)
        _ = await stage.engine.logout(tellingService: false)
        #expect(stage.vault.contents.tombstones == [owed])
        await #expect(throws: RPCError.self) { try await stage.open(app) }
        #expect(!stage.has("⇄ beginLogin", since: 0))
    }

    @Test func `another app's logout is reported before a new viewer logs in`() async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        stage.backend.script { $0.logout = .failure(BackendFault(.unreachable)) }
        _ = try await app.logout()
        #expect(stage.vault.contents.tombstones.count == 2)
        await #expect(throws: RPCError.self) { try await stage.open(app) }
        try await stage.sweepRests()
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        try await stage.logIn(app, "A", Sample.other)
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄ logout") || $0.hasPrefix("⇄ beginLogin") }
        #expect(Set(asked.prefix(2)) == ["⇄ logout NEWS24 M1", "⇄ logout SUMMIT M1"])
        try await stage.hear("⇄ profiles SUMMIT all", since: mark)
        await stage.rest()
        #expect(app.isIn && !neighbour.isIn)
    }

    @Test func `a refused logout does not restore the login`() async throws {
        let (stage, app, _) = try await Self.bothIn()
        stage.backend.script { $0.logout = .failure(Self.refusal) }
        _ = try await app.logout()
        let again = stage.connect("A2")
        #expect(try await !again.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")).authenticated)
    }

    /// Contract: access-enabler.md §9.5, the trap; open-questions.md OQ-47.
    @Test func `without marks of sign-ons, no login returns while another app's logout is owed`() async throws {
        var traits = FakeBackend.richTraits
        (traits.multipleProfiles, traits.headerSignOn) = (false, false)
        let (stage, app, neighbour) = try await Self.bothIn(traits)
        // The service hears of the app's own logout, but not of the other app's.
        stage.backend.hold("logout SUMMIT M1")
        let mark = stage.mark
        _ = try await app.logout()
        try await stage.hear("⇄ logout SUMMIT M1", since: mark)
        stage.backend.script {
            $0.logout = .failure(BackendFault(.unreachable))
            $0.isLoggedIn("NEWS24")
        }
        stage.backend.release("logout SUMMIT M1")
        try await stage.sweepRests()
        #expect(stage.engine.logins.tombstones.map(\.requestor.rawValue) == ["SUMMIT"])
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(!app.isIn && !neighbour.isIn)
        // A later login of the viewer stays.
        stage.backend.script { $0.logout = .failure(Self.refusal) }
        try await stage.logIn(app, "A")
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(app.isIn)
    }

    @Test func `a logout takes effect while a single sign-on is being fetched`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
            $0.beginLogin = .success(.alreadyIn(Sample.north, .signOn))
            $0.answersAreOld = true
        }
        let app = try await stage.app("A", "NEWS24")
        let neighbour = try await stage.app("B", "SUMMIT")
        let twin = try await stage.twin("C", of: "B", "SUMMIT")
        stage.backend.script { $0.isLoggedIn("SUMMIT", profile: Sample.profile(Sample.north, .platformSSO)) }
        _ = try await neighbour.getAuthentication(.init())
        stage.backend.hold("profiles SUMMIT M1")
        let login = Task { try await neighbour.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ profiles SUMMIT M1")
        stage.backend.script {
            $0.profiles = [:]
            $0.logout = .failure(BackendFault(.unreachable))
        }
        _ = try await app.logout()
        #expect(stage.vault.contents.tombstones.count == 1)
        let mark = stage.mark
        stage.backend.release("profiles SUMMIT M1")
        _ = try? await login.answer
        await stage.rest()
        #expect(!neighbour.isIn && !twin.isIn)
        #expect(!stage.has("C ← setAuthenticationStatus 1", since: mark))
        #expect(stage.vault.contents.tombstones.count == 1)
    }

    @Test func `ruling 26: a logout that the service cannot process is retried with growing pauses`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.logout = .failure(BackendFault(.serverError(500))) }
        var mark = stage.mark
        _ = try await app.logout()
        try await stage.sweepRests()
        // Other requests to the service do not send the logout again.
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(stage.lines(since: mark).count { $0 == "⇄ logout NEWS24 M1" } == 1)
        for pause in [30, 60, 120] {
            mark = stage.mark
            let count = stage.clock.settings.elements.count
            stage.clock.advance(by: .seconds(pause) - .milliseconds(1))
            await stage.rest()
            #expect(!stage.lines(since: mark).contains("⇄ logout NEWS24 M1"))
            stage.clock.advance(by: .milliseconds(1))
            try await stage.clock.settings.wait(for: count + 1)
            #expect(stage.lines(since: mark).count { $0 == "⇄ logout NEWS24 M1" } == 1, "after \(pause) s")
        }
    }

    @Test func `the service hears of a new logout at once, even during the pause of an older logout`() async throws {
        let (stage, app, _) = try await Self.bothIn()
        stage.backend.script { $0.logout = .failure(BackendFault(.serverError(500))) }
        _ = try await app.logout()
        try await stage.sweepRests()
        for pause in [30, 60, 120, 240, 480, 960, 1920] {
            let count = stage.clock.settings.elements.count
            stage.clock.advance(by: .seconds(pause))
            try await stage.clock.settings.wait(for: count + 1)
        }
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        let other = try await stage.app("C", "NEWS24")
        _ = try await other.logout()
        try await stage.hear("⇄ logout SUMMIT M1", since: mark)
        try await stage.until { $0.tombstones.isEmpty }
    }

    @Test func `no app is told of a login after a logout has ended it`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        _ = try await app.getAuthorization(.init(resource: "film"))
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        stage.backend.hold("authorize")
        try await stage.poll()
        try await stage.hear("⇄ authorize film")
        _ = try await twin.logout()
        let mark = stage.mark
        stage.backend.release("authorize")
        try await stage.hear("A ← tokenRequestFailed film USER_NOT_AUTHENTICATED_ERROR ''")
        await stage.rest()
        #expect(!stage.has("B", since: mark) && !stage.has("A ← setToken", since: mark))
    }

    @Test func `a login that is logged out while it is being stored is reported to no app`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        _ = try await stage.twin("C", of: "A", "NEWS24")
        try await stage.open(app)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        try await stage.poll()
        try await stage.writing(after: count)
        let logout = Task { try await twin.logout() }
        try await stage.until { $0.profiles.isEmpty }
        stage.vault.release()
        _ = try await logout.answer
        await stage.rest()
        for name in ["A", "B", "C"] { #expect(!stage.has("\(name) ← setAuthenticationStatus 1", since: 0)) }
        #expect(!app.isIn && !app.conversation.isOpen && stage.vault.contents.profiles.isEmpty)
    }

    @Test func `a logout while a known viewer's login is being stored prevents its report`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.beginLogin = .success(.alreadyIn(Sample.north, .signOn))
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("profiles NEWS24 M1")
        let login = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ profiles NEWS24 M1")
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        stage.backend.release("profiles NEWS24 M1")
        try await stage.writing(after: count)
        let logout = Task { try await twin.logout() }
        try await stage.until { $0.profiles.isEmpty }
        stage.vault.release()
        _ = try await logout.answer
        await #expect(throws: RPCError.self) { try await login.answer }
        await stage.rest()
        #expect(!stage.has("A ← setAuthenticationStatus 1", since: 0) && !app.isIn)
    }
}
