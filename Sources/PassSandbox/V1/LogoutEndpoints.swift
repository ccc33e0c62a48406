// Ends a login: called by the device itself, or by a browser that has to visit the provider as well. Contract:
// rest-v1.md §6.13, §14; open-questions.md OQ-43.

let olderLogoutEndpoints = [
    V1.endpoint("DELETE", path: "/api/v1/logout", access: .bearer, handler: endDeviceLogin),
    V1.endpoint("GET", path: "/api/v1/logout", access: .open, handler: endBrowserLogin),
]

/// Ends the login without telling the provider. It is not an error if nobody is logged in.
private func endDeviceLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    world.signOff(device.owner, world.v1Identity(device.parameters, call), at: call.now)
    return V1.empty(204)
}

/// Ends the login by whichever client it was made, since a browser has no client.
private func endBrowserLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let parameters = try Parameters(call.request)
    let serviceProvider = try world.requestor(parameters["requestor"], "requestor")
    let device = try parameters.deviceID()
    let text = try parameters.required("redirect_url")
    guard let url = URLText(text), world.isRegistered(url, for: serviceProvider) else {
        throw .v1(.wrong("redirect_url"))
    }
    let scope = Owner.v1Scope(parameters["appId"] ?? "")
    let profiles = world.state.profiles.rows.values.filter { profile in
        profile.client.hasPrefix(scope) && profile.device == device && profile.serviceProvider == serviceProvider.id
    }
    for profile in profiles { world.signOff(Owner(profile), nil, at: call.now) }
    guard let provider = profiles.first.flatMap({ world.catalogue.provider($0.mvpd) }), provider.hasLogoutPage else {
        return .redirect(to: text)
    }
    return .redirect(
        to: "/adobe-services/logout?requestor_id=\(serviceProvider.id)&mso_id=\(provider.id)&redirect_url="
            + percentEncoded(text))
}
