// A service with a memory, for model tests: its logins, its open codes, and its issued tokens. It runs on the engine's
// queue, so that a seed always gives the same order of events. Every answer takes some turns of the queue. Some answers
// have the state from the time of the request.

import AccessEnabler
import PassTestKit

@EngineActor final class ModelService: EntitlementBackend {
    /// Events at the service, in the order in which the box heard of them.
    enum Fact {
        case listed(LoginKey, ProviderID?, [Profile])
        case letIn(LoginKey, ProviderID)
        case loggedIn(LoginKey, Profile)
        case denied(LoginKey, ProviderID)
        case ended(ProfileKey)
    }

    private enum State { case open, used, told, gone }

    private struct Code {
        let key: LoginKey
        let login: OpenLogin
        var state = State.open
    }

    nonisolated let traits = BackendTraits(
        multipleProfiles: true, cancellableCode: false, headerSignOn: true)

    let clock: VirtualClock
    private let repeatsTokens: Bool
    var isUp = true
    private(set) var logins: [ProviderID: ServerTime] = [:]
    private(set) var facts: [Fact] = []
    private(set) var tokens: Set<String> = []
    /// Mistakes of the box.
    private(set) var complaints: [String] = []
    /// Counts the events.
    private(set) var activity = 0
    private var waits = 0
    /// Whether a request has no answer yet.
    var isAsked: Bool { waits > 0 }
    /// Tells the engine the date.
    var answered: () -> Void = {}
    private var codes: [Code] = []
    private var random: SplitMix64
    private var count: Int64 = 0

    init(seed: UInt64, _ clock: VirtualClock, repeatsTokens: Bool) {
        random = SplitMix64(seed: seed ^ 0x5EED)
        self.clock = clock
        self.repeatsTokens = repeatsTokens
    }

    /// The service's time, which no step changes.
    var now: ServerTime {
        ServerTime(milliseconds: 1_795_564_700_000).advanced(by: .nanoseconds(clock.boot.nanoseconds))
    }

    func takeFacts() -> [Fact] {
        defer { facts = [] }
        return facts
    }

    // MARK: Actions of others at the service

    func appears(_ provider: ProviderID) {
        guard login(at: provider) == nil else { return }
        count += 1
        let life: Int64 = provider == Operator.m1.id ? 7_200_000 : 86_400_000
        logins[provider] = now.advanced(by: .milliseconds(life + count))
    }

    func revoke(_ provider: ProviderID) { logins[provider] = nil }

    /// One viewer at a time: no code is used before the box knows that the previous code was used.
    func useNewestCode() {
        guard !codes.contains(where: { $0.state == .used && now < $0.login.notAfter }),
            let index = codes.lastIndex(where: { $0.state == .open && now < $0.login.notAfter }),
            let provider = codes[index].login.provider
        else { return }
        codes[index].state = .used
        appears(provider)
    }

    func login(at provider: ProviderID) -> Profile? {
        guard let end = logins[provider], now < end else { return nil }
        return Profile(
            provider: provider, kind: .regular, issuer: "", notBefore: ServerTime(milliseconds: 0), notAfter: end,
            attributes: [:])
    }

    func logins(for requestor: RequestorID) -> [Profile] {
        (Channel(rawValue: requestor.rawValue)?.operators ?? []).compactMap { login(at: $0.id) }
    }

    // MARK: Requests of the box

