// The rules with which the engine is compared: three small maps and the events that change them. The rules are
// synchronous and independent of the engine's code. Contract: access-enabler.md §7.2, §7.4, §9.5, §12;
// open-questions.md OQ-2, OQ-9, OQ-13.

import AccessEnabler

struct ModelRules {
    /// The stored logins with their expiries, the logouts unknown to the service, and the selected providers.
    var logins: [ProfileKey: ServerTime] = [:]
    var tombstones: Set<ProfileKey> = []
    var selected: [RequestorID: ProviderID] = [:]
    /// Connections that the service has admitted and that are about to ask for the login.
    private var letIn: [LoginKey: ProviderID] = [:]
    /// Whether a rule is broken on purpose, to test the harness.
    var keepsSelections = false
    private(set) var broken: [String] = []

    private static func place(_ key: LoginKey, _ provider: ProviderID) -> ProfileKey {
        ProfileKey(registration: key.registration, requestor: key.requestor, provider: provider)
    }

    /// The viewer is logged in if and only if the selected provider has a login that has not expired. §7.1, OQ-9.
    func login(_ key: LoginKey, chosen: ProviderID? = nil, at now: ServerTime) -> ProviderID? {
        guard let provider = chosen ?? selected[key.requestor], let end = logins[Self.place(key, provider)], now < end
        else {
            return nil
        }
        return provider
    }

    /// Removes all logins, which must be reported to the service. OQ-13.
    mutating func logout() {
        tombstones.formUnion(logins.keys)
        (logins, selected) = ([:], [:])
    }

    /// Removes only the selection. §7.4.
    mutating func cancel(_ key: LoginKey) {
        if !keepsSelections { selected[key.requestor] = nil }
    }

    /// A choice applies to the requestor if its login already exists. Ruling 35.
    mutating func select(_ provider: ProviderID, _ key: LoginKey, at now: ServerTime) {
        if let end = logins[Self.place(key, provider)], now < end { selected[key.requestor] = provider }
    }

    /// Applies a fact that the box has heard from the service.
    mutating func hear(_ fact: ModelService.Fact) {
        switch fact {
        case .letIn(let key, let provider): letIn[key] = provider
        // A new login is selected, and removes the tombstone with its key.
        case .loggedIn(let key, let profile): adopt(profile, key)
        case .listed(let key, let provider?, let found) where letIn[key] == provider && !found.isEmpty:
            letIn[key] = nil
            adopt(found[0], key)
        // The service's list replaces the remembered logins, except for those that the viewer has ended. OQ-2, OQ-13.
        case .listed(let key, let provider, let found):
            let alive = found.filter { !tombstones.contains(Self.place(key, $0.provider)) }
            if provider == nil {
                logins = logins.filter { $0.key.registration != key.registration || $0.key.requestor != key.requestor }
            }
            for profile in alive { logins[Self.place(key, profile.provider)] = profile.notAfter }
            let chosen = selected[key.requestor]
            if let best = alive.max(by: { $0.notAfter < $1.notAfter }),
                !alive.contains(where: { $0.provider == chosen })
            {
                selected[key.requestor] = best.provider
            }
        case .denied(let key, let provider): logins[Self.place(key, provider)] = nil
        case .ended(let place):
            if tombstones.remove(place) == nil {
                broken.append("only tombstones are told to the service: \(place.words)")
            }
        }
    }

    private mutating func adopt(_ profile: Profile, _ key: LoginKey) {
        let place = Self.place(key, profile.provider)
        logins[place] = profile.notAfter
        selected[key.requestor] = profile.provider
        tombstones.remove(place)
    }
}

extension ProfileKey {
    var words: String { "\(registration.app)/\(requestor)/\(provider)" }
}
