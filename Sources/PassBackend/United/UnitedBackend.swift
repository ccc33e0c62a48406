// Presents several services as one, for an app that names several services. Questions about all providers go to all
// services at the same time. A question about one provider goes to one service. Contract: access-enabler.md §6.1.

public import AccessEnabler
import Synchronization

public final class UnitedBackend: EntitlementBackend {
    let parts: [any EntitlementBackend]
    private let homes = Mutex(ProviderHomes())
    /// For tests: the number of answers to questions that were sent to all services.
    let arrivalCount = Atomic(0)

    public var traits: BackendTraits { parts[0].traits }

    public init(_ first: any EntitlementBackend, _ others: [any EntitlementBackend]) { parts = [first] + others }

    /// The registration at the first service, but with the origins of all services as its origin.
    public func registration(of app: AppID, statement: Secret) -> RegistrationKey {
        let keys = parts.map { $0.registration(of: app, statement: statement) }
        var key = keys[0]
        key.origin = keys.map(\.origin).joined(separator: " ")
        return key
    }

    /// Returns as soon as the app is registered at one service. The registrations at the other services continue.
    public func prepare(_ caller: BackendCaller) async throws(BackendFault) {
        let arrivals = try await everywhere(caller) { part, caller in
            try await part.prepare(caller)
        }.take { $0.fault == nil }
        if arrivals.last?.fault != nil { throw arrivals.firstFault() ?? BackendFault(.cancelled) }
    }

    public func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider] {
        let arrivals = try await all(caller) { part, caller in try await part.providers(caller) }
        let lists = arrivals.compactMap { arrival in arrival.value.map { (part: arrival.part, list: $0) } }
        let homes = self.homes.withLock { homes in
            homes.settle(lists.map { ($0.part, $0.list.map(\.id)) }, of: caller.requestor)
        }
        // Uses the order of the services, so that the list does not depend on the order of the answers.
        var seen: Set<ProviderID> = []
        return lists.sorted { $0.part < $1.part }.flatMap { part, providers in
            providers.filter { homes[$0.id] == part && seen.insert($0.id).inserted }
        }
    }

    public func forgetProviders(_ caller: BackendCaller) {
        for part in parts { part.forgetProviders(own(caller, part)) }
    }

    public func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        let places: [Int]
        switch query {
        case .all: return try await profilesEverywhere(caller)
        case .provider(let provider): places = await self.places(of: provider, caller)
        case .login(let login): places = await self.places(of: login, caller)
        }
        let found = try await inTurn(places, caller: caller, until: { !$0.isEmpty }) { part, caller in
            try await part.profiles(query, caller)
        }
        for profile in found.value { remember(found.part, provider: profile.provider, caller: caller) }
        return found.value
    }

    /// The profiles of all services. If several services name the same provider, `ProviderHomes` decides whose profile
    /// counts.
    private func profilesEverywhere(_ caller: BackendCaller) async throws(BackendFault) -> [Profile] {
        let arrivals = try await all(caller) { part, caller in try await part.profiles(.all, caller) }
        let lists = arrivals.compactMap { arrival in arrival.value.map { (part: arrival.part, list: $0) } }
        // An unreachable service must not count as a service without a login.
        if lists.allSatisfy(\.list.isEmpty), let fault = arrivals.lazy.compactMap(\.fault).first { throw fault }
        let homes = self.homes.withLock { homes in
            homes.settle(lists.map { ($0.part, $0.list.map(\.provider)) }, of: caller.requestor)
        }
        return lists.flatMap { part, profiles in profiles.filter { homes[$0.provider] == part } }
            .sorted { $0.end > $1.end }
    }

    // MARK: One provider

    public func beginLogin(
        _ request: LoginRequest, _ caller: BackendCaller
    ) async throws(BackendFault) -> LoginStep {
        var places = Array(parts.indices)
        if let provider = request.provider { places = await self.places(of: provider, caller) }
        let begun = try await inTurn(places, caller: caller) { part, caller in
            try await part.beginLogin(request, caller)
        }
        switch begun.value {
        case .showCode(let login), .openURL(let login):
            homes.withLock { $0.open(login.code, at: begun.part) }
            if let provider = request.provider { remember(begun.part, provider: provider, caller: caller) }
        case .alreadyIn(let provider, _): remember(begun.part, provider: provider, caller: caller)
        }
        return begun.value
    }

    public func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll {
        let poll = try await inTurn(places(of: login, caller), caller: caller, until: { $0.isDone }, or: { !$0.isGone })
        {
            part, caller in try await part.pollLogin(login, caller)
        }
        switch poll.value {
        case .pending: break
        case .done(let profile):
            homes.withLock { $0.close(login.code) }
            remember(poll.part, provider: profile.provider, caller: caller)
        case .gone: homes.withLock { $0.close(login.code) }
        }
        return poll.value
    }

    public func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async {
        for place in await places(of: login, caller) {
            await parts[place].abandonLogin(login, own(caller, parts[place]))
        }
        homes.withLock { $0.close(login.code) }
    }

    public func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await inTurn(places(of: provider, caller), caller: caller) { part, caller in
            try await part.authorize(resources, at: provider, caller)
        }.value
    }

    public func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await inTurn(places(of: provider, caller), caller: caller) { part, caller in
            try await part.preauthorize(resources, at: provider, caller)
        }.value
    }

    public func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep {
        try await inTurn(places(of: provider, caller), caller: caller, until: { $0 != .nothingToDo }) { part, caller in
            try await part.logout(provider, caller)
        }.value
    }

    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        let asked = try await inTurn(places(of: provider, caller), caller: caller) { part, caller in
            try await part.partnerRequest(provider, of: partner, caller)
        }
        // The provider's response to this request must go to the service that made the request.
        remember(asked.part, provider: provider, caller: caller)
        return asked.value
    }

    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        try await inTurn(places(of: provider, caller), caller: caller) { part, caller in
            try await part.exchange(response, at: provider, of: partner, caller)
        }.value
    }

    // MARK: Choosing the service

    /// The known service of the provider. If the service is unknown, asks all services for their providers. If no
    /// service has the provider, returns all services in their order.
    private func places(of provider: ProviderID, _ caller: BackendCaller) async -> [Int] {
        if let home = home(of: provider, caller) { return [home] }
        _ = try? await providers(caller)
        return home(of: provider, caller).map { [$0] } ?? Array(parts.indices)
    }

    /// Returns the service that issued the code. A code from an earlier run may come from any service, so all services are
    /// returned. The service of the code's provider is the first, because it is the most likely one.
    private func places(of login: OpenLogin, _ caller: BackendCaller) async -> [Int] {
        if let place = homes.withLock({ $0.part(of: login.code) }) { return [place] }
        guard let home = login.provider.flatMap({ self.home(of: $0, caller) }) else { return Array(parts.indices) }
        return [home] + parts.indices.filter { $0 != home }
    }

    private func home(of provider: ProviderID, _ caller: BackendCaller) -> Int? {
        homes.withLock { $0.home(of: provider, of: caller.requestor) }
    }

    private func remember(_ part: Int, provider: ProviderID, caller: BackendCaller) {
        homes.withLock { $0.remember(part, provider, of: caller.requestor) }
    }
}

extension LoginPoll {
    fileprivate var isDone: Bool {
        if case .done = self { true } else { false }
    }

    fileprivate var isGone: Bool {
        if case .gone = self { true } else { false }
    }
}
