// The sign-on service: issues service tokens and links devices to a user. It is a separate interface with its own form
// of errors. Contract: rest-v2.md §12.4.

import PassJSON

/// The errors of the sign-on service. Contract: rest-v2.md §12.4, last paragraph.
private enum SignOnFault: String {
    case tokenInvalid = "token_invalid"
    case tokenExpired = "token_expired"
    case headerMissing = "header_missing"
    case headerInvalid = "header_invalid"
    case bodyMissing = "request_null"
    case bodyInvalid = "request_invalid"
    case unauthorized

    var status: Int {
        switch self {
        case .tokenInvalid, .headerMissing, .bodyMissing, .bodyInvalid: 400
        case .tokenExpired, .headerInvalid, .unauthorized: 401
        }
    }

    var action: String {
        switch self {
        case .tokenInvalid, .tokenExpired: "get_new_token"
        case .headerMissing, .headerInvalid: "check_headers"
        case .bodyMissing, .bodyInvalid: "check_request_body"
        case .unauthorized: "none"
        }
    }

    func refusal(_ call: Call, _ message: String) -> Refusal {
        .response(
            .json(
                [
                    "status": status == 400 ? "BAD_REQUEST" : "UNAUTHORIZED",
                    "error": [
                        "status": .int(Int64(status)), "code": .string(rawValue), "action": .string(action),
                        "message": .string(message), "trace": .string(call.trace),
                    ],
                ], status: status))
    }
}

func signOnUnauthorized(_ call: Call) -> Refusal {
    SignOnFault.unauthorized.refusal(call, "The access token is missing, unknown or expired")
}

func issueServiceToken(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try signOnDevice(call, world)
    let subject: String
    let isLinked: Bool
    switch (call.request.header("X-SSO-ID"), call.request.header("X-SSO-LINK")) {
    case (let id?, nil):
        guard (1...256).contains(id.utf8.count) else {
            throw SignOnFault.headerInvalid.refusal(call, "X-SSO-ID is empty or too long")
        }
        (subject, isLinked) = (id, false)
    case (nil, let code?):
        guard let link = world.state.links[code], call.now < link.ends else {
            throw SignOnFault.headerInvalid.refusal(call, "The link code is unknown, used or expired")
        }
        world.state.links[code] = nil
        (subject, isLinked) = (link.subject, true)
    case (nil, nil): throw SignOnFault.headerMissing.refusal(call, "X-SSO-ID or X-SSO-LINK is missing")
    default: throw SignOnFault.headerInvalid.refusal(call, "X-SSO-ID and X-SSO-LINK cannot be combined")
    }
    world.state.devices[rowKey(subject, device.id)] = LinkedDevice(
        subject: subject, device: device.id, info: device.info, lastSeen: call.now, isLinked: isLinked)
    return tokenAnswer(world.makeServiceToken(for: subject, at: call.now), status: 201, call)
}

/// Renews a token. The token may have expired recently.
func renewServiceToken(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let grace: Instant = 24 * 3_600_000
    guard let text = call.request.header("AD-Service-Token") else {
        throw SignOnFault.headerMissing.refusal(call, "AD-Service-Token is missing")
    }
    var token = world.serviceToken(text, at: call.now)
    if case .failure(.expired) = token { token = world.serviceToken(text, at: call.now - grace) }
    let subject = try signOnSubject(token, call, ifExpired: "The service token expired too long ago")
    return tokenAnswer(world.makeServiceToken(for: subject, at: call.now), status: 200, call)
}

func makeLink(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let subject = try signOnSubject(call, &world)
    var code = world.state.random.digits(6)
    while world.state.links[code] != nil { code = world.state.random.digits(6) }
    let ends = call.now + world.settings.linkLifetime.milliseconds
    world.state.links[code] = LinkCode(subject: subject, ends: ends)
    return .json(
        ["status": "CREATED", "code": .string(code), "notBefore": .int(call.now), "notAfter": .int(ends)], status: 201)
}

/// Unlinks devices. Unknown ids are ignored.
func unlinkDevices(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let subject = try signOnSubject(call, &world)
    guard !call.request.body.isEmpty else { throw SignOnFault.bodyMissing.refusal(call, "The body is missing") }
    guard let items = (try? JSONReader.read(call.request.body))?["devices"]?.array,
        items.allSatisfy({ $0.string != nil })
    else { throw SignOnFault.bodyInvalid.refusal(call, "The body should be {\"devices\": [ids]}") }
    let unlinked = items.compactMap(\.string).filter { world.state.devices[rowKey(subject, $0)] != nil }
    for id in unlinked { world.state.devices[rowKey(subject, id)] = nil }
    return .json(["status": "OK", "unlinkedDevices": .array(unlinked.map(JSONValue.string))])
}

func listDevices(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let subject = try signOnSubject(call, &world)
    let devices = world.state.devices.rows.values.filter { $0.subject == subject }.sorted { $0.device < $1.device }
    return .json([
        "status": "OK",
        "devices": .object(
            devices.map { device in
                func text(_ key: String) -> JSONValue { device.info[key].map(JSONValue.string) ?? .null }
                return .init(
                    device.device,
                    [
                        "deviceType": text("primaryHardwareType"), "model": text("model"), "os": text("osName"),
                        "osVersion": text("osVersion"), "lastSeen": .int(device.lastSeen),
                        "type": device.isLinked ? "sso" : "regular",
                    ])
            }),
    ])
}

private func tokenAnswer(_ token: (text: String, ends: Instant), status: Int, _ call: Call) -> Response {
    .json(
        [
            "status": status == 201 ? "CREATED" : "OK", "serviceToken": .string(token.text),
            "notBefore": .int(call.now), "notAfter": .int(token.ends),
        ], status: status)
}

/// Checks that the access token of a call is valid for its service provider.
func checkChannel(_ call: Call, _ world: World) throws(Refusal) {
    do { _ = try call.caller(world) } catch .enhanced {
        throw SignOnFault.unauthorized.refusal(call, "The access token is not valid for this service provider")
    }
}

private func signOnDevice(_ call: Call, _ world: World) throws(Refusal) -> Device {
    for name in ["AP-Device-Identifier", "X-Device-Info"] where call.request.header(name) == nil {
        throw SignOnFault.headerMissing.refusal(call, "\(name) is missing")
    }
    do { return try call.device(world) } catch .enhanced {
        throw SignOnFault.headerInvalid.refusal(call, "AP-Device-Identifier or X-Device-Info cannot be read")
    }
}

private func signOnSubject(_ call: Call, _ world: inout World) throws(Refusal) -> String {
    guard let text = call.request.header("AD-Service-Token"), call.request.header("AP-Device-Identifier") != nil else {
        throw SignOnFault.headerMissing.refusal(call, "AP-Device-Identifier or AD-Service-Token is missing")
    }
    return try signOnSubject(world.serviceToken(text, at: call.now), call, ifExpired: "The service token has expired")
}

private func signOnSubject(
    _ token: Result<ServiceToken, ServiceToken.Fault>, _ call: Call, ifExpired message: String
) throws(Refusal) -> String {
    switch token {
    case .success(let token): return token.subject
    case .failure(.invalid): throw SignOnFault.tokenInvalid.refusal(call, "The service token is not valid")
    case .failure(.expired): throw SignOnFault.tokenExpired.refusal(call, message)
    }
}
