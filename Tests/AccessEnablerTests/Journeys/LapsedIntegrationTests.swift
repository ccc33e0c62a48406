// Tests what becomes of a login when its requestor no longer works with the provider.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rest-v2.md §9, ruling 31: a lapsed integration") @EngineActor struct LapsedIntegrationTests {
    private static let news = RequestorID(rawValue: "NEWS24")

    private static func bothIn() async throws -> (Stage, Session, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24", "SUMMIT")
        }
        return (stage, try await stage.app("A", "NEWS24"), try await stage.app("B", "SUMMIT"))
    }

    @Test func `a play ends the login of this requestor alone, says why, and the viewer chooses again`() async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        let twin = try await stage.app("C", "NEWS24")
        stage.backend.script { $0.lapsed = [Self.news] }
        let mark = stage.mark
        let answer = try await app.getAuthorization(.init(resource: "film"))
        guard case .answered(let decision) = answer else {
            Issue.record("a login begins")
            return
        }
        guard case .refused(.userNotAuthenticated, _, _) = decision.outcome else {
            Issue.record("\(decision.outcome)")
            return
        }
        for name in ["A", "C"] {
            try await stage.hear(
                "\(name) ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked", since: mark)
        }
        #expect(!app.isIn && !twin.isIn && neighbour.isIn)
        #expect(stage.engine.memory.contents.selections[Self.news] == nil)
        let next = try await app.getAuthentication(.init())
        #expect(next.state == .selectProvider)
        let late = try await stage.app("D", "NEWS24")
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("C"))
        #expect(!late.isIn && !twin.isIn && !app.isIn, "the service's list of all logins still names it")
        #expect(try await late.getAuthentication(.init()).state == .selectProvider)
        stage.backend.script { $0.lapsed = [] }
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("C"))
        #expect(twin.isIn, "the integration is there again")
    }

    @Test func `the list of all logins does not bring it back`() async throws {
        let (stage, app, neighbour) = try await Self.bothIn()
        stage.backend.script { $0.lapsed = [Self.news] }
        let twin = try await stage.app("C", "NEWS24")
        #expect(!twin.isIn && !app.isIn && neighbour.isIn)
        #expect(stage.lines().contains("A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=revoked"))
        stage.backend.script { $0.lapsed = [] }
        _ = try await twin.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("C"))
        #expect(twin.isIn, "the integration is there again")
    }
}
