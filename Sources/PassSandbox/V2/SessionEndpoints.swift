// S1 to S4: a login attempt from its code to the provider's page. Contract: rest-v2.md §4 S1–S4, §5, §19.

import PassJSON

extension World {
    /// Reads and checks the parameters of a form. A wrong value is refused. A missing value is left out.
    func loginParameters(_ form: [Field], _ caller: Caller) throws(Refusal) -> LoginParameters {
        guard !form.contradictsItself else { throw .badRequest("A parameter is given twice") }
        var parameters = LoginParameters()
        if let mvpd = form.one("mvpd") {
            parameters.mvpd = try integration(caller, mvpd).0.id
        }
        if let domain = form.one("domainName") {
            guard isRegistered(domain: domain, caller) else { throw .enhanced(.invalidParameterDomainName) }
            parameters.domainName = domain
        }
        if let text = form.one("redirectUrl") {
            guard let url = URLText(text), isRegisteredInV2(url, caller) else {
                throw .enhanced(.invalidParameterRedirectURL)
            }
            parameters.redirectURL = text
            parameters.redirectApp = caller.app.id
        }
        return parameters
    }

    /// Whether the URL is registered. `strict` refuses the address of the old iOS SDK, because nobody knows whether V2 accepts
    /// it. Evidence: E19.
    func isRegisteredInV2(_ url: URLText, _ caller: Caller) -> Bool {
        !(settings.strict && url.text == registeredEverywhere)
            && isRegistered(url, for: caller.serviceProvider, app: caller.app)
    }

    private func isRegistered(domain: String, _ caller: Caller) -> Bool {
        guard let name = HostName(domain) else { return false }
        return (caller.serviceProvider.domains + caller.app.domains).contains(where: name.isOn)
            || URLText(origin)?.host == name.text
    }
}

/// S1: makes a session. The answer is one of the six outcomes in the contract's table, all with status 200.
func createSession(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let (caller, device, owner) = try call.callerWithDevice(world)
    let parameters = try world.loginParameters(call.formBody(), caller)
    let identities = world.identities(of: call)

    let sessionID = world.state.random.identifier()
    if let known = world.loginUnnecessary(owner, mvpd: parameters.mvpd, identities: identities, at: call.now) {
        return .json(authorizeAnswer(known, sessionID: sessionID, serviceProvider: caller.serviceProvider.id))
    }
    let session = world.openSession(
        parameters, owner: owner, device: device, identities: identities, at: call.now, id: sessionID)
    return .json(sessionAnswer(session, world.pages, whenIncomplete: "resume"))
}

/// S2: continues the session with parameters from the second application. The answer lists the parameters that are still
/// missing.
func resumeSession(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.caller(world)
    var session = try world.openSession(call, caller)
    let given = try world.loginParameters(call.formBody(), caller)
    session.mvpd = given.mvpd ?? session.mvpd
    session.isProviderGiven = session.isProviderGiven || given.mvpd != nil
    session.domainName = given.domainName ?? session.domainName
    if given.redirectURL != nil { (session.redirectURL, session.redirectApp) = (given.redirectURL, given.redirectApp) }
    world.state.sessions[session.code] = session
    if let known = world.loginUnnecessary(session.owner, mvpd: session.mvpd, identities: [], at: call.now) {
        return .json(authorizeAnswer(known, sessionID: session.id, serviceProvider: session.serviceProvider))
    }
    return .json(sessionAnswer(session, world.pages, whenIncomplete: "retry"))
}

/// S3: describes the session of a code, and the device that shows the code.
func readSession(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.caller(world)
    let session = try world.openSession(call, caller)
    return .json(
        .members([
            "existingParameters":
                .members([
                    "serviceProvider": .string(session.serviceProvider), "mvpd": session.mvpd.map(JSONValue.string),
                    "domainName": session.domainName.map(JSONValue.string),
                    "redirectUrl": session.redirectURL.map(JSONValue.string),
                ]),
            "missingParameters": session.missing.isEmpty ? nil : .array(session.missing.map(JSONValue.string)),
            "device": session.deviceInfo.normalised(),
            "notBefore": .string(String(session.begins)), "notAfter": .string(String(session.ends)),
        ]))
}

/// S4: leads the browser to the provider. Errors are pages. The login continues at `/login/…`.
func authenticate(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    guard world.mayGuess(call, .code(call["code"])) else {
        throw .response(CodeEntryProblem.tooMany.response(typed: ""))
    }
    guard world.catalogue.serviceProvider(call["serviceProvider"]) != nil,
        let session = world.state.sessions[call["code"]], session.serviceProvider == call["serviceProvider"],
        session.registration == nil
    else { throw .wrongCode(.code(call["code"]), .response(codeProblemPage(.unknown, status: 400))) }
    if let problem = session.problem(at: call.now) { throw .response(codeProblemPage(problem, status: 400)) }
    guard session.missing.isEmpty, let mvpd = session.mvpd else {
        return .redirect(to: "/activate?code=" + percentEncoded(session.code))
    }
    return world.beginLogin(session, mvpd: mvpd, cameFromActivation: false, call: call)
}

extension World {
    /// The session of the code in the path. Throws if the session is not open. Contract: rest-v2.md §6.2.
    fileprivate func openSession(_ call: Call, _ caller: Caller) throws(Refusal) -> Session {
        let session = try knownSession(call, caller)
        guard session.problem(at: call.now) == nil else { throw .enhanced(.invalidAuthenticationSession) }
        return session
    }

    func knownSession(_ call: Call, _ caller: Caller) throws(Refusal) -> Session {
        let code = call["code"]
        guard (4...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ isIdentifierByte($0) && $0 != UInt8(ascii: ".") })
        else { throw .enhanced(.invalidParameterCode) }
        guard mayGuess(call, .codeByProgram(code)) else { throw .response(Throttle.refusal) }
        guard let session = state.sessions[code], session.serviceProvider == caller.serviceProvider.id,
            session.registration == nil
        else {
            throw .wrongCode(.codeByProgram(code), .enhanced(.invalidAuthenticationSession))
        }
        return session
    }
}

func sessionAnswer(
    _ session: Session, _ pages: PagesSite, whenIncomplete incomplete: String, reason: String = "none"
) -> JSONValue {
    let complete = session.missing.isEmpty
    let url =
        complete
        ? pages.reference("/api/v2/authenticate/\(session.serviceProvider)/\(session.code)")
        : "/api/v2/\(session.serviceProvider)/sessions/\(session.code)"
    return .members([
        "actionName": .string(complete ? "authenticate" : incomplete),
        "actionType": .string(complete ? "interactive" : "direct"), "reasonType": .string(reason),
        "url": .string(url),
        "missingParameters": complete ? nil : .array(session.missing.map(JSONValue.string)),
        "code": .string(session.code), "sessionId": .string(session.id), "mvpd": session.mvpd.map(JSONValue.string),
        "serviceProvider": .string(session.serviceProvider), "notBefore": .string(String(session.begins)),
        "notAfter": .string(String(session.ends)),
    ])
}

func authorizeAnswer(_ known: KnownLogin, sessionID: String, serviceProvider: String) -> JSONValue {
    [
        "actionName": "authorize", "actionType": "direct", "reasonType": .string(known.reason.rawValue),
        "url": .string("/api/v2/\(serviceProvider)/decisions/authorize/\(known.mvpd)"),
        "sessionId": .string(sessionID), "mvpd": .string(known.mvpd), "serviceProvider": .string(serviceProvider),
    ]
}
