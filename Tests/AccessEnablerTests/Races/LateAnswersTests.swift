// Tests answers that come too late, after another choice, a cancel or the end of the code.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §7.2, §7.4, §7.7") @EngineActor struct LateAnswersTests {
    @Test func `a code for the previous choice of provider is not shown for the current choice`() async throws {
        let stage = try await Stage { $0.offersTwoLogins() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("beginLogin")
        let first = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        let second = Task { try await app.setSelectedProvider(.init(providerID: "M2")) }
        try await stage.hear("A ← tracking M2,unknown,linux,Linux")
        stage.backend.release("beginLogin")
        _ = try? await first.answer
        #expect(try await second.answer == .secondScreen(Sample.login("K2BBBBB", Sample.alpen).invitation))
        #expect(stage.engine.openLogins.pollers.values.map(\.login.provider) == [Sample.alpen])
        #expect(!stage.has("A ~ REGCODE K1", since: 0))
        try await stage.hear("⇄ abandonLogin K1AAAAA")
    }

    @Test func `the late failure of a cancelled login does not end the open login`() async throws {
        let stage = try await Stage {
            $0.offersTwoLogins()
            $0.beginLoginAt[Sample.north] = .failure(BackendFault(.serverError(503)))
        }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("beginLogin NEWS24 M1")
        let first = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        let second = Task { try await app.setSelectedProvider(.init(providerID: "M2")) }
        try await stage.hear("A ← tracking M2,unknown,linux,Linux")
        let mark = stage.mark
        stage.backend.release("beginLogin NEWS24 M1")
        _ = try? await first.answer
        #expect(try await second.answer == .secondScreen(Sample.login("K2BBBBB", Sample.alpen).invitation))
        #expect(stage.engine.openLoginKeys.count == 1)
        #expect(!stage.has("A ← setAuthenticationStatus 0", since: mark))
    }

    @Test func `the late failure of a list does not end the login`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.listProviders(.init())
        stage.backend.hold("providers")
        let mark = stage.mark
        let first = Task { try await app.getAuthentication(.init()) }
        try await stage.hear("⇄ providers NEWS24", since: mark)
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        #expect(stage.engine.openLoginKeys.count == 1)
        stage.backend.script { $0.providers = .failure(BackendFault(.serverError(503))) }
        stage.backend.release("providers")
        _ = try? await first.answer
        #expect(stage.engine.openLoginKeys.count == 1)
        #expect(!stage.has("A ← setAuthenticationStatus 0", since: mark))
    }

    @Test func `a choice takes effect for the very next call`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.listProviders(.init())
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        let question = Task { try await app.getAuthentication(.init()) }
        try await stage.writing(after: count)
        await stage.rest()
        stage.vault.release()
        #expect(try await choice.answer == .selected)
        #expect(try await question.answer == .secondScreen(Sample.login().invitation))
    }

    @Test func `a cancelled choice is answered as cancelled, and its code is dropped`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("beginLogin")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        stage.backend.release("beginLogin")
        #expect(try await choice.answer == .cancelled)
        #expect(stage.engine.openLoginKeys.isEmpty && stage.vault.contents.openLogins.isEmpty)
        try await stage.hear("⇄ abandonLogin K7Q2M4X")
        #expect(!stage.has("A ~ REGCODE", since: 0))
    }

    @Test func `a browser login ends when its code ends`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        app.setStyle(.browser)
        try await stage.open(app)
        stage.clock.advance(by: .seconds(3600))
        try await stage.hear("A ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR")
        #expect(!app.conversation.isOpen)
        _ = try await app.getAuthentication(.init())
    }

    @Test func `a cancel while the list is requested prevents the list`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.hold("providers")
        let question = Task { try await app.getAuthentication(.init()) }
        try await stage.hear("⇄ providers NEWS24")
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        stage.backend.release("providers")
        _ = try? await question.answer
        #expect(!stage.has("A ← displayProviderDialog", since: 0))
        #expect(!app.conversation.isOpen)
    }

    @Test func `a cancel while a browser login completes prevents the login`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        app.setStyle(.browser)
        try await stage.open(app)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        stage.backend.hold("pollLogin")
        let end = Task { try await app.handleExternalURL(.init(url: "adobepass://ios.app")) }
        try await stage.hear("⇄ pollLogin K7Q2M4X")
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        stage.backend.release("pollLogin")
        _ = try? await end.answer
        await stage.rest()
        #expect(!app.isIn && !stage.has("A ← setAuthenticationStatus 1", since: 0))
    }

    nonisolated static let dates: [(begins: Int64, ends: Int64)] = [
        (1_795_564_800_000, 99_999_999_999_999), (0, .max), (.min, .max), (.max, .min), (.max, .max), (.min, .min),
    ]

    @Test(arguments: dates)
    func `extreme dates of the service do no harm`(_ begins: Int64, _ ends: Int64) async throws {
        for style in [LoginStyle.secondScreen, .browser] {
            let stage = try await Stage {
                $0.offersLogin()
                var login = Sample.login()
                login.notBefore = ServerTime(milliseconds: begins)
                login.notAfter = ServerTime(milliseconds: ends)
                $0.beginLogin = .success(.showCode(login))
            }
            let app = try await stage.app("A", "NEWS24")
            app.setStyle(style)
            try await stage.open(app)
            _ = try await app.setSelectedProvider(.init(providerID: nil))
            #expect(stage.engine.openLoginKeys.isEmpty)
        }
    }
}

extension Session {
    fileprivate func setStyle(_ style: LoginStyle) {
        var options = SetOptions.Params()
        options.flow = style == .browser ? .browser : .secondScreen
        _ = setOptions(options)
    }
}
