// Tests restarts of the daemon during work, and a disk that accepts no changes for a while.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §7.7a, §9; rest-v2.md §7") @EngineActor struct RestartTests {
    /// A stage whose daemon is restarted while a code is open.
    private static func restarted(clock: VirtualClock = VirtualClock()) async throws -> Stage {
        let former = try await Stage { $0.offersLogin() }
        try await former.open(try await former.app("A", "NEWS24"))
        former.engine.stop()
        return try await Stage(vault: former.vault, clock: clock, { $0.offersLogin() })
    }

    @Test func `a logout ends a login that was open before the restart`() async throws {
        let stage = try await Self.restarted()
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.logout()
        #expect(stage.engine.openLoginKeys.isEmpty && stage.vault.contents.openLogins.isEmpty)
    }

    @Test func `a cancel ends a login that was open before the restart`() async throws {
        let stage = try await Self.restarted()
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        #expect(stage.engine.openLoginKeys.isEmpty && stage.vault.contents.openLogins.isEmpty)
    }

    @Test func `after the restart an open login is shown again, not started again`() async throws {
        let stage = try await Self.restarted()
        let app = try await stage.app("A", "NEWS24")
        #expect(try await app.getAuthentication(.init()) == .secondScreen(Sample.login().invitation))
        #expect(!stage.has("⇄ beginLogin", since: 0))
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ")
    }

    @Test func `ruling 54: the provider's name survives the restart`() async throws {
        let stage = try await Self.restarted()
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.until { !$0.profiles.isEmpty }
        #expect(stage.engine.signedInWith == ["North"])
        let app = try await stage.app("A", "NEWS24")
        #expect(app.signedInWith?.name == "North")
    }

    @Test func `ruling 54: a session that shows the code again has the code's provider`() async throws {
        let stage = try await Self.restarted()
        let app = try await stage.app("A", "NEWS24")
        let other = try await stage.app("B", "NEWS24")
        _ = try await app.getAuthentication(.init())
        let selected = try app.getSelectedProvider()
        #expect(selected.provider?.displayName == "North" && selected.state == .notAuthenticated)
        // The choice belongs to the session that shows the code, not to the requestor. Ruling 35.
        #expect(try other.getSelectedProvider().provider == nil)
    }

    @Test func `a code that has expired by the service's date is dropped, even if the service does not report that`()
        async throws
    {
        // The service does not report the end of the code. REST V1 behaves so, because it is polled about the device.
        // Contract: rest-v1.md §7, rest-v2.md §19 item 10.
        let stage = try await Self.restarted()
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        stage.engine.learn(Sample.login().notAfter.advanced(by: .seconds(-2)))
        try await stage.poll()
        try await stage.hear("A ~ N130")
        #expect(stage.engine.openLoginKeys.isEmpty && stage.vault.contents.openLogins.isEmpty)
    }

    nonisolated static let hours: [Int64] = [-20 * 365 * 24, -1, 1, 20 * 365 * 24]

    @Test(arguments: hours)
    func `a box with a wrong date keeps the open login across a restart`(_ hours: Int64) async throws {
        let stage = try await Self.restarted(clock: VirtualClock(date: 1_795_564_800_000 + hours * 3_600_000))
        stage.backend.script { $0.polls = [.success(.pending), .success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.settled()
        #expect(stage.engine.openLoginKeys.count == 1 && stage.vault.contents.openLogins.count == 1)
        try await stage.poll()
        try await stage.vault.commits.wait { _ in stage.vault.contents.profiles.count == 1 }
    }

    @Test(arguments: [false, true])
    func `changes that the vault could not write are saved when the disk has room again`(_ isEnding: Bool) async throws
    {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.vault.breakDown(VaultFault(.full, "no room"))
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(app.isIn && stage.vault.contents.profiles.isEmpty && stage.engine.unsavedChanges > 0)
        stage.vault.breakDown(nil)
        if isEnding {
            stage.engine.stop()
            await stage.engine.flush()
        } else {
            stage.clock.advance(by: .seconds(30))
        }
        try await stage.vault.commits.wait { _ in stage.vault.contents.profiles.count == 1 }
        #expect(stage.vault.contents.selections.count == 1)
    }

    @Test func `if a code ends while the daemon stops, its outcome is found after the restart`() async throws {
        let former = try await Stage { $0.offersLogin() }
        try await former.open(try await former.app("A", "NEWS24"))
        former.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        former.backend.hold("pollLogin")
        try await former.poll()
        former.engine.stop()
        former.backend.release("pollLogin")
        await former.rest()
        #expect(former.vault.contents.openLogins.count == 1 && former.vault.contents.profiles.isEmpty)
        let stage = try await Stage(vault: former.vault) {
            $0.polls = [.success(.done(Sample.profile()))]
        }
        try await stage.poll()
        try await stage.vault.commits.wait { _ in stage.vault.contents.profiles.count == 1 }
        #expect(stage.vault.contents.openLogins.isEmpty)
    }
}
