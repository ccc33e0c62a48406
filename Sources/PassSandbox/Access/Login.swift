// The logins of a caller: its own, and those that it shares with apps of the same identity. Contract: rest-v2.md §9, §12.1,
// §12.2.

extension World {
    /// All valid logins, sorted from the latest end to the earliest. The caller's own login hides shared logins at the same
    /// provider. Does not check whether the integration is enabled.
    func logins(of owner: Owner, _ identities: [String], at now: Instant) -> [Profile] {
        var found: [String: Profile] = [:]
        let own = state.profiles.rows.values.filter { $0.owner == owner }
        for profile in own + identities.flatMap({ sharedLogins($0, for: owner) })
        where profile.isValid(at: now) && found[profile.mvpd] == nil {
            found[profile.mvpd] = profile
        }
        return found.values.sorted { ($0.ends, $1.mvpd) > ($1.ends, $0.mvpd) }
    }

    /// The login at one provider, or the reason why there is none. Contract: rest-v2.md §6.2.
    func login(
        of owner: Owner, _ mvpd: String, _ identities: [String], at now: Instant
    ) -> Result<Profile, ErrorCode> {
        if let login = logins(of: owner, identities, at: now).first(where: { $0.mvpd == mvpd }) {
            return .success(login)
        }
        let ended =
            [state.profiles[owner.key(mvpd)]].compactMap(\.self)
            + identities.flatMap { sharedLogins($0, for: owner) }.filter { $0.mvpd == mvpd }
        if ended.contains(where: \.isInvalidated) { return .failure(.profileInvalidated) }
        return .failure(ended.isEmpty ? .profileMissing : .profileExpired)
    }

    /// The shared logins that this service provider may use. A login for another service provider counts only if the provider
    /// also works with this service provider and does not require a login for each requestor. It does not matter whether the
    /// provider still works with the other service provider.
    private func sharedLogins(_ identity: String, for owner: Owner) -> [Profile] {
        catalogue.providers.compactMap { provider in
            let integration = catalogue.integration(owner.serviceProvider, provider.id)
            if integration?.serviceTokenSignOn == false, identity.hasPrefix("service ") { return nil }
            guard let shared = state.sharedLogins[SharedLogin.key(identity, provider.id)],
                shared.serviceProvider == owner.serviceProvider
                    || (!provider.loginPerRequestor && integration != nil)
            else { return nil }
            return shared.profile(of: owner)
        }
    }

    /// Logs in the device of the code, after the viewer has signed in at the provider. The login is also stored under the
    /// identities of the session. Identities from service tokens count only if the integration allows sign-on by service token.
    mutating func completeLogin(
        _ session: Session, mvpd: String, subscriber: Subscriber, home: String?, at now: Instant
    ) {
        guard let integration = catalogue.integration(session.serviceProvider, mvpd) else { return }
        let life = home == nil ? integration.authenticationLifetime : integration.homeAuthenticationLifetime
        let profile = Profile(
            session.owner, mvpd: mvpd, user: subscriber.user, begins: now, ends: now + life.milliseconds,
            source: .regular, sessionID: session.id, home: home, identities: session.identities)
        finish(session, with: profile)
        for identity in session.identities where integration.serviceTokenSignOn || !identity.hasPrefix("service ") {
            state.sharedLogins[SharedLogin.key(identity, mvpd)] = SharedLogin(
                identity: identity, serviceProvider: session.serviceProvider, mvpd: mvpd, user: subscriber.user,
                begins: now, ends: profile.ends, home: home)
        }
    }

    /// Stores the login of the session's device.
    mutating func finish(_ session: Session, with profile: Profile) {
        var profile = profile
        if let registration = session.registration {
            profile.v1 = V1Login(
                signOn: session.id, code: session.code, deviceUser: registration.deviceUser,
                person: registration.person, updated: profile.begins)
            install(profile)
        } else {
            forgetDecisions(of: session.owner, profile.mvpd)
            state.profiles[profile.key] = profile
        }
        state.sessions[session.code]?.profile = profile.key
        state.sessions[session.code]?.mvpd = profile.mvpd
    }
}

// The owner of a login: a client registration on a device for a service provider. Contract: rest-v2.md P1,
// rest-v1.md §14.

struct Owner: Hashable, Sendable {
    let client: String
    let device: String
    let serviceProvider: String

    func key(_ mvpd: String) -> String {
        rowKey(client, device, serviceProvider, mvpd)
    }
}

extension Session {
    var owner: Owner { Owner(client: client, device: device, serviceProvider: serviceProvider) }
}

