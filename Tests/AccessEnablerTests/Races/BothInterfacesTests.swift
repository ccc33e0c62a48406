// Tests that a logout ends the logins of both interfaces, even of the interface that the box does not use now.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("ruling 37; rest-v2.md §19; access-enabler.md §18") @EngineActor struct BothInterfacesTests {
    /// A box that uses one interface, and no longer has the service of the other.
    private struct OneInterface: ServiceDirectory {
        let spoken: String
        let standard: any EntitlementBackend
        let absent: any EntitlementBackend

        func service(at addresses: [String]) -> (any EntitlementBackend)? { nil }

        func service(of registration: RegistrationKey) -> any EntitlementBackend {
            registration.interface == spoken ? standard : absent
        }
    }

    private static func place(_ interface: String, _ requestor: String) -> ProfileKey {
        let registration = RegistrationKey(
            app: AppID(rawValue: "A"), statement: "s-A", origin: "https://service.test", interface: interface)
        return ProfileKey(
            registration: registration, requestor: RequestorID(rawValue: requestor), provider: Sample.north)
    }

    /// A viewer has logged in on one interface, and then on the other.
    private static func stage(
        speaking spoken: String, _ vault: FakeVault, isIn: Bool = false
    ) async throws -> Stage {
        let trace = Recorder<String>()
        var traits = FakeBackend.richTraits
        traits.isAbsent = true
        let absent = FakeBackend(traits: traits) { trace.append("✝ \($0)") }
        absent.script { $0.logout = .failure(BackendFault(.noService)) }
        let present = FakeBackend { trace.append("⇄ \($0)") }
        present.script {
            $0.offersLogin()
            if isIn { $0.isLoggedIn("NEWS24") }
            $0.logout = .success(.finished)
        }
        let services = OneInterface(spoken: spoken, standard: present, absent: absent)
        return try await Stage(vault: vault, trace: trace, services: services)
    }

    private static func contents() -> VaultContents {
        var contents = VaultContents()
        for interface in ["v1", "v2"] { contents.profiles[place(interface, "NEWS24")] = Sample.profile() }
        return contents
    }

    @Test func `a logout ends both logins, and the other service is told once it is configured again`() async throws {
        let vault = FakeVault(Self.contents())
        let stage = try await Self.stage(speaking: "v2", vault, isIn: true)
        let app = try await stage.app("A", "NEWS24")
        #expect(app.isIn)
        _ = try await app.logout()
        #expect(vault.contents.profiles.isEmpty)
        await stage.rest()
        await stage.engine.flush()
        #expect(vault.contents.tombstones == [Self.place("v1", "NEWS24")])
        #expect(stage.lines().filter { $0.contains("logout") && $0.hasPrefix("⇄") } == ["⇄ logout NEWS24 M1"])
        let mark = stage.mark

        let later = try await Self.stage(speaking: "v1", vault)
        await later.rest()
        try await later.hear("⇄ logout NEWS24 M1")
        #expect(later.engine.logins.tombstones.isEmpty)
        #expect(stage.lines(since: mark).isEmpty)
    }

    @Test func `an operator's logout ends both logins, and only usable logins count as signed in`() async throws {
        let vault = FakeVault(Self.contents())
        let stage = try await Self.stage(speaking: "v2", vault)
        #expect(stage.engine.signedInWith.count == 1)
        _ = await stage.engine.logout(requestor: nil, tellingService: false)
        #expect(vault.contents.profiles.isEmpty && vault.contents.tombstones.isEmpty)
    }

    @Test func `a login of the other interface does not sign an app in`() async throws {
        var contents = VaultContents()
        contents.profiles[Self.place("v1", "NEWS24")] = Sample.profile()
        let stage = try await Self.stage(speaking: "v2", FakeVault(contents))
        let app = try await stage.app("A", "NEWS24")
        #expect(!app.isIn)
        #expect(stage.engine.signedInWith.isEmpty)
    }
}
