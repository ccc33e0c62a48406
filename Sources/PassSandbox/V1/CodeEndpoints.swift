// Codes of the older interface. The device requests, reads and deletes codes. A browser logs in with a code. Contract:
// rest-v1.md §6.1, §6.2, §7.

import PassJSON

private let longestLife: Int64 = 36_000

func makeCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let parameters = device.parameters
    let info = try call.v1DeviceInfo(parameters, world).merged(over: call.request)
    let serviceProvider = device.caller.serviceProvider
    var life = world.settings.sessionLifetime.milliseconds
    if let text = parameters["ttl"] {
        guard let seconds = Int64(text), (1...longestLife).contains(seconds) else { throw .v1(.wrong("ttl")) }
        life = seconds * 1000
    }
    var login = LoginParameters()
    if let mvpd = parameters["mvpd"] { login.mvpd = try world.v1Integration(serviceProvider.id, mvpd).0.id }
    var url = serviceProvider.registrationURL ?? world.pages.address("/activate")
    if let wish = parameters["registrationURL"], let wished = URLText(wish), wished.isWeb,
        world.isRegistered(wished, for: serviceProvider, app: device.caller.app)
    {
        url = wish
    }

    world.supersedeCodes(device.owner)
    let identities = device.appID.isEmpty ? [world.v1Identity(parameters, call)].compactMap(\.self) : []
    var session = world.openSession(
        login, owner: device.owner, device: Device(id: device.owner.device, info: info), identities: identities,
        at: call.now)
    session.ends = call.now + life
    session.redirectApp = device.caller.app.id
    session.registration = Registration(
        client: device.caller.client.id, userAgent: call.request.header("User-Agent") ?? "",
        deviceType: parameters["deviceType"], deviceUser: device.deviceUser,
        appID: device.appID.isEmpty ? nil : device.appID, url: url)
    world.state.sessions[session.code] = session
    return world.record(session, call).response(call, status: 201)
}

func readCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let session = try world.readableCode(call)
    return world.record(session, call).response(call)
}

func deleteCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let session = try world.readableCode(call)
    world.state.sessions[session.code] = nil
    return V1.empty(204)
}

extension World {
    /// Ends the older codes. A device has one valid code for a requestor, even with several app ids. Contract: rest-v1.md §7.
    fileprivate mutating func supersedeCodes(_ owner: Owner) {
        state.sessions.change {
            $0.isSuperseded = true
        } where: { _, session in
            session.registration != nil && session.device == owner.device
                && session.serviceProvider == owner.serviceProvider && session.profile == nil
        }
    }

    /// Finds a code of this interface. The spelling of the input does not matter.
    func registrationCode(_ text: String, _ serviceProvider: ServiceProvider) -> Session? {
        guard let session = TypedCode(text).flatMap({ state.sessions[$0.code] }), session.registration != nil,
            session.serviceProvider == serviceProvider.id
        else { return nil }
        return session
    }

    /// The session of the code in the path. The number of guesses is limited.
    func guessedCode(
        _ call: Call, _ serviceProvider: ServiceProvider, orElse fault: V1Fault
    ) throws(Refusal) -> Session {
        guard mayGuess(call, .codeByProgram(call["code"])) else { throw .response(Throttle.refusal) }
        guard let session = registrationCode(call["code"], serviceProvider) else {
            throw .wrongCode(.codeByProgram(call["code"]), .v1(fault))
        }
        return session
    }

    /// The session of a valid code: it has not expired, it was not replaced, and the device has not picked up its login.
    fileprivate func readableCode(_ call: Call) throws(Refusal) -> Session {
        let caller = try call.v1Caller(self)
        let session = try guessedCode(call, caller.serviceProvider, orElse: V1Fault(404, code: .badRequest))
        guard !session.isSuperseded,
            call.now < session.ends, session.registration?.pickedUp == nil
        else { throw .v1(V1Fault(404, code: .badRequest)) }
        return session
    }

    fileprivate func record(_ session: Session, _ call: Call) -> Document {
        let registration = session.registration
        let app = registration.flatMap { state.clients[$0.client] }.flatMap(app(of:))
        let needsElement = settings.strict && call.format?.kind == .xml
        func text(_ value: String?) -> JSONValue? { value.map(JSONValue.string) }
        let info = JSONValue.members([
            "deviceId": .string(base64(session.device.utf8)),
            "deviceInfo": .string(base64(session.deviceInfo.normalised().bytes)),
            "userAgent": text(registration?.userAgent), "originalUserAgent": text(registration?.userAgent),
            "authorizationType": "OAUTH2",
            "sourceApplicationInformation":
                app.map { ["id": .string($0.id), "name": .string($0.name), "version": .string($0.version)] },
            "deviceType": text(registration?.deviceType), "deviceUser": text(registration?.deviceUser),
            "appId": text(registration?.appID), "registrationURL": text(registration?.url),
        ])
        return Document(
            "regcode", namespace: "model.mvc.reggie.pass.adobe.com",
            .members([
                "id": .string(session.id), "code": .string(session.code),
                "requestor": .string(session.serviceProvider),
                "mvpd": session.mvpd.map(JSONValue.string) ?? (needsElement ? JSONValue.string("") : JSONValue?.none),
                "generated": .int(session.begins), "expires": .int(session.ends), "info": info,
            ]))
    }
}

// The endpoints for a browser with a code. They need no bearer token. One endpoint leads to the provider, and the other
// endpoints tell whether the login worked. Contract: rest-v1.md §6.4, §6.5, §8; open-questions.md OQ-50, OQ-62.

func authenticateCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
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

func checkCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    _ = try world.login(ofCodeIn: call, orElse: 403)
    return V1.empty(200)
}

/// Returns the code's login in the form for devices. 404 means "not yet". Evidence: E12.
func readLoginOfCode(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
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

    /// The time, in milliseconds, for which the code still works after the device has picked up the login.
    private static let grace: Instant = 5 * 60_000

    func loginOfCode(_ code: String, _ serviceProvider: ServiceProvider, at now: Instant) -> Profile? {
        guard let session = registrationCode(code, serviceProvider),
            let profile = session.profile.flatMap({ state.profiles[$0] }), profile.v1?.code == session.code,
            profile.isValid(at: now),
            now < (session.registration?.pickedUp.map { $0 + Self.grace } ?? session.ends)
        else { return nil }
        return profile
    }
}

extension ServiceProvider {
    /// Whether the domain is a domain of the service provider, or a name below such a domain.
    func has(_ domain: String) -> Bool {
        HostName(domain).map { domains.contains(where: $0.isOn) } ?? false
    }
}
