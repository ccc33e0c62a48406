// X1 and X2: a login by the platform's own TV account. Any fault leads to a normal login. Contract: rest-v2.md §4 X1,
// X2, §12.3.

import PassJSON

/// The reason why partner sign-on is not possible. Contract: X1, `reasonType`.
private enum Fallback: String {
    case status = "pfs_fallback"
    case configuration = "configuration_fallback"
    case missingParameters = "missing_parameters_fallback"
}

func partnerSession(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let (caller, device, owner) = try call.callerWithDevice(world)
    guard let partner = world.catalogue.partner(call["partner"]) else { throw .enhanced(.invalidParameterPartner) }
    var parameters = try world.loginParameters(call.formBody().filter { $0.name != "mvpd" }, caller)
    let fallback: Fallback
    if let providerID = try? call.partnerProviderID() {
        let provider = world.catalogue.providers.first { $0.platformMappingID == providerID }
        parameters.mvpd = provider.flatMap { world.catalogue.integration(owner.serviceProvider, $0.id)?.provider }
        if let known = parameters.mvpd.flatMap({
            world.loginUnnecessary(owner, mvpd: $0, identities: [], at: call.now, withPartners: true)
        }) {
            let id = world.state.random.identifier()
            let isPartners = world.state.profiles[owner.key(known.mvpd)].map { $0.source != .regular } ?? false
            let reason = isPartners && known.reason == .authenticated ? .authenticatedSSO : known.reason
            return .json(
                authorizeAnswer(
                    KnownLogin(mvpd: known.mvpd, reason: reason), sessionID: id, serviceProvider: owner.serviceProvider)
            )
        }
        if let provider, let integration = world.catalogue.integration(owner.serviceProvider, provider.id) {
            if let code = integration.misconfiguration { throw .enhanced(code) }
            if integration.partnerSignOn {
                return .json(world.partnerRequest(partner, provider: provider, owner: owner, at: call.now))
            }
        }
        fallback = .configuration
    } else {
        fallback = .status
    }
    return .json(world.fallenBack(fallback, parameters: parameters, owner: owner, device: device, at: call.now))
}

extension World {
    fileprivate mutating func partnerRequest(
        _ partner: Partner, provider: Provider, owner: Owner, at now: Instant
    ) -> JSONValue {
        let request = makePartnerRequest(partner, provider: provider, owner: owner, at: now)
        return [
            "actionName": "partner_profile", "actionType": "direct", "reasonType": "none",
            "sessionId": .string(state.random.identifier()), "mvpd": .string(provider.id),
            "serviceProvider": .string(owner.serviceProvider),
            "url": .string("/api/v2/\(owner.serviceProvider)/profiles/sso/\(partner.id)"),
            "authenticationRequest": [
                "type": "saml", "request": .string(base64(request.utf8)), "attributesNames": ["userID", "householdID"],
            ],
        ]
    }

    /// The answer of X1 with a normal login, if partner sign-on is not possible.
    fileprivate mutating func fallenBack(
        _ reason: Fallback, parameters: LoginParameters, owner: Owner, device: Device, at now: Instant
    ) -> JSONValue {
        let session = openSession(parameters, owner: owner, device: device, identities: [], at: now)
        // The provider comes from the status. The other parameters come from the form.
        let isComplete = session.domainName != nil && session.redirectURL != nil
        let reason = isComplete ? reason : .missingParameters
        return sessionAnswer(session, pages, whenIncomplete: "resume", reason: reason.rawValue)
    }
}

/// X2: turns the platform's answer into a profile. Each answer can be used only once. During an AuthNAll degradation, the
/// answer is 200 with a degraded profile.
func partnerProfile(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let (caller, _, owner) = try call.callerWithDevice(world)
    guard let partner = world.catalogue.partner(call["partner"]) else { throw .enhanced(.invalidParameterPartner) }
    let form = try call.formBody()
    let provider: Provider
    do { provider = try world.partnerProvider(call) } catch { throw .enhanced(error) }
    let (_, integration) = try world.integration(caller, provider.id)
    guard integration.partnerSignOn else { throw .enhanced(.invalidPlatformServices) }
    if world.admitsEveryone(owner.serviceProvider, provider.id, at: call.now) {
        return profilesAnswer([(provider.id, world.degradedProfile(provider, owner, at: call.now))])
    }
    guard
        let (answer, request) = world.partnerAnswer(
            form.one("SAMLResponse"), partner, provider, of: owner, at: call.now)
    else { throw .enhanced(.invalidParameterSAMLResponse) }
    guard request.mvpd == provider.id, answer.provider == provider.id else { throw .enhanced(.partnerProviderMismatch) }

    world.state.partnerRequests[request.id] = nil
    let profile = Profile(
        owner, mvpd: provider.id, user: answer.user, begins: call.now,
        ends: call.now + integration.authenticationLifetime.milliseconds, source: .partner(partner.id))
    world.state.profiles[profile.key] = profile
    world.forgetDecisions(of: owner, provider.id)
    return profilesAnswer([(provider.id, world.profile(profile, owner.serviceProvider))], status: 201)
}
