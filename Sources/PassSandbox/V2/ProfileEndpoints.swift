// P1 to P3 and L1: tells who is logged in, and ends logins. An empty map means no login. Contract: rest-v2.md §4 P1–P3, §9,
// §13, §14.

import PassJSON

/// P1: all regular, partner and shared profiles. Temporary and degraded profiles are left out.
func allProfiles(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let (_, _, owner) = try call.callerWithDevice(world)
    let identities = world.identities(of: call)
    let logins = world.logins(of: owner, identities, at: call.now).filter { login in
        world.partnerStatusAllows(login, call) == nil
    }
    return profilesAnswer(logins.map { ($0.mvpd, world.profile($0, owner.serviceProvider)) })
}

/// P2: the profile of one provider. The profile may be temporary or degraded.
func profileOfProvider(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let (caller, _, owner) = try call.callerWithDevice(world)
    let (provider, _) = try world.integration(caller, call["mvpd"])
    if let profile = try world.specialProfile(provider, owner: owner, call: call) {
        return profilesAnswer([(provider.id, profile)])
    }
    guard case .success(let login) = world.login(of: owner, provider.id, world.identities(of: call), at: call.now)
    else { return profilesAnswer([]) }
    if let code = world.partnerStatusAllows(login, call) { throw .enhanced(code) }
    return profilesAnswer([(provider.id, world.profile(login, owner.serviceProvider))])
}

/// P3: the profile from a code. The TV and the phone may both ask. Before the login, the map is empty.
func profileOfCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.caller(world)
    let session = try world.knownSession(call, caller)
    guard !session.isSuperseded, call.now < session.ends else { throw .enhanced(.invalidAuthenticationSession) }
    let owner = session.owner
    if let key = session.profile {
        guard let profile = world.state.profiles[key], profile.isValid(at: call.now) else {
            return profilesAnswer([])
        }
        return profilesAnswer([(profile.mvpd, world.profile(profile, owner.serviceProvider))])
    }
    guard let mvpd = session.mvpd, let provider = world.catalogue.provider(mvpd),
        let special = try world.specialProfile(provider, owner: owner, call: call)
    else { return profilesAnswer([]) }
    return profilesAnswer([(mvpd, special)])
}

func profilesAnswer(_ profiles: [(String, JSONValue)], status: Int = 200) -> Response {
    .json(["profiles": .object(profiles.map { JSONObject.Member($0.0, $0.1) })], status: status)
}

extension World {
    /// The temporary or degraded profile of a provider, if there is one.
    fileprivate mutating func specialProfile(
        _ provider: Provider, owner: Owner, call: Call
    ) throws(Refusal) -> JSONValue? {
        if let pass = provider.tempPass {
            return try temporaryProfile(pass, provider: provider, owner: owner, call: call)
        }
        guard admitsEveryone(owner.serviceProvider, provider.id, at: call.now) else { return nil }
        return degradedProfile(provider, owner, at: call.now)
    }

    /// An entry of the map. Contract: rest-v2.md §9.
    func profile(_ login: Profile, _ serviceProvider: String) -> JSONValue {
        let issuer: String
        let type: String
        switch login.source {
        case .regular, .temporary, .degraded: (issuer, type) = (login.mvpd, "regular")
        case .platform: (issuer, type) = (login.mvpd, "platformSSO")
        case .service: (issuer, type) = (login.mvpd, "serviceTokenSSO")
        case .partner(let name):
            let partner = catalogue.partner(name)
            (issuer, type) = (partner?.issuer ?? name, partner?.profileType ?? "appleSSO")
        }
        return .members([
            "notBefore": .int(login.begins), "notAfter": .int(login.ends), "issuer": .string(issuer),
            "type": .string(type), "attributes": attributes(login, serviceProvider),
            "sessionId": login.sessionID.map(JSONValue.string),
        ])
    }

    /// The viewer's id for apps, during a rule that admits everyone.
    func degradedUser(_ owner: Owner, _ provider: Provider) -> String {
        "95cf93bcd183214a" + hexadecimal(sha256(owner.key(provider.id).utf8).prefix(8))
    }

    func degradedProfile(_ provider: Provider, _ owner: Owner, at now: Instant) -> JSONValue {
        return [
            "notBefore": .int(now), "notAfter": .int(now + settings.degradedLifetime.milliseconds),
            "issuer": "Adobe", "type": "degraded",
            "attributes": ["userID": ["value": .string(degradedUser(owner, provider)), "state": "plain"]],
        ]
    }
}

// L1: ends a login. Contract: rest-v2.md §4 L1, §12.5.

func logout(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let (caller, _, owner) = try call.callerWithDevice(world)
    let (provider, _) = try world.integration(caller, call["mvpd"])
    let redirect = call.request.query.one("redirectUrl")
    if let redirect {
        guard let url = URLText(redirect), world.isRegisteredInV2(url, caller) else {
            throw .enhanced(.invalidParameterRedirectURL)
        }
    } else if world.settings.strict {
        throw .enhanced(.invalidParameterRedirectURL)
    }
    let outcome = world.endLogin(of: owner, provider, world.identities(of: call), at: call.now)
    var url: String?
    if outcome == .page {
        url = world.pages.reference(
            "/adobe-services/logout?requestor_id=\(owner.serviceProvider)&mso_id=\(provider.id)"
                + (redirect.map { "&redirect_url=" + percentEncoded($0) } ?? ""))
    }
    let entry = JSONValue.members([
        "actionName": .string(outcome.action.name), "actionType": .string(outcome.action.type),
        "mvpd": .string(provider.id), "url": url.map(JSONValue.string),
    ])
    return .json(["logouts": .object([.init(provider.id, entry)])])
}

private enum LogoutOutcome: Equatable {
    case page, partner, complete, nothing

    var action: (name: String, type: String) {
        switch self {
        case .page: ("logout", "interactive")
        case .partner: ("partner_logout", "partner_interactive")
        case .complete: ("complete", "none")
        case .nothing: ("invalid", "none")
        }
    }
}

extension World {
    /// Ends the caller's own login at the provider. Also ends the logins at this provider that are shared under an identity of
    /// the call.
    fileprivate mutating func endLogin(
        of owner: Owner, _ provider: Provider, _ identities: [String], at now: Instant
    ) -> LogoutOutcome {
        if provider.tempPass != nil { return .complete }
        let login = try? login(of: owner, provider.id, identities, at: now).get()
        state.profiles[owner.key(provider.id)] = nil
        forgetDecisions(of: owner, provider.id)
        for identity in identities {
            state.sharedLogins[SharedLogin.key(identity, provider.id)] = nil
            for profile in state.profiles.rows.values
            where profile.mvpd == provider.id && profile.identities.contains(identity) {
                state.profiles[profile.key] = nil
                forgetDecisions(of: profile.owner, provider.id)
            }
        }
        if admitsEveryone(owner.serviceProvider, provider.id, at: now) { return .complete }
        guard let login else { return .nothing }
        if case .partner = login.source { return .partner }
        return provider.hasLogoutPage ? .page : .complete
    }
}
