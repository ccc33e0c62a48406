// The parts that REST V1 and REST V2 both need for one service. These are the request sender with its budget, the
// registrations, and the questions in flight. The known providers and the domain of each requestor are also here. All requests
// to one origin share one budget. If several callers ask the same question at the same time, the question is sent once. May be
// used from any thread.

public import AccessEnabler
import Synchronization

public final class ServiceParts: Sendable {
    /// How long a list of providers is valid. Contract: rest-v2.md §8.
    static let listLife = Duration.seconds(180)
    static let maxConfigurations = 64
    /// The time of expiry of an invalidated list.
    private static let past = BootTime(nanoseconds: 0)

    private struct ConfigurationKey: Hashable, Sendable {
        var registration: RegistrationKey
        var requestor: RequestorID
        /// The type is part of the key, because the service sends data about a platform only to devices of the platform's type.
        var deviceType: String?

        init(_ caller: BackendCaller) {
            (registration, requestor, deviceType) = (caller.registration, caller.requestor, caller.partner?.deviceType)
        }
    }

    let configuration: ServiceConfiguration
    let sender: RequestSender
    let registrar: Registrar
    let platform: any PlatformSSO
    let profileLists: SharedWork<ServiceQuestion, [Profile]>
    let preauthorizations: SharedWork<ServiceQuestion, [ServiceDecision]>
    let providerLists: SharedWork<ServiceQuestion, [Provider]>
    /// The requestors' configurations at the service. The list of providers expires. The domain is used until another
    /// configuration replaces it.
    private let configurations = BoundedCache<ConfigurationKey, RequestorConfiguration, BootTime>(
        capacity: maxConfigurations)
    /// The number of times that a list of providers was invalidated. An answer to a question from before the last invalidation
    /// must not make the list valid again.
    private let invalidations = Atomic<UInt64>(0)
    private let logouts = Atomic<UInt64>(0)
    private let recent = RecentRegistrations()
    private let digest: @Sendable (Secret) -> String

    /// `exchange` replaces the network, for tests.
    public init(
        _ configuration: ServiceConfiguration, exchange: (any Exchange)? = nil, vault: any TokenVault,
        registrations: [RegistrationKey: StoredRegistration] = [:], clock: any EngineClock,
        budgetClock: any BudgetClock, platform: any PlatformSSO, digest: @escaping @Sendable (Secret) -> String,
        heard: @escaping @Sendable (ServerTime, BootTime) -> Void = { _, _ in },
        sent: @escaping @Sendable (SentRequest) -> Void = { _ in },
        foundOneTimeBurst: @escaping @Sendable () -> Void = {},
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.configuration = configuration
        self.digest = digest
        self.platform = platform
        sender = RequestSender(
            exchange: exchange ?? HTTPClient(sharingThread: configuration.http),
            gate: RequestGate(configuration.budget, clock: budgetClock), clock: clock,
            time: ServiceTime(clock, heard), contact: ContactRecord(), sent: sent,
            foundOneTimeBurst: foundOneTimeBurst, jitter: jitter)
        registrar = Registrar(configuration, sender: sender, vault: vault, registrations: registrations)
        providerLists = SharedWork(clock)
        profileLists = SharedWork(clock)
        preauthorizations = SharedWork(clock)
    }

    /// The outcome of the last exchange with the service. May be called from any thread.
    public var contact: ServiceContact { sender.contact.contact }

    /// Sends a request that needs no registration, to see whether the service answers. The outcome changes `contact`. Throws if
    /// there was no usable answer.
    public func look(until deadline: BootTime) async throws(BackendFault) {
        let request = HTTPRequest(
            .get, configuration.origin, route: RegistrationCalls.tokenPath, headers: ["Accept": "application/json"])
        let response = try await sender.deliver(
            of: .box, repetition: .never, timeLimit: TimeLimit(deadline, Urgency(.viewer))
        ) { request }
        if let fault = BackendFault.foreign(response) { throw fault }
    }

    /// Says how many more requests may be sent at once, how many requests are waiting, and how many apps are registered. May be
    /// called from any thread.
    public var load: ServiceLoad {
        var load = sender.gate.load
        load.registrations = registrar.accepted
        return load
    }

