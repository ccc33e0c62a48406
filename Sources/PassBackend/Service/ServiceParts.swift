// The parts of an adapter, for either protocol: the request sender with its budget, the registrations, and the
// questions in flight. All requests to one origin share one budget; identical reads in flight are sent once. The
// adapter owns them.

public import AccessEnabler
import Synchronization

public struct ServiceParts: Sendable {
    let configuration: ServiceConfiguration
    let sender: RequestSender
    let registrar: Registrar
    let platform: any PlatformSSO
    let profileLists: SharedWork<ServiceQuestion, [Profile]>
    let preauthorizations: SharedWork<ServiceQuestion, [ServiceDecision]>
    let logouts = LogoutCount()
    let providerLists: SharedWork<ServiceQuestion, [Provider]>
    private let cache = ProviderCache()
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

    /// Sends the service a question that needs no registration, to see whether it answers. Notes that for `contact`.
    /// Throws if the question could not be sent.
    public func look(until deadline: BootTime) async throws(BackendFault) {
        let request = HTTPRequest(
            .get, configuration.origin, route: RegistrationCalls.tokenPath, headers: ["Accept": "application/json"])
        let response = try await sender.deliver(
            of: .box, repetition: .never, timeLimit: TimeLimit(deadline, Urgency(.viewer))
        ) { request }
        if let fault = BackendFault.foreign(response) { throw fault }
    }

    /// The rest of the budget, the waiting requests, and the number of registered apps. May be called from any thread.
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
        _ = try await registrar.grant(caller, for: TimeLimit(caller.deadline, caller.urgency))
    }

    /// Returns the providers from memory if they are recent enough.
    func providers(
        _ caller: BackendCaller, _ read: @escaping @Sendable (TimeLimit) async throws -> RequestorConfiguration
    ) async throws(BackendFault) -> [Provider] {
        if let providers = knownProviders(caller) { return providers }
        let clock = sender.clock
        return try await providerLists.value(
            for: ServiceQuestion(.providers, caller), by: caller.deadline, caller.urgency
        ) {
            [cache] timeLimit in
            let asked = cache.expiryCount
            let configuration = try await read(timeLimit)
            cache.keep(configuration, Self.key(caller), asked: asked, at: clock.boot)
            return configuration.providers
        }
    }

    func knownProviders(_ caller: BackendCaller) -> [Provider]? {
        cache.providers(Self.key(caller), at: sender.clock.boot)
    }

    func forgetProviders(_ caller: BackendCaller) { cache.expire(Self.key(caller)) }

    /// The domain of this caller's logins: the configured one, or else one that the service has registered for the
    /// requestor, or else none. Contract: rest-v2.md S1.
    func domainName(_ caller: BackendCaller, in backend: some EntitlementBackend) async throws(BackendFault) -> String?
    {
        if let known = knownDomainName(caller) { return known }
        guard cache.lastConfiguration(Self.key(caller)) == nil else { return nil }
        // The app has not asked for the providers yet.
        do throws(BackendFault) { _ = try await backend.providers(caller) } catch {
            // The service refuses only this question, so the login continues without a domain.
            switch error.kind {
            case .refused, .unusableAnswer: return nil
            default: throw error
            }
        }
        return knownDomainName(caller)
    }

    /// The same without a request; nil if it is unknown.
    func knownDomainName(_ caller: BackendCaller) -> String? {
        configuration.site(of: caller.registration.app).domainName
            ?? cache.lastConfiguration(Self.key(caller))?.domain
    }

    private static func key(_ caller: BackendCaller) -> ProviderCache.Key {
        ProviderCache.Key(
            registration: caller.registration, requestor: caller.requestor,
            deviceType: caller.partner?.deviceType)
    }

    /// Runs work that no other caller can join.
    func alone<Value: Sendable>(
        for caller: BackendCaller, _ work: @escaping @Sendable (TimeLimit) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await sender.clock.alone(until: caller.deadline, caller.urgency, work)
    }
}

/// Identifies a read: two reads with equal questions may share one request. The sign-on tokens are not part of it,
/// because they are the box's and the same for all callers.
struct ServiceQuestion: Hashable, Sendable {
    enum Subject: Hashable, Sendable {
        case providers
        case profiles
        case profile(ProviderID)
        case login(RegistrationCode)
        case preauthorization([ExactText], ProviderID)
    }

    /// Part of the question, so that no request waits in the queue of another owner.
    let owner: RequestOwner
    let registration: RegistrationKey
    let requestor: RequestorID
    let device: DeviceID
    let options: AppOptions
    let temporaryIdentity: [String: String]
    let partnerStatus: PartnerStatus?
    let subject: Subject
    /// The number of logouts that the service had answered. A request from before a logout must not answer a question
    /// from after it.
    let logouts: UInt64

    init(_ subject: Subject, _ caller: BackendCaller, after logouts: UInt64 = 0) {
        self.logouts = logouts
        owner = caller.owner
        registration = caller.registration
        requestor = caller.requestor
        device = caller.device
        options = caller.options
        temporaryIdentity = caller.temporaryIdentity
        partnerStatus = caller.partnerStatus
        self.subject = subject
    }
}

/// Counts the logouts that the service has answered, so that a list of logins requested before a logout is not given to
/// a caller that asks after it. May be used from any thread.
final class LogoutCount: Sendable {
    private let state = Mutex<UInt64>(0)

    var count: UInt64 { state.withLock { $0 } }

    /// To be called when a logout has ended, whether it succeeded or not.
    func add() { state.withLock { $0 &+= 1 } }
}
