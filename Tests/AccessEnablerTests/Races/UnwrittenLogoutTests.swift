// Tests logouts that could not be stored, and logouts of more logins than one call has time for.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §18; architecture §5 item 5") @EngineActor struct UnwrittenLogoutTests {
    @Test func `a logout says that it could not be stored, and the service hears of it at once`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24", "SUMMIT") }
        let app = try await stage.app("A", "NEWS24")
        let neighbour = try await stage.app("B", "SUMMIT")
        stage.vault.breakDown(VaultFault(.full, "full"))
        let result = try await app.logout()
        #expect(!result.isDurable)
        #expect(result.json["durable"] == .bool(false))
        #expect(!app.isIn && !neighbour.isIn)
        try await stage.hear("⇄ logout NEWS24 M1")
        try await stage.hear("⇄ logout SUMMIT M1")
        // The power fails. The store still has the login, but the service has not.
        let vault = FakeVault(stage.vault.contents)
        #expect(vault.contents.profiles.count == 2)
        let after = try await Stage(vault: vault)
        _ = try await after.app("A", "NEWS24")
        await after.rest()
        #expect(vault.contents.profiles.keys.map(\.requestor.rawValue) == ["SUMMIT"])
    }

    @Test func `an unstored logout is stored as soon as possible`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        stage.vault.breakDown(VaultFault(.full, "full"))
        _ = try await app.logout()
        #expect(!stage.vault.contents.profiles.isEmpty)
        stage.vault.breakDown(nil)
        let count = stage.vault.commits.elements.count
        stage.clock.advance(by: .seconds(60))
        try await stage.vault.commits.wait(for: count + 1)
        #expect(stage.vault.contents.profiles.isEmpty)
    }

    @Test func `a stored logout has no durable member`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let result = try await stage.app("A", "NEWS24").logout()
        #expect(result.isDurable && result.json["durable"] == nil)
    }

    @Test func `an operator is told that a logout could not be stored`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        _ = try await stage.app("A", "NEWS24")
        stage.vault.breakDown(VaultFault(.readOnly, "read-only"))
        let outcome = await stage.engine.logout(tellingService: true)
        #expect(outcome.count == 1 && !outcome.isDurable)
    }

    @Test(arguments: [true, false]) func `an app that never set a requestor is told, too`(
        isBroken: Bool
    ) async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        _ = try await stage.app("A", "NEWS24")
        if isBroken { stage.vault.breakDown(VaultFault(.full, "full")) }
        let other = stage.connect("B")
        let error = await #expect(throws: RPCError.self) { try await other.logout() }
        #expect(error?.name == .requestorNotSet && stage.engine.inventory.isEmpty)
        #expect(error?.details == (isBroken ? ["durable": false] : nil))
    }

    @Test func `a logout is not durable while a token of an older layout may return`() async throws {
        let stage = try await Stage({ $0.isLoggedIn("NEWS24") }, importer: ForgetfulImporter())
        let result = try await stage.app("A", "NEWS24").logout()
        #expect(!result.isDurable && stage.vault.contents.profiles.isEmpty)
    }

    /// Each logout takes a second, and two hundred must be reported to the service.
    @Test func `a login that waits for logouts is answered by its deadline, and the logouts continue afterwards`()
        async throws
    {
        let clock = VirtualClock()
        let service = SlowService(clock, FakeBackend())
        service.fake.script { $0.offersLogin() }
        let registration = service.registration(of: AppID(rawValue: "A"), statement: Secret("s.t.m"))
        var contents = VaultContents()
        contents.tombstones = Set(
            (0..<200).map { number in
                ProfileKey(
                    registration: registration, requestor: RequestorID(rawValue: "NEWS24"),
                    provider: ProviderID(rawValue: "P\(number)"))
            })
        let vault = FakeVault(contents)
        let stage = try await Stage(vault: vault, clock: clock, services: SingleService(service))
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        let before = clock.boot
        let left = stage.engine.logins.tombstones.count
        _ = try? await app.setSelectedProvider(.init(providerID: "M1"))
        #expect(left > 60 && before.duration(to: clock.boot) <= .seconds(31))
        try await stage.until { $0.tombstones.isEmpty }
    }

    /// Each call takes a second. The logout does not wait for all nine thousand.
    @Test func `a logout of very many logins is answered by its deadline, and continues afterwards`() async throws {
        let providers = (0..<9_000).map { ProviderID(rawValue: "P\($0)") }
        let clock = VirtualClock()
        let service = SlowService(clock, FakeBackend())
        service.fake.script {
            $0.profiles[RequestorID(rawValue: "NEWS24")] = .success(providers.map { Sample.profile($0) })
        }
        let stage = try await Stage(clock: clock, services: SingleService(service))
        let app = try await stage.app("A", "NEWS24")
        #expect(stage.engine.inventory.count == providers.count)
        let before = clock.boot
        let result = try await app.logout()
        #expect(before.duration(to: clock.boot) <= .seconds(31))
        #expect(result.actions.count == providers.count && stage.engine.inventory.isEmpty)
        try await stage.until { $0.tombstones.isEmpty }
        #expect(service.fake.calls.elements.count { $0.hasPrefix("logout ") } == providers.count)
    }
}

/// An importer that cannot store the instruction to return no more logins.
private struct ForgetfulImporter: TokenImporter {
    func logins(for requestor: RequestorID) async -> [ImportedLogin] { [] }
    func forget(_ requestors: Set<RequestorID>?) async -> Bool { false }
}

/// A service that takes a second for each logout.
private struct SlowService: EntitlementBackend {
    let clock: VirtualClock
    let fake: FakeBackend
    var traits: BackendTraits { fake.traits }

    init(_ clock: VirtualClock, _ fake: FakeBackend) {
        self.clock = clock
        self.fake = fake
    }

    func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        fake.registration(of: app, statement: statement)
    }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) { try await fake.prepare(caller) }

    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        try await fake.providers(caller)
    }

    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        try await fake.profiles(query, caller)
    }

    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        try await fake.beginLogin(request, caller)
    }

    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        try await fake.pollLogin(login, caller)
    }

    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {}

    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] { [] }

    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] { [] }

    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        await clock.advance(by: .seconds(1))
        // The fake's own list of logins is long and no longer used, so it stays unchanged.
        fake.calls.append("logout \(provider)")
        return .finished
    }

    func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep { throw BackendFault(.unreachable) }

    func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile { throw BackendFault(.unreachable) }
}
