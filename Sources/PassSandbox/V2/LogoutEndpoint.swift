// L1: ends a login. Contract: rest-v2.md §4 L1, §12.5.

import PassJSON

let logoutEndpoints = [
    Endpoint("GET", path: "/api/v2/{serviceProvider}/logout/{mvpd}", access: .bearer, handler: logout)
]

private func logout(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
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
    /// Ends the login. If the call has the identity by which the login is shared, everything that the identity shares
    /// ends too; else only the caller's own profile.
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
                forgetDecisions(
                    of: Owner(client: profile.client, device: profile.device, serviceProvider: profile.serviceProvider),
                    provider.id)
            }
        }
        if degradation(.authenticateAll, serviceProvider: owner.serviceProvider, provider: provider.id, at: now) != nil
        {
            return .complete
        }
        guard let login else { return .nothing }
        if case .partner = login.kind { return .partner }
        return provider.hasLogoutPage ? .page : .complete
    }
}
