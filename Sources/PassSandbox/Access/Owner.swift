// The owner of a login: a client registration on a device for a service provider. Contract: rest-v2.md P1,
// rest-v1.md §14.

struct Owner: Hashable, Sendable {
    let client: String
    let device: String
    let serviceProvider: String

    func owns(_ session: Session) -> Bool { Owner(session) == self }

    func owns(_ profile: Profile) -> Bool {
        profile.client == client && profile.device == device && profile.serviceProvider == serviceProvider
    }

    func key(_ mvpd: String) -> String {
        Profile.key(client, device: device, serviceProvider: serviceProvider, mvpd: mvpd)
    }
}

extension Owner {
    init(_ session: Session) {
        self.init(client: session.client, device: session.device, serviceProvider: session.serviceProvider)
    }
}

/// Why no login is needed. Contract: rest-v2.md S1, the table of outcomes.
enum LoginReason: String, Sendable { case authenticated, authenticatedSSO, temporary, degraded }

struct KnownLogin: Sendable {
    let mvpd: String
    let reason: LoginReason
}

extension World {
    /// The login that makes another one unnecessary. Without a chosen provider it may be any login; the one that lasts
    /// longest is taken. A partner's login counts only with the platform's status, which S1 and S2 do not accept:
    /// rest-v2.md §3.1.
    func loginUnnecessary(
        _ owner: Owner, mvpd: String?, identities: [String], at now: Instant, withPartners: Bool = false
    ) -> KnownLogin? {
        let logins = self.logins(of: owner, identities, at: now).filter { login in
            if case .partner = login.kind, !withPartners { return false }
            return mvpd == nil || login.mvpd == mvpd
        }
        if let login = logins.first {
            return KnownLogin(mvpd: login.mvpd, reason: login.isShared ? .authenticatedSSO : .authenticated)
        }
        guard let mvpd else { return nil }
        if catalogue.provider(mvpd)?.tempPass != nil { return KnownLogin(mvpd: mvpd, reason: .temporary) }
        if degradation(.authenticateAll, serviceProvider: owner.serviceProvider, provider: mvpd, at: now) != nil {
            return KnownLogin(mvpd: mvpd, reason: .degraded)
        }
        return nil
    }
}
