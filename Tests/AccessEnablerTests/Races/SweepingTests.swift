// Tests logouts that are not yet reported to the service, and logins in between.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §18; rest-v2.md §14; open-questions.md OQ-9, OQ-13") @EngineActor struct SweepingTests {
    /// A shows a code of M2 while the login with M1 is kept but not used; B logs out. The service answers the logout
    /// with `logout`.
    private static func codeAndLogout(
        _ logout: Result<LogoutStep, BackendFault>, holding: Bool = false
    ) async throws -> (Stage, Session, Session) {
        let stage = try await Stage {
            $0.offersTwoLogins()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        await stage.rest()
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        try await stage.open(app, "M2")
        stage.backend.script { $0.logout = logout }
        return (stage, app, twin)
    }

    @Test func `no owed logout is sent while a code is open, but afterwards it is`() async throws {
        let (stage, app, twin) = try await Self.codeAndLogout(.failure(BackendFault(.unreachable)))
        let alarms = stage.clock.settings.elements.count
        _ = try await twin.logout()
        #expect(stage.vault.contents.tombstones.count == 1 && stage.engine.openLoginKeys.count == 1)
        // The retries pause.
        try await stage.clock.settings.wait(for: alarms + 1)
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        for _ in 0..<8 {
            let count = stage.clock.settings.elements.count
            try await stage.poll("K2BBBBB")
            // This is the next alarm of the poller, not an alarm of the retries.
            let next = stage.clock.boot.advanced(by: PollSchedule.interval * 1.05)
            try await stage.clock.settings.wait { $0.dropFirst(count).contains(next) }
        }
        await stage.rest()
        #expect(!stage.has("⇄ logout", since: mark))
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        stage.clock.advance(by: .seconds(120))
        try await stage.hear("⇄ logout NEWS24 M1", since: mark)
        try await stage.until { $0.tombstones.isEmpty }
    }

    @Test func `an older logout's late answer does not remove the tombstone of a newer logout`() async throws {
        let (stage, app, twin) = try await Self.codeAndLogout(.success(.finished))
        stage.backend.hold("logout")
        let older = Task { try await twin.logout() }
        try await stage.hear("⇄ logout NEWS24 M1")
        // The viewer uses the code, but at the provider of the former login.
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        var mark = stage.mark
        try await stage.poll("K2BBBBB")
        try await stage.hear("A ← setAuthenticationStatus 1 ", since: mark)
        #expect(app.isIn && stage.vault.contents.tombstones.isEmpty)
        mark = stage.mark
        stage.backend.hold("logout NEWS24 M1")
        let newer = Task { try await app.logout() }
        try await stage.hear("⇄ logout NEWS24 M1", since: mark)
        #expect(stage.vault.contents.tombstones.count == 1)
        stage.backend.release("logout")
        _ = try await older.answer
        stage.backend.script { $0.logout = .failure(BackendFault(.unreachable)) }
        stage.backend.release("logout NEWS24 M1")
        _ = try await newer.answer
        #expect(stage.vault.contents.tombstones.count == 1)
    }

    @Test func `a login that waits for a logout joins the pending report, and continues after it`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        stage.backend.hold("logout")
        let logout = Task { try await app.logout() }
        try await stage.hear("⇄ logout NEWS24 M1")
        _ = try await twin.getAuthentication(.init())
        let login = Task { try await twin.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("B ← tracking M1,unknown,linux,Linux")
        await stage.rest()
        #expect(!stage.has("⇄ beginLogin", since: 0))
        stage.backend.release("logout")
        _ = try await logout.answer
        #expect(try await login.answer == .secondScreen(Sample.login().invitation))
        #expect(stage.lines().filter { $0.hasPrefix("⇄ logout") }.count == 1)
    }

    @Test func `a cancel while a login waits for the report of a logout prevents the code`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        stage.backend.hold("logout")
        let logout = Task { try await app.logout() }
        try await stage.hear("⇄ logout NEWS24 M1")
        _ = try await twin.getAuthentication(.init())
        let login = Task { try await twin.setSelectedProvider(.init(providerID: "M1")) }
        try await stage.hear("B ← tracking M1,unknown,linux,Linux")
        _ = try await twin.setSelectedProvider(.init(providerID: nil))
        stage.backend.release("logout")
        _ = try await logout.answer
        #expect(try await login.answer == .cancelled)
        #expect(!stage.has("⇄ beginLogin", since: 0))
    }
}
