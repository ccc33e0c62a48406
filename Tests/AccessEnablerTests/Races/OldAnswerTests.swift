// Tests answers of the service that are older than a logout but arrive after it. They are judged by the state at the
// time of the request, so that an acknowledged logout is not undone.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §9.5, §18; open-questions.md OQ-13") @EngineActor struct OldAnswerTests {
    /// The call for all logins of this requestor. Its answer is held back.
    private static let list = "profiles NEWS24 all"

    @Test func `a list from before a logout does not restore a login when the app's second program starts`()
        async throws
    {
        let stage = try await Stage {
            $0.offersTwoLogins()
            $0.isLoggedIn("NEWS24")
            $0.answersAreOld = true
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.twin("B", of: "A", "NEWS24")
        await stage.rest()
        // A code is on the screen, so that only the logout itself is sent to the service.
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        try await stage.open(app, "M2")
        stage.backend.hold("logout")
        stage.backend.hold(Self.list)
        let logout = Task { try await twin.logout() }
        try await stage.hear("⇄ logout NEWS24 M1")
        let second = stage.connect("C")
        let mark = stage.mark
        let setup = Task { try await second.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ \(Self.list)", since: mark)
        stage.backend.release("logout")
        _ = try await logout.answer
        stage.backend.release(Self.list)
        #expect(try await !setup.answer.authenticated)
        await stage.rest()
        #expect(!app.isIn && !twin.isIn && !second.isIn)
        #expect(stage.vault.contents.profiles.isEmpty)
    }

    @Test func `a list from before a logout does not restore a login when another app's login completes`() async throws
    {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
            $0.answersAreOld = true
        }
        let app = try await stage.app("A", "NEWS24")
        let neighbour = try await stage.app("B", "SUMMIT")
        try await stage.open(neighbour)
        stage.backend.hold("logout")
        let logout = Task { try await app.logout() }
        try await stage.hear("⇄ logout NEWS24 M1")
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        stage.backend.hold(Self.list)
        let mark = stage.mark
        try await stage.poll()
        try await stage.hear("⇄ \(Self.list)", since: mark)
        stage.backend.release("logout")
        _ = try await logout.answer
        stage.backend.release(Self.list)
        await stage.rest()
        #expect(neighbour.isIn && !app.isIn)
        #expect(!stage.has("A ← setAuthenticationStatus 1", since: mark))
    }

    @Test func `a requestor's logout outlasts an older sign-on of another requestor`() async throws {
        var settings = EngineSettings()
        settings.logoutScope = .requestor
        let stage = try await Stage(
            {
                $0.isLoggedIn("NEWS24")
                $0.isLoggedIn("SUMMIT", profile: Sample.profile(Sample.north, .platformSSO))
                $0.answersAreOld = true
            }, settings: settings)
        let app = try await stage.app("A", "NEWS24")
        let neighbour = stage.connect("B")
        stage.backend.hold("profiles SUMMIT all")
        let setup = Task { try await neighbour.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("B")) }
        try await stage.hear("⇄ profiles SUMMIT all")
        // The service hears of the logout, and also ends the sign-on of the other app.
        _ = try await app.logout()
        stage.backend.script { $0.profiles = [:] }
        #expect(stage.engine.logins.tombstones.isEmpty)
        stage.backend.release("profiles SUMMIT all")
        #expect(try await !setup.answer.authenticated)
        #expect(!neighbour.isIn)
    }

    @Test func `a poll from before a logout is repeated`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        let app = try await stage.app("A", "NEWS24")
        let neighbour = try await stage.app("B", "SUMMIT")
        try await stage.open(neighbour)
        stage.backend.script { $0.polls = [.success(.done(Sample.profile())), .success(.gone)] }
        stage.backend.hold("pollLogin")
        try await stage.poll()
        _ = try await app.logout()
        let (mark, alarms) = (stage.mark, stage.clock.settings.elements.count)
        stage.backend.release("pollLogin")
        try await stage.clock.settings.wait(for: alarms + 1)
        #expect(!neighbour.isIn && neighbour.conversation.isOpen)
        try await stage.poll()
        try await stage.hear("B ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR", since: mark)
        #expect(!neighbour.isIn && stage.vault.contents.profiles.isEmpty)
    }

    @Test func `a token of an older layout that is read during a logout is not imported`() async throws {
        let importer = SlowImporter()
        let stage = try await Stage({ $0.isLoggedIn("SUMMIT") }, importer: importer)
        let neighbour = try await stage.app("B", "SUMMIT")
        importer.found = [
            ImportedLogin(
                requestor: nil, provider: Sample.north, expires: ServerTime(milliseconds: 1_803_340_861_000),
                fingerprint: stage.engine.device.rawValue)
        ]
        let app = stage.connect("A")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        while importer.waiting == nil { await EngineActor.turn() }
        _ = try await neighbour.logout()
        // The service cannot be asked, so an imported login would win.
        stage.backend.script { $0.profiles[RequestorID(rawValue: "NEWS24")] = .failure(BackendFault(.unreachable)) }
        importer.goOn()
        _ = try? await setup.answer
        #expect(!app.isIn && stage.vault.contents.profiles.isEmpty)
    }
}

/// An importer that is slow to return what it has read.
@EngineActor private final class SlowImporter: TokenImporter {
    var found: [ImportedLogin] = []
    private(set) var waiting: CheckedContinuation<Void, Never>?

    nonisolated init() {}

    func logins(for requestor: RequestorID) async -> [ImportedLogin] {
        guard !found.isEmpty else { return [] }
        let read = found
        await withCheckedContinuation { waiting = $0 }
        return read
    }

    func forget(_ requestors: Set<RequestorID>?) async -> Bool {
        found = []
        return true
    }

    func goOn() {
        waiting?.resume()
        waiting = nil
    }
}
