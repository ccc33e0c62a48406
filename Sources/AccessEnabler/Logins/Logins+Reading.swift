// Reads the logins in memory. Contract: access-enabler.md §7.1, §9.

extension Logins {
    /// All stored profiles, including ended ones.
    var profiles: [ProfileKey: Profile] { contents.profiles }

    /// The logins that have ended here but that the service may still have. `LogoutDelivery` reports their end.
    var tombstones: Set<ProfileKey> { contents.tombstones }

    /// The *lapsed* logins: according to the service's last answer, the requestor no longer works with the provider. The
    /// service's list of all logins may still name lapsed logins. Contract: rest-v2.md §9; ruling 49.
    func lapsed(for requestor: RequestorID, at provider: ProviderID) -> Set<ProfileKey> {
        contents.lapsed.isEmpty ? [] : contents.lapsed.filter { $0.requestor == requestor && $0.provider == provider }
    }

    func selection(of requestor: RequestorID) -> Selection? { contents.selections[requestor] }

    /// The valid login that this requestor's viewers use. Contract: access-enabler.md §7.1, §9.2, OQ-9.
    func login(of key: LoginKey) -> Profile? {
        selection(of: key.requestor).flatMap { profile(at: key.profileKey(at: $0.provider.id)) }
    }

    /// The stored profile with this key, if it is valid.
    func profile(at key: ProfileKey) -> Profile? {
        contents.profiles[key].flatMap { context.hasEnded($0) ? nil : $0 }
    }

    /// All valid logins of the requestor, by provider.
    func profiles(of key: LoginKey) -> [Profile] {
        profileKeys(of: key).compactMap(profile(at:)).sorted { $0.provider < $1.provider }
    }

    /// The keys of all stored profiles of the requestor, valid or not.
    func profileKeys(of key: LoginKey) -> [ProfileKey] { contents.profiles.keys.filter { $0.login == key } }

    /// Whether the selected provider is a temporary pass that has ended. Contract: access-enabler.md §7.1, §16.1.
    func hasUsedUpPass(_ selection: Selection?, of key: LoginKey) -> Bool {
        guard let selection, selection.provider.isTempPass else { return false }
        // If the profile is already gone, `canAuthenticate` says whether the pass was valid once and no logout followed.
        let profile = contents.profiles[key.profileKey(at: selection.provider.id)]
        return profile.map(context.hasEnded) ?? selection.canAuthenticate
    }

    /// Whether the selected provider has a login that has ended. Contract: access-enabler.md §14.2.
    func hasEndedLogin(_ selection: Selection?, of key: LoginKey) -> Bool {
        guard let provider = selection?.provider else { return false }
        return contents.profiles[key.profileKey(at: provider.id)].map(context.hasEnded) ?? false
    }

    /// Whether the login still exists and is selected. Ask this after a commit: during the commit, the viewer may have logged
    /// out or cancelled.
    func isKept(_ provider: ProviderID, for key: LoginKey) -> Bool {
        contents.profiles[key.profileKey(at: provider)] != nil
            && selection(of: key.requestor)?.provider.id == provider
    }

    /// Returns what passd knows about a provider, without asking the service. The identifier is always known.
    func knownProvider(_ id: ProviderID, for key: LoginKey) -> Provider {
        if let own = selection(of: key.requestor)?.provider, own.id == id { return own }
        if let open = contents.openLogins[key]?.details, open.id == id { return open }
        let known = contents.selections.values.map(\.provider).first { $0.id == id }
        return known ?? Provider(id: id, displayName: id.rawValue, logoURL: "")
    }
}
