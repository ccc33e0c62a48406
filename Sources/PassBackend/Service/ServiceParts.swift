// What the backends of both protocols share: the request budget, the registrations, and the calls that are under way.
// All requests to an origin go through one budget; identical reads that are under way are joined.

import AccessEnabler

public struct ServiceParts: Sendable {
    let configuration: ServiceConfiguration
    let sender: RequestSender
    let calls: ProtectedCalls
    let registrar: Registrar
    let profileLists: SharedWork<ServiceQuestion, [Profile]>
    let preauthorizations: SharedWork<ServiceQuestion, [ServiceDecision]>
    let logouts = LogoutCount()
    let providerLists: SharedWork<ServiceQuestion, [Provider]>
    private let cache = ProviderCache()
    private let digest: @Sendable (Secret) -> String

    /// `exchange` replaces the network, for tests.
    public init(
        _ configuration: ServiceConfiguration, exchange: (any Exchange)? = nil, vault: any TokenVault,
        registrations: [RegistrationKey: StoredRegistration] = [:], clock: any EngineClock,
        budgetClock: any BudgetClock, platform: any PlatformSSO, digest: @escaping @Sendable (Secret) -> String,
        heard: @escaping @Sendable (ServerTime, BootTime) -> Void = { _, _ in },
        sent: @escaping @Sendable (SentRequest) -> Void = { _ in },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.configuration = configuration
        self.digest = digest
        let timedWait = TimedWait(clock: clock)
        sender = RequestSender(
            exchange: exchange ?? HTTPClient(configuration.http),
            gate: RequestGate(configuration.budget, clock: budgetClock), budgetClock: budgetClock,
            timedWait: timedWait, time: ServiceTime(clock, heard), contact: ContactRecord(), sent: sent, jitter: jitter)
        registrar = Registrar(configuration.origin, sender: sender, vault: vault, registrations: registrations)
        calls = ProtectedCalls(
            origin: configuration.origin, sender: sender, registrar: registrar, platform: platform,
            facts: configuration.device)
        providerLists = SharedWork(timedWait)
        profileLists = SharedWork(timedWait)
        preauthorizations = SharedWork(timedWait)
    }

    /// The result of the last exchange with the service. It may be read from any thread.
    public var contact: ServiceContact { sender.contact.contact }

    func registration(of app: AppID, statement: Secret, interface: String) -> RegistrationKey {
        RegistrationKey(
            app: app, statement: digest(StatementForm.normal(statement)),
            origin: configuration.origin.description, interface: interface)
    }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        _ = try await registrar.grant(calls.applicant(caller), for: TimeLimit(caller.deadline))
    }

    /// The providers, from memory if they were read recently.
    func providers(
        _ caller: BackendCaller, _ read: @escaping @Sendable (TimeLimit) async throws -> [Provider]
    ) async throws(BackendFault) -> [Provider] {
        if let providers = knownProviders(caller) { return providers }
        let clock = sender.timedWait.clock
        return try await providerLists.value(for: ServiceQuestion(.providers, caller), by: caller.deadline) {
            [cache] timeLimit in
            let providers = try await read(timeLimit)
            cache.keep(providers, Self.key(caller), at: clock.boot)
            return providers
        }
    }

    func knownProviders(_ caller: BackendCaller) -> [Provider]? {
        cache.providers(Self.key(caller), at: sender.timedWait.clock.boot)
    }

    private static func key(_ caller: BackendCaller) -> ProviderCache.Key {
        ProviderCache.Key(
            registration: caller.registration, requestor: caller.requestor,
            deviceType: caller.partner?.deviceType)
    }

    /// Runs a call that is not joined with others.
    func alone<Value: Sendable>(
        by deadline: BootTime, _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await sender.timedWait.value(by: deadline, TimeLimit(deadline), work)
    }
}
