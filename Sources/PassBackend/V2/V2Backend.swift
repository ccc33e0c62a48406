// REST V2 behind the engine's port. Everything of one origin goes through one budget; identical reads in flight are one.
// Contract: rest-v2.md §21.

import AccessEnabler

public final class V2Backend: EntitlementBackend {
    public static let interface = "v2"

    public let traits = BackendTraits(
        multipleProfiles: true, cancellableCode: false, codeLifetimeSelectable: false, providerRequired: false,
        tokenWithDecision: true, providerLogoutURL: true, enhancedErrors: true, headerSignOn: true,
        decisionExpiryReadable: true)

    let configuration: Configuration
    let origin: String
    let courier: Courier
    let calls: ProtectedCalls
    let registrar: Registrar
    private let digest: @Sendable (Secret) -> String
    private let cache = ProviderCache()
    private let providerLists: SharedWork<V2Question, [Provider]>
    let profileLists: SharedWork<V2Question, [Profile]>
    let preauthorizations: SharedWork<V2Question, [Decision]>

    public convenience init(
        _ configuration: Configuration, vault: any TokenVault,
        registrations: [RegistrationKey: StoredRegistration] = [:], clock: any EngineClock,
        budgetClock: any BudgetClock, platform: any PlatformSSO, digest: @escaping @Sendable (Secret) -> String,
        heard: @escaping @Sendable (ServerTime) -> Void = { _ in }
    ) {
        self.init(
            configuration, exchange: HTTPClient(configuration.http), vault: vault, registrations: registrations,
            clock: clock, budgetClock: budgetClock, platform: platform, digest: digest, heard: heard)
    }

    /// With another way out than the network's.
    public init(
        _ configuration: Configuration, exchange: any Exchange, vault: any TokenVault,
        registrations: [RegistrationKey: StoredRegistration] = [:], clock: any EngineClock,
        budgetClock: any BudgetClock, platform: any PlatformSSO, digest: @escaping @Sendable (Secret) -> String,
        heard: @escaping @Sendable (ServerTime) -> Void = { _ in },
        jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) {
        self.configuration = configuration
        self.digest = digest
        origin = configuration.origin.description
        let patience = Patience(clock: clock)
        courier = Courier(
            exchange: exchange, gate: RequestGate(configuration.budget, clock: budgetClock), budgetClock: budgetClock,
            patience: patience, time: ServiceTime(clock, heard), contact: ContactRecord(), jitter: jitter)
        registrar = Registrar(configuration.origin, courier, vault, registrations)
        calls = ProtectedCalls(
            origin: configuration.origin, courier: courier, registrar: registrar, platform: platform,
            facts: configuration.device)
        providerLists = SharedWork(patience)
        profileLists = SharedWork(patience)
        preauthorizations = SharedWork(patience)
    }

    /// How the last exchange with the service went. From any thread.
    public var contact: Contact { courier.contact.contact }

    public func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        RegistrationKey(
            app: app, statement: digest(SoftwareStatement.normal(statement)), origin: origin,
            interface: Self.interface)
    }

    public func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        _ = try await registrar.grant(calls.applicant(caller), for: Horizon(caller.deadline))
    }

    public func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        let key = ProviderCache.Key(registration: caller.registration, requestor: caller.requestor)
        let clock = courier.patience.clock
        if let providers = cache.providers(key, at: clock.boot) { return providers }
        return try await providerLists.value(for: V2Question(.providers, caller), by: caller.deadline) {
            [calls, cache] horizon in
            let answer = try await calls.ask(
                ConfigurationAnswer.self, caller, horizon, repeating: .freely, signOn: false
            ) { $0.configuration() }
            cache.keep(answer.providers, key, at: clock.boot)
            return answer.providers
        }
    }

    public func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        do {
            switch query {
            case .all: return try await profiles(.profiles, caller, signOn: true) { $0.profiles() }
            case .provider(let provider):
                _ = try TemporaryIdentity(caller.temporaryIdentity)
                return try await profiles(.profile(provider), caller, signOn: true) { $0.profile(of: provider) }
            case .login(let login): return try await profiles(of: login, caller)
            }
        } catch {
            // Nobody is logged in: told as an error in some places and as an empty map in others.
            if case .refused(let refusal) = error.kind, refusal.meansNoProfile { return [] }
            throw error
        }
    }

    /// P3 has a rhythm of its own, in which it is not tried again.
    func profiles(of login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        _ = try TemporaryIdentity(caller.temporaryIdentity)
        return try await profiles(.login(login.code), caller, repeating: .never, signOn: false) {
            $0.profile(of: login.code)
        }
    }

    private func profiles(
        _ subject: V2Question.Subject, _ caller: BackendCaller, repeating repetition: Courier.Repetition = .freely,
        signOn: Bool, _ call: @escaping @Sendable (V2Calls) -> ServiceCall
    ) async throws(BackendFault) -> [Profile] {
        try await profileLists.value(for: V2Question(subject, caller), by: caller.deadline) { [calls] horizon in
            try await calls.ask(
                ProfilesAnswer.self, caller, horizon, repeating: repetition, signOn: signOn, call
            ).profiles
        }
    }

    /// For a call that is nobody else's.
    func alone<Value: Sendable>(
        by deadline: BootTime, _ work: @escaping @Sendable (Horizon) async throws -> Value
    ) async throws(BackendFault) -> Value {
        try await courier.patience.value(by: deadline, Horizon(deadline), work)
    }
}

extension EnhancedError {
    /// Contract: rest-v2.md §6.2, P3.
    var meansNoProfile: Bool {
        ["authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated"]
            .contains(code)
    }
}
