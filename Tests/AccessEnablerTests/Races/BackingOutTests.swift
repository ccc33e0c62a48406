// Tests a viewer who cancels, or an app that closes, while the engine waits for the service, its turn or the disk.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §7.4; rpc.md §3, §4") @EngineActor struct BackingOutTests {
    /// The service admits the viewer without a code.
    private static func knownViewer() async throws -> (Stage, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            $0.beginLogin = .success(.alreadyIn(Sample.north, .signOn))
        }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        _ = try await app.getAuthentication(.init())
        return (stage, app)
    }

    @Test func `a cancel takes effect while a known viewer's login is being fetched`() async throws {
        let (stage, app) = try await Self.knownViewer()
        stage.backend.hold("profiles NEWS24 M1")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ profiles NEWS24 M1")
        let mark = stage.mark
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        stage.backend.release("profiles NEWS24 M1")
        #expect(try await choice.answer == .cancelled)
        await stage.rest()
        #expect(!app.isIn)
        #expect(
            stage.lines(since: mark) == [
                "A ← setAuthenticationStatus 0 PROVIDER_NOT_SELECTED_ERROR", "A ~ N005", "A ← tracking false,,,",
            ])
        #expect(stage.outcomes.map(\.kind) == [.cancelled])
    }

    @Test func `a cancel takes effect while the login is being stored`() async throws {
        let (stage, app) = try await Self.knownViewer()
        stage.backend.hold("profiles NEWS24 M1")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ profiles NEWS24 M1")
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        stage.backend.release("profiles NEWS24 M1")
        try await stage.writing(after: count)
        let cancel = Task { try await app.setSelectedProvider(.init(providerID: nil)) }
        try await stage.until { $0.selections.isEmpty }
        stage.vault.release()
        _ = try await cancel.answer
        #expect(try await choice.answer == .cancelled)
        await stage.rest()
        #expect(!app.isIn && !stage.has("A ← setAuthenticationStatus 1", since: 0))
    }

    @Test func `a session that closes while its login is being fetched leaves nothing open`() async throws {
        let (stage, app) = try await Self.knownViewer()
        stage.backend.hold("profiles NEWS24 M1")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ profiles NEWS24 M1")
        await app.close()
        let mark = stage.mark
        stage.backend.release("profiles NEWS24 M1")
        _ = try? await choice.answer
        await stage.rest()
        #expect(stage.lines(since: mark).isEmpty && stage.engine.openLoginKeys.isEmpty)
    }

    @Test func `a code for a closed session is dropped`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("beginLogin")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        await app.close()
        stage.backend.release("beginLogin")
        _ = try? await choice.answer
        try await stage.hear("⇄ abandonLogin K7Q2M4X")
        #expect(stage.engine.openLoginKeys.isEmpty && stage.vault.contents.openLogins.isEmpty)
        #expect(stage.engine.audience.sessions.isEmpty)
    }

    @Test func `no code is requested after a cancel of the choice`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let (app, twin) = (try await stage.app("A", "NEWS24"), stage.connect("B"))
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        for session in [app, twin] { _ = try await session.getAuthentication(.init()) }
        // The first session's request delays the second session's.
        stage.backend.hold("beginLogin")
        let first = Task { try await twin.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M2")) }
        await stage.rest()
        let cancel = Task { try await app.setSelectedProvider(.init(providerID: nil)) }
        #expect(try await cancel.answer == .cancelled)
        stage.backend.release("beginLogin")
        #expect(try await choice.answer == .cancelled)
        _ = try await first.answer
        #expect(!stage.has("⇄ beginLogin NEWS24 M2", since: 0))
        #expect(stage.vault.contents.selections.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a session that closes or cancels while it waits for a code ends no other code`(_ closes: Bool) async throws {
        let stage = try await Stage { $0.offersTwoLogins() }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await twin.getAuthentication(.init())
        stage.backend.hold("beginLogin")
        let shown = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        let given = Task { try await twin.setSelectedProvider(.init(providerID: "M2")) }
        try await stage.hear("B ← tracking M2,unknown,linux,Linux")
        if closes { await twin.close() } else { _ = try await twin.setSelectedProvider(.init(providerID: nil)) }
        stage.backend.release("beginLogin")
        #expect(try await shown.answer == .secondScreen(Sample.login("K1AAAAA").invitation))
        _ = try? await given.answer
        await stage.rest()
        #expect(!stage.has("⇄ beginLogin NEWS24 M2", since: 0))
        #expect(stage.engine.openLoginKeys.count == 1 && app.conversation.openLogin?.code.rawValue == "K1AAAAA")
    }

    @Test func `a cancel does not wait for the service, and ends no login that begins afterwards`() async throws {
        let stage = try await Stage { $0.offersTwoLogins() }
        let app = try await stage.app("A", "NEWS24")
        try await stage.open(app, "M1")
        stage.backend.hold("abandonLogin")
        let cancel = Task { try await app.setSelectedProvider(.init(providerID: nil)) }
        #expect(try await cancel.answer == .cancelled)
        try await stage.open(app, "M2")
        let mark = stage.mark
        stage.backend.release("abandonLogin")
        await stage.rest()
        #expect(stage.lines(since: mark).filter { $0.hasPrefix("A") }.isEmpty)
        #expect(stage.engine.openLoginKeys.count == 1 && app.conversation.openLogin?.code.rawValue == "K2BBBBB")
    }

    @Test func `calls right after a cancel are not undone by the cancel`() async throws {
        let stage = try await Stage { $0.offersTwoLogins() }
        let app = try await stage.app("A", "NEWS24")
        try await stage.open(app, "M1")
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        let cancel = Task { try await app.setSelectedProvider(.init(providerID: nil)) }
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M2")) }
        let question = Task { try await app.getAuthentication(.init()) }
        try await stage.writing(after: count)
        await stage.rest()
        stage.vault.release()
        #expect(try await cancel.answer == .cancelled)
        #expect(try await choice.answer == .selected)
        #expect(try await question.answer == .secondScreen(Sample.login("K2BBBBB", Sample.alpen).invitation))
        #expect(app.conversation.ownChoice?.id == Sample.alpen)
    }
}
