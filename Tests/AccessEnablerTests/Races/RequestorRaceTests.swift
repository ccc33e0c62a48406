// Tests `setRequestor` while other calls wait, and while the session's own requests are pending.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §6, §6.2") @EngineActor struct RequestorRaceTests {
    private static func set(_ app: Session, _ requestor: String) async throws -> SetRequestor.Result {
        try await app.setRequestor(.init(requestorID: requestor), Stage.grant("A"))
    }

    @Test func `after three setRequestor calls in a row, the last requestor is set`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = stage.connect("A")
        stage.backend.hold("prepare")
        let first = Task { try await Self.set(app, "NEWS24") }
        try await stage.hear("⇄ prepare NEWS24")
        let second = Task { try await Self.set(app, "SUMMIT") }
        await stage.rest()
        let third = Task { try await Self.set(app, "NEWS24") }
        await stage.rest()
        stage.backend.release("prepare")
        _ = try await first.answer
        _ = try await second.answer
        #expect(try await third.answer.requestorID == "NEWS24")
        #expect(app.requestor?.rawValue == "NEWS24")
    }

    @Test func `a flow whose requestor is lost does not stay open for ever`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        try await stage.open(app)
        stage.backend.script {
            $0.prepare = .failure(BackendFault(.registrationRefused("unapproved_software_statement")))
        }
        await #expect(throws: RPCError.self) { try await Self.set(app, "NEWS24") }
        #expect(stage.engine.openLoginKeys.isEmpty && !app.conversation.isOpen)
        stage.backend.script { $0.prepare = .success(()) }
        _ = try await Self.set(app, "NEWS24")
        _ = try await app.getAuthentication(.init())
    }

    @Test func `a code that arrives after a change of the requestor is dropped`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("beginLogin")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        _ = try await Self.set(app, "SUMMIT")
        let mark = stage.mark
        stage.backend.release("beginLogin")
        _ = try? await choice.answer
        try await stage.hear("⇄ abandonLogin K7Q2M4X")
        #expect(stage.lines(since: mark).filter { $0.hasPrefix("A") }.isEmpty)
        #expect(stage.engine.openLoginKeys.isEmpty && !app.conversation.isOpen)
        _ = try await app.getAuthentication(.init())
    }

    @Test func `a login of the former requestor is not reported as a login of the current requestor`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.beginLogin = .success(.alreadyIn(Sample.north, .signOn))
        }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        _ = try await app.getAuthentication(.init())
        stage.backend.hold("profiles NEWS24 M1")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("⇄ profiles NEWS24 M1")
        _ = try await Self.set(app, "SUMMIT")
        let mark = stage.mark
        stage.backend.release("profiles NEWS24 M1")
        _ = try? await choice.answer
        await stage.rest()
        #expect(!stage.has("A", since: mark))
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
    }

    @Test func `a provider on the former requestor's list is not accepted for the current requestor`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.hold("providers")
        let list = Task { try await app.listProviders(.init()) }
        try await stage.hear("⇄ providers NEWS24")
        _ = try await Self.set(app, "SUMMIT")
        stage.backend.release("providers")
        #expect(try await list.answer.providers.map(\.id) == ["M1", "M2"])
        stage.backend.script { $0.providers = .success([Sample.providers[1]]) }
        let error = await #expect(throws: RPCError.self) {
            try await app.setSelectedProvider(.init(providerID: "M1"))
        }
        #expect(error?.name == .invalidParams)
    }

    @Test func `a choice waits for an earlier setRequestor, and applies to the new requestor`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.hold("prepare")
        let next = Task { try await Self.set(app, "SUMMIT") }
        try await stage.hear("⇄ prepare SUMMIT")
        let choice = Task { try await app.setSelectedProvider(.init(providerID: "M1")) }
        await stage.rest()
        stage.backend.release("prepare")
        _ = try await next.answer
        #expect(try await choice.answer == .selected)
        #expect(app.requestor?.rawValue == "SUMMIT" && app.conversation.ownChoice?.id == Sample.north)
    }

    @Test func `a session that closes during its setup leaves no call waiting`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = stage.connect("A")
        stage.backend.hold("prepare")
        let setup = Task { try await Self.set(app, "NEWS24") }
        try await stage.hear("⇄ prepare NEWS24")
        let waiting = (0..<3).map { _ in Task { try await app.checkAuthentication() } }
        let next = Task { try await Self.set(app, "SUMMIT") }
        await stage.rest()
        await app.close()
        for task in waiting { await #expect(throws: RPCError.self) { try await task.answer } }
        stage.backend.release("prepare")
        await #expect(throws: RPCError.self) { try await setup.answer }
        await #expect(throws: RPCError.self) { try await next.answer }
        #expect(stage.engine.audience.sessions.isEmpty && app.requestor == nil)
    }

    @Test func `a logout takes effect while the service is asked about logins`() async throws {
        let stage = try await Stage {
            $0.isLoggedIn("NEWS24")
            $0.answersAreOld = true
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = stage.connect("B")
        let mark = stage.mark
        stage.backend.hold("profiles NEWS24 M1")
        let setup = Task { try await Self.set(twin, "NEWS24") }
        try await stage.hear("⇄ profiles NEWS24 M1", since: mark)
        _ = try await app.logout()
        stage.backend.release("profiles NEWS24 M1")
        #expect(try await setup.value.authenticated, "memory answered before the logout")
        await stage.rest()
        #expect(!app.isIn && stage.vault.contents.profiles.isEmpty)
    }

    @Test func `§6.2: a logout that waits for the setup keeps its place among the waiting calls`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = stage.connect("A")
        stage.backend.hold("prepare")
        stage.backend.hold("logout")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ prepare NEWS24")
        let before = Task { try await app.checkAuthentication() }
        await stage.rest()
        let logout = Task { try await app.logout() }
        await stage.rest()
        let behind = Task { try await app.checkAuthentication() }
        await stage.rest()
        stage.backend.release("prepare")
        #expect(try await setup.answer.authenticated)
        #expect(try await before.answer != .notAuthenticated(.userNotAuthenticated))
        // The service has not answered yet.
        #expect(try await behind.answer == .notAuthenticated(.userNotAuthenticated))
        stage.backend.release("logout")
        _ = try await logout.answer
    }
}
