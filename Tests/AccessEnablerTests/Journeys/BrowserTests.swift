// Tests the login in a browser that the app opens. `handleExternalURL` completes this login.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §7.5, §7.6, §18") @EngineActor struct BrowserTests {
    private static let page = "https://service.test/authenticate/K7Q2M4X"

    private static func began(
        _ settings: EngineSettings = EngineSettings(), secure: Bool = false
    ) async throws -> (Stage, Session, Int) {
        let stage = try await Stage(
            {
                $0.offersLogin()
                var login = Sample.login()
                login.url = page
                $0.beginLogin = .success(.openURL(login))
            }, settings: settings)
        let app = try await stage.app("A", "NEWS24")
        var options = SetOptions.Params()
        options.flow = .browser
        options.handleSVC = secure
        _ = app.setOptions(options)
        _ = try await app.getAuthentication(.init())
        let mark = stage.mark
        let invitation = LoginInvitation(url: page, expires: 1_795_566_600_000)
        #expect(try await app.setSelectedProvider(.init(providerID: "M1")) == .browser(invitation))
        return (stage, app, mark)
    }

    nonisolated static let addresses = [
        "adobepass://ios.app", "adbe.abcdEFGH12345678ijklMN://adobe.com", "https://box.example/done?code=1",
    ]

    @Test(arguments: addresses)
    func `the redirect completes the login, once`(_ address: String) async throws {
        var settings = EngineSettings()
        settings.redirectAddresses = ["https://box.example/done"]
        let (stage, app, mark) = try await Self.began(settings)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        let outcome = try await app.handleExternalURL(.init(url: address))
        #expect(outcome == .init(authenticated: true, errorCode: .authenticated))
        #expect(
            stage.lines(since: mark) == [
                "A ← tracking M1,unknown,linux,Linux", "⇄ beginLogin NEWS24 M1", "A ← navigateToUrl \(Self.page)",
                "⇄ pollLogin K7Q2M4X", "A ← setAuthenticationStatus 1 ", "A ← tracking true,M1,md5(u1),false",
            ])
        let again = await #expect(throws: RPCError.self) { try await app.handleExternalURL(.init(url: address)) }
        #expect(again?.name == .flowConflict)
        #expect(stage.engine.nextPoll == nil, "a browser's login is not polled")
    }

    @Test(arguments: ["https://elsewhere.example/", "adbe.short://adobe.com", "adobepass://other.app", "", "://"])
    func `a foreign address changes nothing`(_ address: String) async throws {
        let (stage, app, _) = try await Self.began()
        let mark = stage.mark
        let error = await #expect(throws: RPCError.self) { try await app.handleExternalURL(.init(url: address)) }
        #expect(error?.name == .invalidParams && stage.lines(since: mark).isEmpty)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        #expect(try await app.handleExternalURL(.init(url: "adobepass://ios.app")).authenticated)
    }

    nonisolated static let marked = [
        ("?\u{301}error=x", false), ("?a=1&\u{5AD}b&error=x", true), ("?&error=\u{301}", true),
        ("?a\u{FE0F}&error=#\u{301}", true), ("?a#\u{301}&error=x", false),
    ]

    @Test(arguments: marked)
    func `a combining mark cannot hide a delimiter of the address`(_ query: String, _ isRefusal: Bool) async throws {
        let (stage, app, _) = try await Self.began()
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        let outcome = try await app.handleExternalURL(.init(url: "adobepass://ios.app" + query))
        #expect(outcome.authenticated == !isRefusal)
    }

    @Test func `error= in the address is a refusal, and no request is sent`() async throws {
        let (stage, app, _) = try await Self.began()
        let mark = stage.mark
        let outcome = try await app.handleExternalURL(.init(url: "adobepass://ios.app?x=1&error=access_denied"))
        let words = ViewerWords(.signInRefused)
        #expect(outcome == .init(authenticated: false, errorCode: .genericAuthentication, words: words))
        #expect(
            stage.lines(since: mark) == [
                "A ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR", "A ← tracking false,,,",
            ])
    }

    @Test func `ruling 26: a browser that returns without a login leads to N130, after polls every three seconds`()
        async throws
    {
        let (stage, app, _) = try await Self.began()
        let mark = stage.mark
        let outcome = Task { try await app.handleExternalURL(.init(url: "adobepass://ios.app")) }
        for _ in 1...2 {
            let next = stage.clock.boot.advanced(by: .seconds(3))
            try await stage.clock.settings.wait { $0.contains(next) }
            stage.clock.advance(by: .seconds(3))
        }
        #expect(stage.lines(since: mark).count { $0 == "⇄ pollLogin K7Q2M4X" } >= 2)
        let words = ViewerWords(.codeInvalid)
        let expected = HandleExternalURL.Result(
            authenticated: false, errorCode: .genericAuthentication, words: words)
        #expect(try await outcome.answer == expected)
        #expect(stage.lines(since: mark).contains("A ~ N130"))
    }

    @Test func `§7.5: the secure browser is used if the provider needs it and the app supports it`() async throws {
        var settings = EngineSettings()
        settings.secureBrowserProviders = [Sample.north]
        let (stage, _, mark) = try await Self.began(settings, secure: true)
        #expect(stage.lines(since: mark).contains("A ← navigateToUrl \(Self.page) useSVC"))
        let (other, _, otherMark) = try await Self.began(settings)
        #expect(other.lines(since: otherMark).contains("A ← navigateToUrl \(Self.page)"))
    }

    @Test func `ruling 24, §18: the provider's logout runs in the browser, and its end is reported once, afterwards`()
        async throws
    {
        let stage = try await Stage {
            $0.isLoggedIn("NEWS24")
            $0.logout = .success(.openURL("https://service.test/logout"))
        }
        let app = try await stage.app("A", "NEWS24")
        var options = SetOptions.Params()
        options.flow = .browser
        _ = app.setOptions(options)
        let mark = stage.mark
        let result = try await app.logout()
        #expect(
            result.actions == [.init(provider: "M1", action: .browser, url: "https://service.test/logout")])
        // The login is already erased. The app is told when the browser has returned.
        #expect(stage.vault.contents.profiles.isEmpty)
        let outcome = try await app.handleExternalURL(.init(url: "adobepass://ios.app"))
        #expect(outcome == .init(authenticated: false, errorCode: .userNotAuthenticated))
        #expect(
            stage.lines(since: mark) == [
                "⇄ logout NEWS24 M1", "A ← navigateToUrl https://service.test/logout",
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout", "A ← tracking false,,,",
            ])
    }

    @Test func `a browser that returns after a faster single sign-on causes no conflict`() async throws {
        let (stage, app, _) = try await Self.began()
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        stage.backend.script {
            $0.beginLogin = .success(.alreadyIn(Sample.north, .signOn))
            $0.isLoggedIn("NEWS24")
        }
        try await stage.open(twin)
        try await stage.hear("A ← setAuthenticationStatus 1  reason=sso")
        let mark = stage.mark
        let url = HandleExternalURL.Params(url: "adobepass://ios.app")
        #expect(try await app.handleExternalURL(url) == .init(authenticated: true, errorCode: .authenticated))
        #expect(stage.lines(since: mark).isEmpty, "the app was already told")
        let again = await #expect(throws: RPCError.self) { try await app.handleExternalURL(url) }
        #expect(again?.name == .flowConflict)
    }
}
