// Tests sessions that share a login, a code or a selection, and change it at the same time.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rpc.md §4, §5; access-enabler.md §7.2; open-questions.md OQ-2, OQ-9") @EngineActor struct SharedLoginTests {
    private static func twins(
        _ script: (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws -> (Stage, Session, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            script(&$0)
        }
        return (stage, try await stage.app("A", "NEWS24"), try await stage.twin("B", of: "A", "NEWS24"))
    }

    @Test func `no app waits for another app's authorization to hear of the login`() async throws {
        let (stage, app, twin) = try await Self.twins()
        let neighbour = try await stage.app("C", "SUMMIT")
        _ = try await app.getAuthorization(.init(resource: "film"))
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        _ = try await twin.getAuthentication(.init())
        stage.backend.script {
            $0.polls = [.success(.done(Sample.profile()))]
            $0.isLoggedIn("NEWS24", "SUMMIT")
        }
        stage.backend.hold("authorize")
        let mark = stage.mark
        try await stage.poll()
        try await stage.hear("⇄ authorize film", since: mark)
        try await stage.hear("B ← setAuthenticationStatus 1 ", since: mark)
        try await stage.hear("C ← setAuthenticationStatus 1  reason=sso", since: mark)
        stage.backend.release("authorize")
        #expect(neighbour.isIn)
        for name in ["A", "B", "C"] {
            #expect(stage.lines(since: mark).filter { $0.hasPrefix("\(name) ← setAuthenticationStatus") }.count == 1)
        }
    }

    @Test func `a second session that chooses the same provider shows the open code`() async throws {
        let (stage, app, twin) = try await Self.twins()
        _ = try await app.getAuthentication(.init())
        _ = try await twin.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB"))) }
        #expect(
            try await twin.setSelectedProvider(.init(providerID: "M1")) == .secondScreen(Sample.login().invitation))
        #expect(stage.engine.openLoginKeys.count == 1)
    }

    @Test func `two sessions that choose at the same time cause one request, and show one code`() async throws {
        let (stage, app, twin) = try await Self.twins()
        _ = try await app.getAuthentication(.init())
        _ = try await twin.getAuthentication(.init())
        stage.backend.hold("beginLogin")
        let first = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        let second = Task { try await twin.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        try await stage.hear("B ← tracking M1,unknown,linux,Linux")
        stage.backend.release("beginLogin")
        for task in [first, second] { #expect(try await task.answer == .secondScreen(Sample.login().invitation)) }
        #expect(stage.lines().filter { $0.hasPrefix("⇄ beginLogin") }.count == 1)
        // One session closes, but the other session's code stays.
        await app.close()
        await stage.rest()
        #expect(stage.engine.openLoginKeys.count == 1 && !stage.has("⇄ abandonLogin", since: 0))
    }

    @Test func `two sessions that find the same sign-on at the same time are both signed in`() async throws {
        let (stage, app, twin) = try await Self.twins { $0.beginLogin = .success(.alreadyIn(Sample.north, .signOn)) }
        _ = try await app.getAuthentication(.init())
        _ = try await twin.getAuthentication(.init())
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        stage.backend.hold("profiles NEWS24 M1")
        let mark = stage.mark
        let choices = [app, twin].map { session in
            Task { try await session.setSelectedProvider(.init(providerID: "M1")) }
        }
        try await stage.trace.wait { $0.dropFirst(mark).count { $0 == "⇄ profiles NEWS24 M1" } == 2 }
        stage.backend.release("profiles NEWS24 M1")
        for choice in choices { #expect(try await choice.answer == .authenticated) }
        #expect(
            !stage.lines(since: mark).contains { $0.contains("setAuthenticationStatus 0") || $0.contains("~ N500") })
    }

    @Test func `a session that joins a new code is not told of the end of the former code`() async throws {
        let (stage, app, twin) = try await Self.twins { $0.offersTwoLogins() }
        _ = try await app.getAuthentication(.init())
        _ = try await twin.getAuthentication(.init())
        _ = try await twin.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.hold("beginLogin NEWS24 M2")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M2")) }
        try await stage.hear("⇄ beginLogin NEWS24 M2")
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        stage.backend.release("beginLogin NEWS24 M2")
        try await stage.writing(after: count)
        // B's code has ended, but B does not know that yet. B cancels and asks again.
        let again = Task {
            _ = try await twin.setSelectedProvider(.init(providerID: nil))
            return try await twin.getAuthentication(.init())
        }
        try await stage.until { $0.selections.isEmpty }
        let mark = stage.mark
        stage.vault.release()
        #expect(try await again.answer == .secondScreen(Sample.login("K2BBBBB", Sample.alpen).invitation))
        _ = try await choice.answer
        await stage.rest()
        #expect(!stage.has("B ← setAuthenticationStatus 0 GENERIC", since: mark))
        #expect(
            twin.conversation.openLogin?.code.rawValue == "K2BBBBB"
                && app.conversation.openLogin?.code.rawValue == "K2BBBBB")
    }

    @Test func `a session is told when another session replaces its code`() async throws {
        let (stage, app, twin) = try await Self.twins { $0.offersTwoLogins() }
        _ = try await app.getAuthentication(.init())
        _ = try await twin.getAuthentication(.init())
        _ = try await twin.setSelectedProvider(.init(providerID: "M1"))
        _ = try await app.setSelectedProvider(.init(providerID: "M2"))
        try await stage.hear("B ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR reason=replaced")
        #expect(!twin.conversation.isOpen && stage.engine.openLoginKeys.count == 1)
        let outcome = try #require(stage.outcomes.last)
        #expect(outcome.kind == .cancelled && outcome.code == "K1AAAAA")
        #expect(outcome.words?.display == "Another app has started a sign-in.")
    }

    @Test
    func `ruling 35: another provider's code ends this code at once, because the service knows only one`()
        async throws
    {
        let (stage, app, twin) = try await Self.twins { _ in }
        try await stage.open(app, "M1")
        let mark = stage.mark
        _ = try await twin.getAuthentication(.init())
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB", Sample.alpen))) }
        _ = try await twin.setSelectedProvider(.init(providerID: "M2"))
        try await stage.hear("A ~ N130", since: mark)
        try await stage.hear("A ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR reason=replaced", since: mark)
        #expect(!app.conversation.isOpen && twin.conversation.openLogin?.code.rawValue == "K2BBBBB")
    }

    @Test func `a valid login takes precedence over an open flow`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init(force: true))
        #expect(try await app.getAuthentication(.init()) == .authenticated)
    }

    @Test func `ruling 35: a choice in one session does not sign another session out until its login succeeds`()
        async throws
    {
        let (stage, app, twin) = try await Self.twins { $0.isLoggedIn("NEWS24") }
        let mark = stage.mark
        _ = try await twin.setSelectedProvider(.init(providerID: "M2"))
        #expect(app.isIn && app.provider == "M1" && twin.provider == "M2")
        var alpen = Sample.profile()
        alpen.provider = Sample.alpen
        stage.backend.script { [alpen] in $0.polls = [.success(.done(alpen))] }
        _ = try await twin.getAuthentication(.init())
        #expect(app.isIn && app.provider == "M1")
        try await stage.poll()
        try await stage.hear("B ← setAuthenticationStatus 1 ", since: mark)
        #expect(app.isIn && app.provider == "M2" && twin.provider == "M2")
        #expect(!stage.lines(since: mark).contains { $0.hasPrefix("A ← setAuthenticationStatus 0") })
    }

    @Test func `ruling 35: a choice in one session does not affect the code of another session`() async throws {
        let (stage, app, twin) = try await Self.twins { _ in }
        try await stage.open(app, "M1")
        let mark = stage.mark
        _ = try await twin.setSelectedProvider(.init(providerID: "M2"))
        #expect(app.conversation.openLogin != nil && stage.engine.openLoginKeys.count == 1)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        #expect(app.isIn)
    }

    @Test func `an older list does not end a newer login`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.answersAreOld = true
        }
        let app = try await stage.app("A", "NEWS24")
        try await stage.open(app)
        stage.engine.settings.setupDeadline = .seconds(30)
        let twin = stage.connect("B")
        stage.backend.hold("profiles NEWS24 all")
        let mark = stage.mark
        let setup = Task { try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ profiles NEWS24 all", since: mark)
        stage.backend.script {
            $0.polls = [.success(.done(Sample.profile()))]
            $0.isLoggedIn("NEWS24")
        }
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        stage.backend.release("profiles NEWS24 all")
        #expect(try await setup.answer.authenticated)
        #expect(app.isIn && twin.isIn)
    }

    @Test func `other sessions are told about a login that one session's setRequestor finds`() async throws {
        let (stage, app, twin) = try await Self.twins { $0.isLoggedIn("NEWS24") }
        stage.backend.script { $0.profiles = [:] }
        var mark = stage.mark
        try await stage.setAgain(app)
        #expect(!twin.isIn)
        #expect(
            stage.lines(since: mark).filter { $0.hasPrefix("B") }
                == ["B ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked"])
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        mark = stage.mark
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(stage.lines(since: mark).filter { $0.hasPrefix("B") } == ["B ← setAuthenticationStatus 1  reason=sso"])
    }
}