    nonisolated func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        RegistrationKey(app: app, statement: "", origin: "", interface: "")
    }

    private func key(_ caller: BackendCaller) -> LoginKey {
        LoginKey(registration: caller.registration, requestor: caller.requestor)
    }

    private func wait() async {
        waits += 1
        defer { waits -= 1 }
        for _ in 0..<random.pick(4) {
            activity += 1
            await EngineActor.turn()
        }
    }

    /// Makes the answer, either when the request arrives or when the answer is sent.
    private func answer<Answer>(_ make: () -> Answer) async throws(BackendFault) -> Answer {
        await wait()
        let early = make()
        let isOld = random.pick(2) == 0
        await wait()
        // Some answers take a long time.
        if isOld, random.pick(4) == 0 { for _ in 0..<4 { await wait() } }
        activity += 1
        guard isUp else { throw BackendFault(.unreachable) }
        answered()
        return isOld ? early : make()
    }

    func prepare(_ caller: BackendCaller) async throws(BackendFault) { try await answer {} }

    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        try await answer {}
        return (Channel(rawValue: caller.requestor.rawValue)?.operators ?? []).map {
            Provider(id: $0.id, displayName: $0.rawValue, logoURL: "")
        }
    }

    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        let wanted: ProviderID? = if case .provider(let provider) = query { provider } else { nil }
        let found = try await answer { logins(for: caller.requestor).filter { wanted == nil || $0.provider == wanted } }
        facts.append(.listed(key(caller), wanted, found))
        return found
    }

    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep {
        try await answer {}
        let key = key(caller)
        guard let provider = request.provider else { throw BackendFault(.unusableAnswer) }
        if login(at: provider) != nil {
            facts.append(.letIn(key, provider))
            return .alreadyIn(provider, .signOn)
        }
        for index in codes.indices where codes[index].key == key && codes[index].state == .open {
            codes[index].state = .gone
        }
        count += 1
        let login = OpenLogin(
            code: RegistrationCode(rawValue: "K\(count)"), url: "", provider: provider, notBefore: now,
            notAfter: now.advanced(by: .seconds(1800)))
        codes.append(Code(key: key, login: login))
        return .showCode(login)
    }

    private var over: Set<RegistrationCode> = []

    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        if over.contains(login.code) { complaints.append("no poll of a code that is over: \(login.code)") }
        try await answer {}
        guard let index = codes.firstIndex(where: { $0.login.code == login.code }) else { return .gone }
        if codes[index].state == .open, now < codes[index].login.notAfter { return .pending }
        // A box that dropped the answer may ask again.
        guard codes[index].state == .used || codes[index].state == .told, let provider = login.provider,
            let profile = self.login(at: provider)
        else {
            over.insert(login.code)
            codes[index].state = .gone
            return .gone
        }
        codes[index].state = .told
        facts.append(.loggedIn(key(caller), profile))
        return .done(profile)
    }

    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        over.insert(login.code)
        for index in codes.indices where codes[index].login.code == login.code { codes[index].state = .gone }
    }

    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        let isIn = try await answer { login(at: provider) != nil }
        if !isIn { facts.append(.denied(key(caller), provider)) }
        count += 1
        let token = "t\(repeatsTokens ? 0 : count)"
        if isIn { tokens.insert(token) }
        return resources.map { resource in
            ServiceDecision(
                resource: resource, isAuthorized: isIn, source: .mvpd,
                token: isIn
                    ? MediaToken(serialized: Secret(token), notAfter: now.advanced(by: .seconds(420))) : nil,
                error: isIn
                    ? nil
                    : ServiceError(status: 403, code: "authenticated_profile_missing", actionName: "authentication"))
        }
    }

    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        let isIn = try await answer { login(at: provider) != nil }
        return resources.map { ServiceDecision(resource: $0, isAuthorized: isIn, source: .mvpd) }
    }

    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        // The service acts before its answer arrives.
        await wait()
        if isUp { logins[provider] = nil }
        try await answer {}
        facts.append(
            .ended(ProfileKey(registration: caller.registration, requestor: caller.requestor, provider: provider)))
        return .finished
    }
}

/// A vault that survives the daemon.
@EngineActor final class ModelVault: TokenVault {
    private(set) var contents = VaultContents()
    private var owed: [VaultRow: VaultChange] = [:]
    var isWell = true
    /// Whether a commit is under way.
    private(set) var isWriting = false
    /// Loses changes without reporting it.
    let isForgetful: Bool

    init(isForgetful: Bool = false) { self.isForgetful = isForgetful }

    /// A process that starts finds only the contents of the disk.
    func load() async -> VaultContents {
        owed = [:]
        return contents
    }

    func commit(_ changes: [VaultChange]) async throws(VaultFault) {
        isWriting = true
        await EngineActor.turn()
        isWriting = false
        for change in changes { owed[change.row] = change }
        guard isWell else { throw VaultFault(.full, "full", at: Set(owed.keys)) }
        for change in owed.values {
            if isForgetful, case .tombstone = change { continue }
            contents.apply(change)
        }
        owed = [:]
    }

    func health() async -> VaultHealth { VaultHealth(isPersistent: true, warnings: []) }
    func examine() async -> Bool { isWell }
}

/// The identity of the box, which never changes.
struct ModelIdentity: DeviceIdentity {
    @EngineActor func current() async throws(DeviceIdentityFault) -> DeviceID { DeviceID(rawValue: "d1") }
}