    func registration(of app: AppID, statement: Secret, interface: String) -> RegistrationKey {
        recent.key(of: app, statement: statement) {
            RegistrationKey(
                app: app, statement: digest(StatementForm.normal(statement)),
                origin: configuration.origin.description, interface: interface)
        }
    }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        _ = try await registrar.accessToken(caller, for: TimeLimit(caller.deadline, caller.urgency))
    }

    /// Returns the providers from memory if they are recent enough, and otherwise from `read`.
    func providers(
        _ caller: BackendCaller, _ read: @escaping @Sendable (TimeLimit) async throws -> RequestorConfiguration
    ) async throws(BackendFault) -> [Provider] {
        if let providers = knownProviders(caller) { return providers }
        let clock = sender.clock
        return try await providerLists.value(
            for: ServiceQuestion(.providers, caller), by: caller.deadline, caller.urgency
        ) {
            [self] timeLimit in
            let asked = invalidations.load(ordering: .acquiring)
            let configuration = try await read(timeLimit)
            let end = clock.boot.advanced(by: Self.listLife)
            configurations.keep(
                configuration, ConfigurationKey(caller),
                until: asked == invalidations.load(ordering: .acquiring) ? end : Self.past)
            return configuration.providers
        }
    }

    func knownProviders(_ caller: BackendCaller) -> [Provider]? {
        configurations.value(ConfigurationKey(caller), at: sender.clock.boot)?.providers
    }

    func forgetProviders(_ caller: BackendCaller) {
        invalidations.wrappingAdd(1, ordering: .acquiringAndReleasing)
        configurations.end(ConfigurationKey(caller), at: Self.past)
    }

    /// The domain of this caller's logins: the configured domain, or else the domain that the service has registered for the
    /// requestor. Nil if there is no domain. Contract: rest-v2.md S1.
    func domainName(_ caller: BackendCaller, in backend: some EntitlementBackend) async throws(BackendFault) -> String?
    {
        if let known = knownDomainName(caller) { return known }
        guard configurations[ConfigurationKey(caller)] == nil else { return nil }
        // The service names the domain together with the providers, and the app has not asked for them yet.
        do throws(BackendFault) { _ = try await backend.providers(caller) } catch {
            // The service refuses only this question, so the login continues without a domain.
            switch error.kind {
            case .refused, .unusableAnswer: return nil
            default: throw error
            }
        }
        return knownDomainName(caller)
    }

    /// The domain, without a request. Nil if the domain is unknown.
    func knownDomainName(_ caller: BackendCaller) -> String? {
        configuration.site(of: caller.registration.app).domainName
            ?? configurations[ConfigurationKey(caller)]?.domain
    }

    /// Asks which resources would probably be permitted. `ask` sends the question once. `ask` is called again for resources
    /// whose error allows a retry. Identical questions in flight share one answer.
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller,
        _ ask: @escaping @Sendable ([ResourceID], TimeLimit) async throws(BackendFault) -> [ServiceDecision]
    ) async throws(BackendFault) -> [ServiceDecision] {
        guard !resources.isEmpty else { return [] }
        let question = ServiceQuestion(.preauthorization(resources, provider), caller)
        return try await preauthorizations.value(for: question, by: caller.deadline, caller.urgency) {
            [sender] timeLimit in try await sender.repeatingOpen(resources, within: timeLimit, ask)
        }
    }

    /// The number of logouts that the service has answered. A list of logins from before a logout must not answer a question
    /// from after the logout.
    var logoutCount: UInt64 { logouts.load(ordering: .sequentiallyConsistent) }

    /// To be called when a logout has ended, whether it succeeded or not.
    func countLogout() { logouts.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    func alone<Value: Sendable>(
        for caller: BackendCaller, _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await sender.clock.alone(until: caller.deadline, caller.urgency, work)
    }
}

/// Everything that the answer to a question depends on. Callers with equal questions may share one request. All callers have
/// the same sign-on tokens, so the tokens are not part of a question.
struct ServiceQuestion: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case providers
        case profiles
        case profile(ProviderID)
        case login(RegistrationCode)
        case preauthorization([ResourceID], ProviderID)
    }

    /// The user and the app that ask. This owner is part of the question, because a request waits in the queue of its owner.
    let owner: RequestOwner
    let registration: RegistrationKey
    let requestor: RequestorID
    let device: DeviceID
    let options: AppOptions
    let partnerStatus: PartnerStatus?
    let subject: Subject
    /// The number of logouts that the service had answered when the question was asked.
    let logouts: UInt64

    init(_ subject: Subject, _ caller: BackendCaller, after logouts: UInt64 = 0) {
        self.logouts = logouts
        owner = caller.owner
        registration = caller.registration
        requestor = caller.requestor
        device = caller.device
        // The login style does not change the answer, so it is the same in all questions.
        var options = caller.options
        options.style = .secondScreen
        self.options = options
        partnerStatus = caller.partnerStatus
        self.subject = subject
    }
}
