// A backend that gives scripted answers, records its calls, and can hold answers back.

public import AccessEnabler
import Synchronization

public final class FakeBackend: EntitlementBackend {
    public struct Script: Sendable {
        public var prepare: Result<Void, BackendFault> = .success(())
        public var providers: Result<[Provider], BackendFault> = .success([])
        /// The logins of each requestor's viewers.
        public var profiles: [RequestorID: Result<[Profile], BackendFault>] = [:]
        public var beginLogin: Result<LoginStep, BackendFault> = .failure(BackendFault(.unreachable))
        /// The requestors that no longer work with any provider.
        public var lapsed: Set<RequestorID> = []
        /// Answers that replace `beginLogin` for single providers.
        public var beginLoginAt: [ProviderID: Result<LoginStep, BackendFault>] = [:]
        /// Whether answers about logins have the state at the time of the request, even if they are late.
        public var answersAreOld = false
        /// The answers to polls, in order. The last answer is repeated.
        public var polls: [Result<LoginPoll, BackendFault>] = [.success(.pending)]
        public var authorize: @Sendable (ResourceID) -> Result<ServiceDecision, BackendFault> = { resource in
            .success(ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd))
        }
        public var preauthorize: @Sendable (ResourceID) -> Result<ServiceDecision, BackendFault> = { resource in
            .success(ServiceDecision(resource: resource, isAuthorized: true, source: .mvpd))
        }
        public var logout: Result<LogoutStep, BackendFault> = .success(.finished)
        /// Answers that replace `logout` for single requestors.
        public var logoutOf: [RequestorID: Result<LogoutStep, BackendFault>] = [:]
        public var partnerRequest: Result<PartnerStep, BackendFault> = .success(.regular("pfs_fallback"))
        public var exchange: Result<Profile, BackendFault> = .failure(BackendFault(.unreachable))
    }

    private struct State {
        var script = Script()
        var held: Set<String> = []
        var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Mutex(State())
    /// The calls as text, such as `profiles NEWS24 all`.
    public let calls = Recorder<String>()
    /// The owners of its calls.
    public let owners = Recorder<RequestOwner>()
    /// The identities of viewers with temporary passes, for each play.
    public let identities = Recorder<[String: String]>()
    /// The name of each call with its rank, such as `profiles start`.
    public let ranks = Recorder<String>()
    /// The name of each call, with its deadline.
    public let deadlines = Recorder<(call: String, time: BootTime)>()
    private let told: @Sendable (String) -> Void

    public static let richTraits = BackendTraits(
        multipleProfiles: true, cancellableCode: false, headerSignOn: true, temporaryPassByCall: false,
        forcedLoginEndsFormer: true)

    public let traits: BackendTraits

    public init(
        traits: BackendTraits = FakeBackend.richTraits, told: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.traits = traits
        self.told = told
    }

    public func script(_ change: (inout Script) -> Void) { state.withLock { change(&$0.script) } }

    /// Holds back the answers of these calls from now on. The name is a method, or one call as text.
    public func hold(_ call: String) { state.withLock { _ = $0.held.insert(call) } }

    public func release(_ call: String) {
        let waiting = state.withLock { state in
            state.held.remove(call)
            return state.waiting.removeValue(forKey: call) ?? []
        }
        for waiter in waiting { waiter.resume() }
    }

    private func called(_ name: String, _ rest: String, by caller: BackendCaller) async {
        ranks.append("\(name) \(caller.urgency.rank)")
        deadlines.append((name, caller.deadline))
        let text = "\(name) \(rest)"
        told(text)
        calls.append(text)
        await withCheckedContinuation { waiter in
            let goesOn = state.withLock { state in
                guard let key = [text, name].first(where: { state.held.contains($0) }) else { return true }
                state.waiting[key, default: []].append(waiter)
                return false
            }
            if goesOn { waiter.resume() }
        }
    }

    private var script: Script { state.withLock { $0.script } }

    public func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        RegistrationKey(app: app, statement: "s-\(app)", origin: "https://service.test", interface: "v2")
    }

    public func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        await called("prepare", caller.requestor.rawValue, by: caller)
        try script.prepare.get()
    }

    public func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        await called("providers", caller.requestor.rawValue, by: caller)
        return try script.providers.get()
    }

    public func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        let what =
            switch query {
            case .all: "all"
            case .provider(let provider): provider.rawValue
            case .login(let login): login.code.rawValue
            }
        let before = script
        await called("profiles", "\(caller.requestor) \(what)", by: caller)
        let script = before.answersAreOld ? before : script
        let found = try (script.profiles[caller.requestor] ?? .success([])).get()
        // The list of all profiles contains only the viewer's own logins.
        guard case .provider(let provider) = query else {
            return found.filter { $0.kind != .temporary && $0.kind != .degraded }
        }
        if script.lapsed.contains(caller.requestor) { throw Self.lapse }
        return found.filter { $0.provider == provider }
    }

    private static let lapse = BackendFault(
        .refused(ServiceError(status: 400, code: "invalid_integration", actionName: "none")))

    public func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        let mark = request.isFresh ? " fresh" : ""
        await called("beginLogin", "\(caller.requestor) \(request.provider?.rawValue ?? "-")\(mark)", by: caller)
        if let provider = request.provider, let own = script.beginLoginAt[provider] { return try own.get() }
        return try script.beginLogin.get()
    }

    public func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        await called("pollLogin", login.code.rawValue, by: caller)
        let outcome = state.withLock { state in
            state.script.polls.count > 1 ? state.script.polls.removeFirst() : state.script.polls.first
        }
        return try outcome?.get() ?? .pending
    }

    public func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        await called("abandonLogin", login.code.rawValue, by: caller)
    }

    public func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        owners.append(caller.owner)
        identities.append(caller.options.temporaryIdentity)
        await called("authorize", resources.map(\.rawValue).joined(separator: " "), by: caller)
        if script.lapsed.contains(caller.requestor) { throw Self.lapse }
        return try decisions(resources, script.authorize)
    }

    public func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        await called("preauthorize", resources.map(\.rawValue).joined(separator: " "), by: caller)
        return try decisions(resources, script.preauthorize)
    }

    private func decisions(
        _ resources: [ResourceID], _ answer: (ResourceID) -> Result<ServiceDecision, BackendFault>
    ) throws(BackendFault) -> [ServiceDecision] {
        var decisions: [ServiceDecision] = []
        for resource in resources { decisions.append(try answer(resource).get()) }
        return decisions
    }

    public func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        await called("logout", "\(caller.requestor) \(provider)", by: caller)
        let step = try (script.logoutOf[caller.requestor] ?? script.logout).get()
        script { script in
            guard case .success(let profiles)? = script.profiles[caller.requestor] else { return }
            script.profiles[caller.requestor] = .success(profiles.filter { $0.provider != provider })
        }
        return step
    }

    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        await called(
            "partnerRequest", "\(caller.requestor) \(provider) \(Self.words(caller.partnerStatus))", by: caller)
        return try script.partnerRequest.get()
    }

    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        await called("exchange", "\(caller.requestor) \(provider) \(Self.words(caller.partnerStatus))", by: caller)
        return try script.exchange.get()
    }

    private static func words(_ status: PartnerStatus?) -> String {
        status.map { "\($0.permission.rawValue) \($0.providerID ?? "-")" } ?? "-"
    }
}
