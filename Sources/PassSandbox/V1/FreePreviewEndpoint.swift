// Lets a device watch without a login. Contract: rest-v1.md §9.1–§9.3.

let freePreviewEndpoints = [
    V1.endpoint("POST", path: "/api/v1/authenticate/freepreview", access: .bearer, handler: startPreview)
]

private func startPreview(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world, requestor: "requestor_id")
    let parameters = device.parameters
    let serviceProvider = device.caller.serviceProvider
    let mvpd = try parameters.required("mso_id")
    let domain = try parameters.required("domain_name")
    guard serviceProvider.has(domain) else { throw .v1(.wrong("domain_name")) }
    let (provider, _) = try world.v1Integration(serviceProvider.id, mvpd)
    guard provider.tempPass != nil else { throw .v1(.wrong("mso_id")) }
    let person = try world.person(parameters, provider)
    var profile = world.unprovenLogin(device.owner, provider, person: person, at: call.now)
    profile.grant = Grant(
        signOn: world.state.random.identifier(), deviceUser: device.deviceUser, person: person, updated: call.now)
    world.install(profile)
    return V1.empty(204)
}
