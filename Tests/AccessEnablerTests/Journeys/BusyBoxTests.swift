// Tests one app while another app is busy or was busy just before. Random sequences have found these traces.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §6.1, §7.4, §9.5; open-questions.md OQ-2, OQ-13") @EngineActor struct BusyBoxTests {
    @Test func `§7.4: another requestor has other providers than those offered to the session before`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.setSelectedProvider(.init(providerID: "M2"))
        stage.backend.script { $0.providers = .success([Sample.providers[0]]) }
        _ = try await app.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("A"))
        await #expect(throws: RPCError.self) { try await app.setSelectedProvider(.init(providerID: "M2")) }
        #expect(stage.vault.contents.selections[RequestorID(rawValue: "SUMMIT")] == nil)
    }

    @Test func `OQ-13: an answer from before a logout signs no viewer in`() async throws {
        let stage = try await Stage {
            $0.isLoggedIn("NEWS24", "SUMMIT")
            $0.answersAreOld = true
        }
        let app = try await stage.app("A", "NEWS24")
        let other = stage.connect("B")
        stage.backend.hold("profiles SUMMIT all")
        let setup = Task { try await other.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("B")) }
        try await stage.hear("⇄ profiles SUMMIT all")
        _ = try await app.logout()
        stage.backend.script { $0.profiles = [:] }
        stage.backend.release("profiles SUMMIT all")
        #expect(try await setup.value.authenticated == false)
        #expect(stage.vault.contents.profiles.isEmpty)
    }

    @Test func `OQ-13: the service hears of a logout before it is asked about logins`() async throws {
        let stage = try await Stage {
            $0.isLoggedIn("NEWS24")
            $0.logout = .failure(BackendFault(.unreachable))
        }
        _ = try await stage.app("A", "NEWS24").logout()
        // The logout was tried twice. The next attempt comes later.
        try await stage.trace.wait { $0.count { $0 == "⇄ logout NEWS24 M1" } == 2 }
        try await stage.settled()
        stage.backend.script { $0.logout = .success(.finished) }
        let mark = stage.mark
        _ = try await stage.app("B", "SUMMIT")
        let asked = stage.lines(since: mark).filter { $0.hasPrefix("⇄") }
        #expect(asked == ["⇄ prepare SUMMIT", "⇄ logout NEWS24 M1", "⇄ profiles SUMMIT all"])
        #expect(stage.engine.logins.tombstones.isEmpty)
    }
}
