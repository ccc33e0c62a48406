// Tests a box that has changed to another service, or to fewer services. Unfinished work with the former service must
// not reach another service. No app connects here; all work is the daemon's own background work.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("access-enabler.md §6.1, rest-v2.md §2: a service that is no longer configured") struct FormerServiceTests {
    private static let former = "https://former.test"
    private static let present = "https://present.test"

    private static func key(_ origin: String, _ interface: String = "v2") -> RegistrationKey {
        RegistrationKey(app: AppID(rawValue: "news24"), statement: "s", origin: origin, interface: interface)
    }

    /// The box's own service has none of these registrations. The service `other` is at the given addresses.
    private static func book(
        _ service: FakeBackend, others: [String] = [present], _ other: FakeBackend = FakeBackend()
    ) -> ServiceBook {
        ServiceBook(service, at: nil, others: others, absent: NoService(.v2)) { _ in other }
    }

    @EngineActor private static func start(
        _ services: ServiceBook, _ vault: FakeVault, _ clock: VirtualClock
    ) async throws -> Engine {
        try await Engine.start(
            EnginePorts(
                services: services, vault: vault, identity: FakeIdentity(), clock: clock,
                statement: { _ in Secret(Sample.statement) }, chance: { 0.5 }, digest: Digest.md5))
    }

    @Test(arguments: [former, "https://former.test https://present.test", "none", ""])
    func `codes and logouts of a former service wait, and no other service hears of them`(origin: String) async throws {
        let key = Self.key(origin)
        let login = LoginKey(registration: key, requestor: Sample.news)
        let ended = ProfileKey(registration: key, requestor: Sample.sport, provider: Sample.north)
        let vault = FakeVault(), clock = VirtualClock(), service = FakeBackend(), other = FakeBackend()
        try await vault.commit([.openLogin(login, Sample.login), .tombstone(ended, true)])
        let engine = try await Self.start(Self.book(service, other), vault, clock)
        #expect(await engine.openLoginKeys.isEmpty)
        #expect(await engine.logout(tellingService: true).isDurable)
        await clock.advance(by: .seconds(60))
        #expect(clock.settings.elements.isEmpty, "no alarm was set")
        #expect(service.calls.elements.isEmpty && other.calls.elements.isEmpty)
        #expect(vault.contents.openLogins[login] != nil && vault.contents.tombstones == [ended])
    }

    @Test func `once the former service is configured again, it hears of them`() async throws {
        let ended = ProfileKey(
            registration: Self.key(Self.former), requestor: Sample.sport, provider: Sample.north)
        let login = LoginKey(registration: Self.key(Self.former), requestor: Sample.news)
        let vault = FakeVault(), service = FakeBackend(), other = FakeBackend()
        // A logout at the provider of an open code would wait until the code ends.
        var open = Sample.login
        open.provider = ProviderID(rawValue: "M2")
        try await vault.commit([.openLogin(login, open), .tombstone(ended, true)])
        let services = Self.book(service, others: [Self.former], other)
        let engine = try await Self.start(services, vault, VirtualClock())
        #expect(await engine.openLoginKeys == [login])
        try await other.calls.wait { $0.contains("logout SPORT M1") }
        #expect(service.calls.elements.isEmpty)
    }

    @Test(
        arguments: [
            (key(present), true), (key(former), false), (key("\(former) \(present)"), false),
            (key(present, "v1"), false), (key("none"), false), (key(""), false),
            (key("https://present.test:444"), false),
        ])
    func `a registration is used only with its own service`(key: RegistrationKey, isThere: Bool) {
        let found = Self.book(FakeBackend()).service(of: key)
        #expect(found.traits.isAbsent == !isThere)
    }
}
