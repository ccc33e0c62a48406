// Tests logins that begin or end while the service decides. A decision belongs to the login at the time of the request.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §13, §13.3, §14.1; rest-v2.md §8") @EngineActor struct AuthorizationRaceTests {
    private static func signedIn(
        _ authorize: @escaping @Sendable (ResourceID) -> Result<ServiceDecision, BackendFault>
    ) async throws -> (Stage, Session, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
            $0.authorize = authorize
        }
        let app = try await stage.app("A", "NEWS24")
        return (stage, app, try await stage.twin("B", of: "A", "NEWS24"))
    }

    @Test func `a late denial for the former login does not end the new one`() async throws {
        let (stage, app, twin) = try await Self.signedIn { .success(Sample.noLogin($0)) }
        stage.backend.hold("authorize")
        let play = Task { try await app.getAuthorization(.init(resource: "film")) }
        try await stage.hear("⇄ authorize film")
        _ = try await twin.logout()
        try await stage.logIn(twin, "B", Sample.profile(ends: 1_803_340_899_000))
        let mark = stage.mark
        stage.backend.release("authorize")
        let answer = try await play.answer
        #expect(
            answer
                == .answered(
                    .init(
                        resource: "film", outcome: .refused(.userNotAuthenticated, source: nil, nil), saying: .tryLater)
                ))
        #expect(twin.isIn && !stage.has("B ← setAuthenticationStatus 0", since: mark))
    }

    @Test func `sessions that share the login are told that the service ended it`() async throws {
        let (stage, app, twin) = try await Self.signedIn { .success(Sample.noLogin($0)) }
        let mark = stage.mark
        _ = try await app.checkAuthorization(.init(resource: "film"))
        #expect(!twin.isIn)
        #expect(
            stage.lines(since: mark).filter { $0.hasPrefix("B") }
                == ["B ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked"])
    }

    @Test func `a play during the revocation of its login leads to the picker`() async throws {
        let (stage, app, twin) = try await Self.signedIn { .success(Sample.permit($0)) }
        stage.backend.script { $0.lapsed = [RequestorID(rawValue: "NEWS24")] }
        stage.vault.hold()
        let count = stage.vault.attempts.elements.count
        let first = Task { try await app.checkAuthorization(.init(resource: "film")) }
        try await stage.writing(after: count)
        stage.backend.hold("providers")
        let play = Task { try await twin.getAuthorization(.init(resource: "film")) }
        try await stage.hear("⇄ providers NEWS24")
        stage.vault.release()
        _ = try await first.answer
        try await stage.hear("B ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked")
        stage.backend.release("providers")
        guard case .pending(_, let login) = try await play.answer else {
            Issue.record("no login begins")
            return
        }
        #expect(login.state == .selectProvider && stage.outcomes.isEmpty)
    }

    @Test func `no token is sent after the logout`() async throws {
        let (stage, app, twin) = try await Self.signedIn { .success(Sample.permit($0)) }
        for session in [app, twin] {
            _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
            stage.backend.script { $0.isLoggedIn("NEWS24") }
            let mark = stage.mark
            stage.backend.hold("authorize")
            let play = Task { try await app.getAuthorization(.init(resource: "film")) }
            if app.isIn { try await stage.hear("⇄ authorize film", since: mark) }
            _ = try await session.logout()
            stage.backend.release("authorize")
            _ = try? await play.answer
            #expect(!stage.has("A ← setToken", since: mark))
        }
    }

    @Test func `a network failure is not reported as a missing subscription`() async throws {
        let (stage, app, _) = try await Self.signedIn { _ in .failure(BackendFault(.unreachable)) }
        let mark = stage.mark
        await #expect(throws: RPCError.self) { try await app.checkAuthorization(.init(resource: "film")) }
        #expect(stage.lines(since: mark).contains("A ← tokenRequestFailed film GENERIC_AUTHORIZATION_ERROR ''"))
        #expect(app.isIn)
    }

    @Test func `hints for one viewer are not kept for the next viewer`() async throws {
        let (stage, app, _) = try await Self.signedIn { .success(Sample.permit($0)) }
        stage.backend.hold("preauthorize")
        let menu = Task { try await app.checkPreauthorizedResources(.init(resources: ["r1"])) }
        try await stage.hear("⇄ preauthorize r1")
        _ = try await app.logout()
        try await stage.logIn(app, "A", Sample.other)
        stage.backend.release("preauthorize")
        _ = try? await menu.answer
        let mark = stage.mark
        _ = try await app.checkPreauthorizedResources(.init(resources: ["r1"]))
        #expect(stage.lines(since: mark).contains("⇄ preauthorize r1"))
    }

    @Test func `a menu during another app's logout is answered as if no viewer is signed in`() async throws {
        let (stage, app, twin) = try await Self.signedIn { .success(Sample.permit($0)) }
        stage.backend.hold("preauthorize")
        let menu = Task { try await app.checkPreauthorizedResources(.init(resources: ["r1"])) }
        let decisions = Task { try await app.preauthorize(.init(resources: ["r2"])) }
        try await stage.hear("⇄ preauthorize r1")
        try await stage.hear("⇄ preauthorize r2")
        let mark = stage.mark
        _ = try await twin.logout()
        stage.backend.release("preauthorize")
        #expect(try await menu.answer.resources.isEmpty)
        let answer = try await decisions.answer
        #expect(answer.decisions.isEmpty && answer.status?.code == "authentication_session_missing")
        #expect(!stage.lines(since: mark).contains { $0.contains("P100") })
    }

    @Test func `hints of a viewer are not kept after another viewer's login elsewhere`() async throws {
        let (stage, app, _) = try await Self.signedIn { .success(Sample.permit($0)) }
        _ = try await app.checkPreauthorizedResources(.init(resources: ["r1"]))
        stage.backend.script { $0.isLoggedIn("NEWS24", profile: Sample.other) }
        try await stage.setAgain(app)
        let mark = stage.mark
        _ = try await app.checkPreauthorizedResources(.init(resources: ["r1"]))
        #expect(stage.lines(since: mark).contains("⇄ preauthorize r1"))
    }

    @Test func `an authorization that waits for a login continues after another app's login`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.authorize = { .success(Sample.permit($0)) }
        }
        let neighbour = try await stage.app("B", "SUMMIT")
        let app = try await stage.app("A", "NEWS24")
        let pending = try await neighbour.getAuthorization(.init(resource: "film"))
        guard case .pending = pending else { throw RPCError.requestorNotSet() }
        stage.backend.script { $0.isLoggedIn("NEWS24", "SUMMIT") }
        let mark = stage.mark
        try await stage.logIn(app, "A")
        try await stage.hear("B ← setAuthenticationStatus 1  reason=sso", since: mark)
        try await stage.hear("B ← setToken t1 film", since: mark)
        #expect(!neighbour.conversation.isOpen)
    }
}
