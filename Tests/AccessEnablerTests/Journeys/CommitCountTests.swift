// Counts the commits for each action of a viewer. A commit waits for the disk, and wears out flash memory.
// `Benchmarks/budgets.txt` has the resulting syncs.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("decision 10: related changes are one commit") @EngineActor struct CommitCountTests {
    private let vault = FakeVault()

    private var commits: Int { vault.attempts.elements.count }

    @Test func `a code takes one commit, a login one, and a logout of all apps one`() async throws {
        let stage = try await Stage(vault: vault) { $0.offersLogin() }
        var before = commits
        let app = try await stage.app("A", "NEWS24")
        let other = try await stage.app("B", "SUMMIT")
        await stage.rest()
        #expect(commits == before, "nobody is signed in")
        try await stage.open(app)
        #expect(commits == before + 1)
        before = commits
        stage.backend.script {
            $0.polls = [.success(.done(Sample.profile()))]
            $0.isLoggedIn("NEWS24")
        }
        try await stage.poll()
        try await stage.hear("A ← setAuthenticationStatus 1 ")
        await stage.rest()
        #expect(app.isIn && !other.isIn && commits == before + 1)

        stage.backend.script { $0.isLoggedIn("SUMMIT", profile: Sample.profile(Sample.north, .platformSSO)) }
        try await stage.setAgain(other, "SUMMIT", as: "B")
        #expect(other.isIn && vault.contents.profiles.count == 2)
        before = commits
        stage.backend.script { $0.profiles = [:] }
        _ = try await app.logout()
        try await stage.until { $0.tombstones.isEmpty }
        await stage.rest()
        #expect(commits == before + 1 && vault.contents.profiles.isEmpty)
        // Until another change is written, a restart would report the logouts once more.
        #expect(vault.contents.tombstones.count == 2)
        try await stage.open(app)
        #expect(commits == before + 2 && vault.contents.tombstones.isEmpty)
    }

    @Test func `a login in the app's own browser takes one commit`() async throws {
        let stage = try await Stage(vault: vault) {
            $0.offersLogin()
            $0.beginLogin = .success(.openURL(Sample.login()))
            $0.polls = [.success(.done(Sample.profile()))]
        }
        let app = try await stage.app("A", "NEWS24")
        var options = SetOptions.Params()
        options.flow = .browser
        _ = app.setOptions(options)
        let before = commits
        try await stage.open(app)
        _ = try await app.handleExternalURL(.init(url: "adobepass://ios.app"))
        await stage.rest()
        #expect(app.isIn && commits == before + 1)
    }
}
