// Tests a login that is found before its code is polled: by a request to the service, or through another app's login.
// Subscribers and the journal get one event, and the code has succeeded.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rpc.md §6: a login that is found before its code is polled") @EngineActor struct FoundFirstTests {
    private static func word(_ event: EngineEvent) -> String? {
        guard let requestor = event.requestor else { return nil }
        return switch event.kind {
        case .loginOpened: "\(requestor) opened"
        case .loginClosed(let end): "\(requestor) \(end.rawValue)"
        case .signedIn(let reason): "\(requestor) in\(reason.map { " by \($0.rawValue)" } ?? "")"
        case .signedOut(let cause, _): "\(requestor) out: \(cause.rawValue)"
        default: nil
        }
    }

    /// A stage with an app that shows a code, and the events of an observer.
    private static func stage(
        _ script: (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws -> (stage: Stage, app: Session, heard: Recorder<String>) {
        let stage = try await Stage {
            $0.offersLogin()
            script(&$0)
        }
        let heard = Recorder<String>()
        stage.engine.observe { event in if let word = word(event) { heard.append(word) } }
        let app = try await stage.app("A", "NEWS24")
        return (stage, app, heard)
    }

    private static func again(_ app: Session) async throws -> SetRequestor.Result {
        try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
    }

    @Test func `another session's request finds the login: one event, and the code has succeeded`() async throws {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        stage.backend.script {
            $0.isLoggedIn("NEWS24")
            $0.polls = [.success(.done(Sample.profile()))]
        }
        _ = try await stage.twin("B", of: "A", "NEWS24")
        await stage.rest()
        #expect(app.isIn && stage.engine.openLoginKeys.isEmpty)
        stage.clock.advance(by: .seconds(60))
        await stage.rest()
        #expect(heard.elements == ["NEWS24 opened", "NEWS24 in", "NEWS24 authenticated"])
        // To the app, this is its own login, not a login of another app.
        let told = stage.lines().filter { $0.hasPrefix("A ← setAuthenticationStatus") }
        #expect(told == ["A ← setAuthenticationStatus 1 "])
    }

    @Test
    func `a login that the service marks as single sign-on comes from another app, even with a code on the screen`()
        async throws
    {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        var profile = Sample.profile()
        profile.kind = .platformSSO
        stage.backend.script { [profile] in $0.isLoggedIn("NEWS24", profile: profile) }
        _ = try await stage.twin("B", of: "A", "NEWS24")
        await stage.rest()
        #expect(
            stage.lines().filter { $0.hasPrefix("A ← setAuthenticationStatus") }
                == ["A ← setAuthenticationStatus 1  reason=sso"])
        #expect(heard.elements == ["NEWS24 opened", "NEWS24 in by sso", "NEWS24 authenticated"])
    }

    @Test func `the app's own request finds the login, and the poll finds it again`() async throws {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        #expect(try await Self.again(app).authenticated)
        // The service may send less with the code than in its list.
        var profile = Sample.profile()
        profile.attributes = [:]
        stage.backend.script { [profile] in $0.polls = [.success(.done(profile))] }
        try await stage.poll()
        await stage.rest()
        #expect(app.isIn && stage.engine.openLoginKeys.isEmpty)
        #expect(heard.elements == ["NEWS24 opened", "NEWS24 in", "NEWS24 authenticated"])
    }

    @Test func `the poll is answered while the login from the request is being stored`() async throws {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        stage.backend.script {
            $0.isLoggedIn("NEWS24")
            $0.polls = [.success(.done(Sample.profile()))]
        }
        stage.backend.hold("pollLogin")
        try await stage.poll()
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        let setup = Task { try await Self.again(app) }
        try await stage.writing(after: count)
        stage.backend.release("pollLogin")
        await stage.rest()
        stage.vault.release()
        #expect(try await setup.answer.authenticated)
        await stage.rest()
        #expect(heard.elements.sorted() == ["NEWS24 authenticated", "NEWS24 in", "NEWS24 opened"])
    }

    @Test func `the app cancels its code after the login was found`() async throws {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        _ = try await Self.again(app)
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        #expect(heard.elements.prefix(3) == ["NEWS24 opened", "NEWS24 in", "NEWS24 authenticated"])
        #expect(!heard.elements.contains("NEWS24 cancelled") && stage.engine.openLoginKeys.isEmpty)
    }

    @Test func `the code ends at the service after the login was found`() async throws {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        stage.backend.script {
            $0.isLoggedIn("NEWS24")
            $0.polls = [.success(.gone)]
        }
        _ = try await Self.again(app)
        try await stage.poll()
        await stage.rest()
        #expect(heard.elements == ["NEWS24 opened", "NEWS24 in", "NEWS24 authenticated"])
    }

    @Test func `another app's login ends the code of this app, and counts here`() async throws {
        let (stage, app, heard) = try await Self.stage()
        let other = try await stage.app("B", "SUMMIT")
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB"))) }
        try await stage.open(other)
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login())) }
        try await stage.open(app)
        stage.backend.script {
            $0.polls = [.success(.pending), .success(.done(Sample.profile()))]
            $0.isLoggedIn("NEWS24", "SUMMIT")
        }
        try await stage.poll()
        // The session that is polled second has signed in, and the other session is told.
        try await stage.trace.wait { $0.contains { $0.hasSuffix("← setAuthenticationStatus 1  reason=sso") } }
        await stage.rest()
        #expect(app.isIn && other.isIn)
        for requestor in ["NEWS24", "SUMMIT"] {
            let own = heard.elements.filter { $0.hasPrefix(requestor) }
            #expect(own.sorted() == ["authenticated", "in", "opened"].map { "\(requestor) \($0)" })
        }
    }

    @Test func `a cancelled code without a login is reported as cancelled, even if a former login stays`()
        async throws
    {
        let (stage, app, heard) = try await Self.stage()
        try await stage.open(app)
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        #expect(heard.elements == ["NEWS24 opened", "NEWS24 cancelled"])
        try await stage.logIn(app, "A")
        await stage.rest()
        // The viewer chooses another provider, and then cancels.
        let mark = heard.elements.count
        stage.backend.script {
            $0.beginLogin = .success(.showCode(Sample.login("K2BBBBB", Sample.alpen)))
            $0.polls = []
        }
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        _ = try await twin.setSelectedProvider(.init(providerID: "M2"))
        _ = try await twin.getAuthentication(.init())
        #expect(heard.elements.dropFirst(mark) == ["NEWS24 opened"])
        await stage.engine.openLogins.cancelLogin(of: try #require(twin.asker?.key), by: twin.number)
        #expect(heard.elements.dropFirst(mark) == ["NEWS24 opened", "NEWS24 cancelled"])
    }

    @Test func `a new login that replaces a valid login is reported`() async throws {
        let (stage, app, heard) = try await Self.stage()
        try await stage.logIn(app, "A")
        await stage.rest()
        let mark = heard.elements.count
        let later = Sample.profile(ends: 1_803_340_862_000)
        await app.adopt(later, for: try #require(app.asker))
        await stage.rest()
        #expect(heard.elements.dropFirst(mark) == ["NEWS24 in"])
    }

    // MARK: Logins that the store ends

    @Test func `a backup ends logins that it lacks, and logins that differ`() async throws {
        let (stage, _, heard) = try await Self.stage { $0.isLoggedIn("NEWS24", "SUMMIT", "LUMEN", "OLD") }
        for (index, requestor) in ["SUMMIT", "LUMEN"].enumerated() {
            _ = try await stage.app("\(index)", requestor)
        }
        stage.backend.script { $0.isLoggedIn("OLD", profile: Sample.profile(ends: 1_795_564_900_000)) }
        _ = try await stage.app("old", "OLD")
        stage.clock.advance(by: .seconds(3600))
        await stage.rest()
        #expect(heard.elements.last == "OLD out: expired")
        let mark = heard.elements.count
        var profiles = stage.engine.logins.profiles
        for key in profiles.keys {
            switch key.requestor.rawValue {
            case "SUMMIT", "OLD": profiles[key] = nil
            case "LUMEN": profiles[key] = Sample.other
            default: profiles[key]?.attributes["zip"] = nil
            }
        }
        stage.engine.tellReplacedStore(with: profiles)
        #expect(heard.elements.dropFirst(mark).sorted() == ["LUMEN out: store", "SUMMIT out: store"])
        #expect(stage.engine.logins.profiles.count == 4, "memory is unchanged")
    }

    @Test func `logins that the store has lost are reported to a later observer`() async throws {
        let stage = try await Stage()
        let key = ProfileKey(
            registration: stage.backend.registration(of: AppID(rawValue: "A"), statement: Secret("s.t.m")),
            requestor: RequestorID(rawValue: "NEWS24"), provider: Sample.north)
        stage.engine.tellLost([key])
        let heard = Recorder<String>()
        stage.engine.observe { event in if let word = Self.word(event) { heard.append(word) } }
        #expect(heard.elements == ["NEWS24 out: store"])
    }
}
