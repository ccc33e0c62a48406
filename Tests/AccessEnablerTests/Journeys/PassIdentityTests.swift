// Tests that a promotional temporary pass keeps the identity from its start.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("rest-v2.md §3.9; access-enabler.md §16.1: whose a promotional pass is") @EngineActor struct PassIdentityTests {
    private static let identity = ["email": "005fc2"]

    private func stage(_ vault: FakeVault = FakeVault()) async throws -> Stage {
        var pass = Provider(id: ProviderID(rawValue: "Promo"), displayName: "Promo", logoURL: "")
        pass.isTempPass = true
        return try await Stage(vault: vault) {
            $0.providers = .success(Sample.providers + [pass])
            $0.authorize = { .success(Sample.permit($0)) }
            $0.isLoggedIn("NEWS24", profile: Sample.profile(pass.id, .temporary))
        }
    }

    private func begin(_ stage: Stage) async throws {
        stage.backend.script { $0.profiles = [:] }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script {
            $0.isLoggedIn("NEWS24", profile: Sample.profile(ProviderID(rawValue: "Promo"), .temporary))
        }
        _ = try await app.getAuthentication(.init(force: true, data: Self.identity))
        #expect(try await app.setSelectedProvider(.init(providerID: "Promo")) == .authenticated)
    }

    @Test func `another session of the requestor plays with the same identity`() async throws {
        let stage = try await stage()
        try await begin(stage)
        let other = stage.connect("A2")
        _ = try await other.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        _ = try await other.getAuthorization(.init(resource: "r"))
        #expect(stage.backend.identities.elements == [Self.identity])
    }

    @Test func `the identity survives a restart, and the service's next answer about the pass`() async throws {
        let before = try await stage()
        try await begin(before)
        let stage = try await stage(before.vault)
        let app = try await stage.app("A", "NEWS24")
        try await stage.setAgain(app)
        _ = try await app.getAuthorization(.init(resource: "r"))
        #expect(stage.backend.identities.elements == [Self.identity])
        // An app may still send another identity.
        _ = try await app.getAuthorization(.init(resource: "r", data: ["email": "other"]))
        #expect(stage.backend.identities.elements.last == ["email": "other"])
    }
}
