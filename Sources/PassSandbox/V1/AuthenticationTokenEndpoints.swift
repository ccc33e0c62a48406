// Tells whether the device is logged in, and how. Contract: rest-v1.md §6.6, §6.7, §6.15.

import PassJSON

let authenticationTokenEndpoints = [
    V1.endpoint("GET", path: "/api/v1/checkauthn", access: .bearer, handler: checkAuthentication),
    V1.endpoint("GET", path: "/api/v1/tokens/authn", access: .bearer, handler: readAuthentication),
]

private func checkAuthentication(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let profile = try world.login(of: device, call).required(403)
    return V1.empty(200, headers: world.originHeader(profile))
}

/// Reads the login that a code has made. This uses up the code.
private func readAuthentication(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let login = world.login(of: device, call)
    let profile: Profile
    switch login {
    case .none: profile = try login.required(404)
    default: profile = try login.required(410)
    }
    if let code = profile.grant?.code, world.state.sessions[code]?.registration?.pickedUp == nil {
        world.state.sessions[code]?.registration?.pickedUp = call.now
    }
    return world.authentication(profile, call)
}

extension World {
    func authentication(_ profile: Profile, _ call: Call) -> Response {
        Document(
            "authentication",
            [
                "requestor": .string(profile.serviceProvider), "mvpd": .string(profile.mvpd),
                "userId": .string(userID(of: profile)), "expires": .string(String(profile.ends)),
            ]
        ).response(call, headers: originHeader(profile))
    }
}
