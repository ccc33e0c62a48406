// A login as the service sees it: either the caller's own profile, or one shared by an identity that several apps
// present. Contract: rest-v2.md §9, §12.1, §12.2.

struct Login: Sendable {
    enum Kind: Sendable, Equatable {
        case regular
        case partner(String)
        case platform
        case service
        case temporary
        case degraded
    }

    let mvpd: String
    let user: String
    let begins: Instant
    let ends: Instant
    let kind: Kind
    let sessionID: String?
    let home: String?

    var isShared: Bool { kind == .platform || kind == .service }
}

/// Why there is no valid login. Contract: rest-v2.md §6.2.
enum LoginAbsence: Error { case missing, expired, invalidated }

extension World {
    /// All valid logins, the one that lasts longest first. The caller's own login hides shared ones of the same
    /// provider. It does not matter here whether the integration is switched on.
    func logins(of owner: Owner, _ identities: [String], at now: Instant) -> [Login] {
        var found: [String: Login] = [:]
        for profile in state.profiles.rows.values
        where owner.owns(profile) && now < profile.ends && !profile.isInvalidated {
            found[profile.mvpd] = Login(profile)
        }
        for shared in identities.flatMap({ sharedLogins($0, for: owner.serviceProvider) })
        where now < shared.ends && !shared.isInvalidated && found[shared.mvpd] == nil {
            found[shared.mvpd] = Login(shared)
        }
        return found.values.sorted { ($0.ends, $1.mvpd) > ($1.ends, $0.mvpd) }
    }

    /// The login at one provider, or the reason why there is none.
    func login(
        of owner: Owner, _ mvpd: String, _ identities: [String], at now: Instant
    ) -> Result<Login, LoginAbsence> {
        if let login = logins(of: owner, identities, at: now).first(where: { $0.mvpd == mvpd }) {
            return .success(login)
        }
        let shared = identities.flatMap { sharedLogins($0, for: owner.serviceProvider) }.filter { $0.mvpd == mvpd }
        let own = state.profiles[owner.key(mvpd)]
        if own?.isInvalidated == true || shared.contains(where: \.isInvalidated) { return .failure(.invalidated) }
        return .failure(own == nil && shared.isEmpty ? .missing : .expired)
    }

    /// The shared logins that this service provider may use. A login made for another service provider counts only if
    /// the provider works with this one and does not require a login for each requestor; whether it still works with the
    /// other one makes no difference.
    private func sharedLogins(_ identity: String, for serviceProvider: String) -> [SharedLogin] {
        catalogue.providers.compactMap { provider in
            let integration = catalogue.integration(serviceProvider, provider.id)
            if integration?.serviceTokenSignOn == false, identity.hasPrefix("service ") { return nil }
            guard let shared = state.sharedLogins[SharedLogin.key(identity, provider.id)],
                shared.serviceProvider == serviceProvider
                    || (!provider.loginPerRequestor && integration != nil)
            else { return nil }
            return shared
        }
    }

    /// Logs the code's device in after the viewer has proved who they are. The login is also stored under every
    /// identity that came with the session.
    mutating func completeLogin(
        _ session: Session, mvpd: String, subscriber: Subscriber, home: String?, at now: Instant
    ) {
        guard let integration = catalogue.integration(session.serviceProvider, mvpd) else { return }
        let life = home == nil ? integration.authenticationLifetime : integration.homeAuthenticationLifetime
        let profile = Profile(
            client: session.client, device: session.device, serviceProvider: session.serviceProvider, mvpd: mvpd,
            user: subscriber.user, begins: now, ends: now + life.milliseconds, source: .regular,
            sessionID: session.id, home: home, identities: session.identities)
        finish(session, with: profile)
        for identity in session.identities where integration.serviceTokenSignOn || !identity.hasPrefix("service ") {
            state.sharedLogins[SharedLogin.key(identity, mvpd)] = SharedLogin(
                identity: identity, serviceProvider: session.serviceProvider, mvpd: mvpd, user: subscriber.user,
                begins: now, ends: profile.ends, home: home)
        }
    }
}

extension World {
    /// Stores the login of the session's device.
    mutating func finish(_ session: Session, with profile: Profile) {
        var profile = profile
        if let registration = session.registration {
            profile.grant = Grant(
                signOn: session.id, code: session.code, deviceUser: registration.deviceUser,
                person: registration.person, updated: profile.begins)
            install(profile)
        } else {
            forgetDecisions(of: Owner(session), profile.mvpd)
            state.profiles[profile.key] = profile
        }
        state.sessions[session.code]?.profile = profile.key
        state.sessions[session.code]?.mvpd = profile.mvpd
    }
}

extension Login {
    init(_ profile: Profile) {
        mvpd = profile.mvpd
        user = profile.user
        begins = profile.begins
        ends = profile.ends
        kind =
            switch profile.source {
            case .regular: .regular
            case .partner(let partner): .partner(partner)
            case .temporary: .temporary
            case .degraded: .degraded
            }
        sessionID = profile.sessionID
        home = profile.home
    }

    init(_ shared: SharedLogin) {
        mvpd = shared.mvpd
        user = shared.user
        begins = shared.begins
        ends = shared.ends
        kind = shared.identity.hasPrefix("service") ? .service : .platform
        sessionID = nil
        home = shared.home
    }
}
