// The login of a device over the older interface. A device has one login at a time, for one app or for all apps. Other
// service providers share the login until the viewer logs out. Contract: rest-v1.md §14; open-questions.md OQ-29, OQ-47.

extension Result<Profile, ErrorCode> {
    /// Returns the login, or throws the refusal with that status. Contract: rest-v1.md §6.15.
    func required(_ status: Int, _ message: String? = nil) throws(Refusal) -> Profile {
        do { return try get() } catch { throw .v1(V1Fault(status, code: V1ErrorCode(error), message: message)) }
    }
}

extension World {
    /// The device's present login. A login from single sign-on is stored as the device's own login.
    mutating func login(of device: V1Device, _ call: Call) -> Result<Profile, ErrorCode> {
        let identity = v1Identity(device.parameters, call)
        let own = ownLogin(of: device)
        if let own, call.now < own.ends || own.isInvalidated {
            return own.isInvalidated ? .failure(.profileInvalidated) : .success(own)
        }
        if device.appID.isEmpty,
            let shared = loginElsewhere(device.owner, at: call.now) ?? identified(device, identity, at: call.now)
        {
            install(shared)
            return .success(shared)
        }
        return .failure(own == nil ? .profileMissing : .profileExpired)
    }

    func ownLogin(of device: V1Device) -> Profile? {
        state.profiles.rows.values.first { profile in
            profile.owner == device.owner
                && (device.deviceUser == nil || profile.v1?.deviceUser == nil
                    || profile.v1?.deviceUser == device.deviceUser)
        }
    }

    /// The device's login for another service provider, copied for this service provider. The copy ends together with the
    /// original.
    private func loginElsewhere(_ owner: Owner, at now: Instant) -> Profile? {
        guard settings.deviceSignOn else { return nil }
        let logins = state.profiles.rows.values.filter { profile in
            profile.client == owner.client && profile.device == owner.device
                && profile.serviceProvider != owner.serviceProvider && profile.isValid(at: now)
                && profile.source != .temporary && profile.source != .degraded
                && isAfterSignOff(profile.begins, owner)
                && catalogue.provider(profile.mvpd)?.loginPerRequestor == false
                && catalogue.integration(owner.serviceProvider, profile.mvpd) != nil
                && catalogue.integration(profile.serviceProvider, profile.mvpd) != nil
        }
        guard var profile = logins.max(by: { ($0.ends, $0.mvpd) < ($1.ends, $1.mvpd) }) else { return nil }
        profile.serviceProvider = owner.serviceProvider
        profile.v1?.code = nil
        return profile
    }

    /// A login that is stored under the platform's identity. Contract: rest-v1.md §2, `Adobe-Subject-Token`.
    private mutating func identified(_ device: V1Device, _ identity: String?, at now: Instant) -> Profile? {
        guard let identity,
            var profile = logins(of: device.owner, [identity], at: now).first(where: \.isShared),
            isAfterSignOff(profile.begins, device.owner)
        else { return nil }
        profile.source = .regular
        profile.v1 = V1Login(
            signOn: state.random.identifier(), deviceUser: device.deviceUser, updated: profile.begins)
        return profile
    }

    /// The identity of the call. Its prefix keeps the logins of the two interfaces apart.
    mutating func v1Identity(_ parameters: Parameters, _ call: Call) -> String? {
        platformIdentity(call.request.header("Adobe-Subject-Token") ?? parameters["ast"], call).map { "v1 " + $0 }
    }

    private func isAfterSignOff(_ begins: Instant, _ owner: Owner) -> Bool {
        state.signOffs[owner.key("")].map { begins > $0.at } ?? true
    }

    /// Replaces the device's login.
    mutating func install(_ profile: Profile) {
        let owner = profile.owner
        forgetLogin(of: owner)
        state.signOffs[owner.key("")] = nil
        state.profiles[profile.key] = profile
    }

    mutating func forgetLogin(of owner: Owner) {
        for profile in state.profiles.rows.values where profile.owner == owner {
            state.profiles[profile.key] = nil
            forgetDecisions(of: owner, profile.mvpd)
        }
        let prefix = owner.key("")
        for key in state.authorizations.rows.keys where key.hasPrefix(prefix) { state.authorizations[key] = nil }
    }

    /// Ends the login, all logins that share the identity, and the logins that single sign-on has made from this login on the
    /// device.
    mutating func signOff(_ owner: Owner, _ identity: String?, at now: Instant) {
        let signOns = Set(state.profiles.rows.values.filter { $0.owner == owner }.compactMap { $0.v1?.signOn })
        var owners: Set = [owner]
        for profile in state.profiles.rows.values {
            let isShared = profile.v1.map { signOns.contains($0.signOn) && profile.device == owner.device } ?? false
            if isShared || identity.map(profile.identities.contains) == true { owners.insert(profile.owner) }
        }
        if let identity {
            for key in state.sharedLogins.rows.filter({ $0.value.identity == identity }).keys {
                state.sharedLogins[key] = nil
            }
        }
        for owner in owners {
            forgetLogin(of: owner)
            state.signOffs[owner.key("")] = SignOff(at: now)
        }
    }

    func userID(of profile: Profile) -> String {
        switch profile.source {
        case .temporary, .degraded: profile.user
        case .regular, .partner, .platform, .service: userID(profile.mvpd, profile.user)
        }
    }

    /// The header with the origin of the login, for clients under test. Contract: open-questions.md OQ-27.
    func originHeader(_ profile: Profile) -> [Field] {
        switch profile.source {
        case .temporary: [Field("X-Sandbox-Origin", "temppass")]
        case .degraded: [Field("X-Sandbox-Origin", "authnall")]
        case .partner: [Field("X-Sandbox-Origin", "partner")]
        case .regular, .platform, .service: profile.home == nil ? [] : [Field("X-Sandbox-Origin", "hba")]
        }
    }
}
