// The endpoints for a browser with a code: it goes to the provider, and asks whether the login worked. They need no
// bearer token. Contract: rest-v1.md §6.4, §6.5, §8; open-questions.md OQ-50, OQ-62.

let secondScreenEndpoints = [
    V1.endpoint("GET", path: "/api/v1/authenticate", access: .open, handler: authenticateCode),
    V1.endpoint("GET", path: "/api/v1/checkauthn/{code}", access: .open, handler: checkCode),
    // Clients that work with the service poll here.
    V1.endpoint("GET", path: "/api/v1/authenticate/{code}", access: .open, handler: readLoginOfCode),
]

private func authenticateCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let parameters = try Parameters(call.request)
    let code = try parameters.required("reg_code")
    let serviceProvider = try world.requestor(parameters["requestor_id"], "requestor_id")
    let mvpd = try parameters.required("mso_id")
    let domain = try parameters.required("domain_name")
    let redirect = try parameters.required("redirect_url")
    if world.settings.strict {
        for name in ["noflash", "no_iframe"] { _ = try parameters.required(name) }
        guard call.request.query.last?.name == "redirect_url" else {
            throw .badRequest("'redirect_url' should be the last parameter")
        }
    }
    guard world.mayGuess(call, .code(code)) else { throw .response(CodeEntryProblem.tooMany.response(typed: "")) }
    guard var session = world.registrationCode(code, serviceProvider) else {
        throw .wrongCode(.code(code), .v1(.wrong("reg_code")))
    }
    guard session.problem(at: call.now) == nil else { throw .v1(.wrong("reg_code")) }
    guard serviceProvider.has(domain) else { throw .v1(.wrong("domain_name")) }
    let (provider, _) = try world.v1Integration(serviceProvider.id, mvpd)
    session.registration?.person = try world.person(parameters, provider)
    (session.mvpd, session.domainName, session.redirectURL) = (provider.id, domain, redirect)
    guard world.registeredRedirect(session) != nil else { throw .v1(.wrong("redirect_url")) }
    world.state.sessions[session.code] = session
    return world.beginLogin(session, mvpd: provider.id, cameFromActivation: false, call: call)
}

private func checkCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    _ = try world.login(ofCodeIn: call, orElse: 403)
    return V1.empty(200)
}

/// The login itself, as the device reads it. 404 means "not yet". Evidence: E12.
private func readLoginOfCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    world.authentication(try world.login(ofCodeIn: call, orElse: 404), call)
}

extension World {
    fileprivate func login(ofCodeIn call: Call, orElse status: Int) throws(Refusal) -> Profile {
        let serviceProvider = try requestor(Parameters(call.request)["requestor"], "requestor")
        _ = try guessedCode(call, serviceProvider, orElse: V1Fault(status, code: .sessionMissing))
        guard let profile = loginOfCode(call["code"], serviceProvider, at: call.now) else {
            throw .v1(V1Fault(status, code: .sessionMissing))
        }
        return profile
    }

    /// For this time after the device has picked up the login, the code still answers. In milliseconds.
    private static let grace: Instant = 5 * 60_000

    func loginOfCode(_ code: String, _ serviceProvider: ServiceProvider, at now: Instant) -> Profile? {
        guard let session = registrationCode(code, serviceProvider),
            let profile = session.profile.flatMap({ state.profiles[$0] }), profile.grant?.code == session.code,
            now < profile.ends, !profile.isInvalidated,
            now < (session.registration?.pickedUp.map { $0 + Self.grace } ?? session.ends)
        else { return nil }
        return profile
    }
}

extension ServiceProvider {
    /// Whether the domain is one of the service provider's, or a name below one.
    func has(_ domain: String) -> Bool {
        HostName(domain).map { domains.contains(where: $0.isOn) } ?? false
    }
}