extension Profile {
    var owner: Owner { Owner(client: client, device: device, serviceProvider: serviceProvider) }

    /// Whether several apps with the same identity share the login.
    var isShared: Bool { source == .platform || source == .service }

    init(
        _ owner: Owner, mvpd: String, user: String, begins: Instant, ends: Instant, source: Source,
        sessionID: String? = nil, home: String? = nil, identities: [String] = [], v1: V1Login? = nil
    ) {
        self.init(
            client: owner.client, device: owner.device, serviceProvider: owner.serviceProvider, mvpd: mvpd, user: user,
            begins: begins, ends: ends, source: source, sessionID: sessionID, home: home, identities: identities,
            v1: v1)
    }

    func isValid(at now: Instant) -> Bool { now < ends && !isInvalidated }
}

extension SharedLogin {
    /// The login for an owner that presents the identity.
    fileprivate func profile(of owner: Owner) -> Profile {
        var profile = Profile(
            owner, mvpd: mvpd, user: user, begins: begins, ends: ends,
            source: identity.hasPrefix("service") ? .service : .platform, home: home, identities: [identity])
        profile.isInvalidated = isInvalidated
        return profile
    }
}

/// The reason why no login is needed. Contract: rest-v2.md S1, the table of outcomes.
enum LoginReason: String, Sendable { case authenticated, authenticatedSSO, temporary, degraded }

struct KnownLogin: Sendable {
    let mvpd: String
    let reason: LoginReason
}

extension World {
    /// The existing login that makes a new login unnecessary. If no provider is chosen, this is the login with the latest end.
    /// A login with a partner's TV account counts only with `withPartners`. S1 and S2 do not pass `withPartners`, because they
    /// do not accept the platform's status (rest-v2.md §3.1).
    func loginUnnecessary(
        _ owner: Owner, mvpd: String?, identities: [String], at now: Instant, withPartners: Bool = false
    ) -> KnownLogin? {
        let logins = self.logins(of: owner, identities, at: now).filter { login in
            if case .partner = login.source, !withPartners { return false }
            return mvpd == nil || login.mvpd == mvpd
        }
        if let login = logins.first {
            return KnownLogin(mvpd: login.mvpd, reason: login.isShared ? .authenticatedSSO : .authenticated)
        }
        guard let mvpd else { return nil }
        if catalogue.provider(mvpd)?.tempPass != nil { return KnownLogin(mvpd: mvpd, reason: .temporary) }
        return admitsEveryone(owner.serviceProvider, mvpd, at: now) ? KnownLogin(mvpd: mvpd, reason: .degraded) : nil
    }
}

// A login attempt by a code: the parameters, the code's problems, and the beginning of the attempt. REST V1 and V2 share these
// parts. Contract: rest-v2.md §4 S1–S4, rest-v1.md §7.

/// The three parameters of a login.
struct LoginParameters: Sendable {
    var mvpd: String?
    var domainName: String?
    var redirectURL: String?
    /// The app with which the URL is registered.
    var redirectApp: String?
}

/// The reason why a code cannot be used to log in.
enum CodeProblem: Sendable { case unknown, expired, used, superseded }

extension Session {
    var missing: [String] {
        [("mvpd", mvpd), ("domainName", domainName), ("redirectUrl", redirectURL)].filter { $0.1 == nil }.map(\.0)
    }

    func problem(at now: Instant) -> CodeProblem? {
        if profile != nil { return .used }
        if isSuperseded { return .superseded }
        return now < ends ? nil : .expired
    }
}

extension World {
    /// Makes a new code. The device's earlier code stops working. Contract: rest-v2.md S1, "Traps".
    mutating func openSession(
        _ parameters: LoginParameters, owner: Owner, device: Device, identities: [String], at now: Instant,
        id: String? = nil
    ) -> Session {
        state.sessions.change {
            $0.isSuperseded = true
        } where: { _, session in
            session.owner == owner && session.profile == nil && !session.isSuperseded
        }
        var code = state.random.code()
        while state.sessions[code] != nil { code = state.random.code() }
        let session = Session(
            code: code, id: id ?? state.random.identifier(), serviceProvider: owner.serviceProvider,
            client: owner.client, device: owner.device, deviceInfo: device.info, mvpd: parameters.mvpd,
            domainName: parameters.domainName, redirectURL: parameters.redirectURL,
            redirectApp: parameters.redirectApp, isProviderGiven: parameters.mvpd != nil, identities: identities,
            begins: now,
            ends: now + settings.sessionLifetime.milliseconds)
        state.sessions[code] = session
        return session
    }
}
