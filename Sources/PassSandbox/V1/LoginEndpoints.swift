// The endpoints for a device's login over the older interface: check, metadata, logout, and temporary passes. Contract:
// rest-v1.md §6.6, §6.7, §6.15.

import PassJSON

func checkAuthentication(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let profile = try world.login(of: device, call).required(403)
    return V1.empty(200, headers: world.originHeader(profile))
}

/// Reads the device's login. If the login was made with a code, the code is used up by this call.
func readAuthentication(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let login = world.login(of: device, call)
    let isMissing = if case .failure(.profileMissing) = login { true } else { false }
    let profile = try login.required(isMissing ? 404 : 410)
    if let code = profile.v1?.code, world.state.sessions[code]?.registration?.pickedUp == nil {
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

// The user metadata of the viewer. Contract: rest-v1.md §6.12; open-questions.md OQ-21, OQ-23, OQ-45.

func readMetadata(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    let profile = try world.login(of: device, call).required(412, "User not authenticated")
    let (data, encrypted) = world.metadata(profile, device.owner)
    // A login by a degradation rule has no metadata, because nobody knows the viewer.
    guard !data.isEmpty else { throw .v1(V1Fault(404, code: .badRequest)) }
    return Document(
        "userMetadata",
        [
            "updated": .int((profile.v1?.updated ?? profile.begins) / 1000),
            "encrypted": .array(encrypted.map(JSONValue.string)), "data": .object(data),
        ]
    ).response(call)
}

extension World {
    /// The values, and the names of the encrypted values.
    fileprivate func metadata(_ profile: Profile, _ owner: Owner) -> (data: [JSONObject.Member], encrypted: [String]) {
        if profile.source == .degraded { return ([], []) }
        if let provider = catalogue.provider(profile.mvpd), let pass = provider.tempPass {
            let keys = TrialKeys(owner, provider, person: profile.v1?.person)
            return (trialAttributes(pass, keys: keys, trial: trial(keys)?.trial, ends: profile.ends), [])
        }
        var data: [JSONObject.Member] = []
        var encrypted: [String] = []
        for member in attributes(profile, owner.serviceProvider).members ?? [] {
            guard let value = member.value["value"], value != .null else { continue }
            data.append(.init(member.name, value))
            if member.value["state"] == "enc" { encrypted.append(member.name) }
        }
        if case .partner(let name) = profile.source { data.append(.init("tokenSource", .string(name))) }
        return (data, encrypted)
    }
}

// Ends a login. The caller is the device itself, or a browser. A browser must also visit the provider. Contract: rest-v1.md
// §6.13, §14; open-questions.md OQ-43.

/// Ends the login without telling the provider. If no viewer is logged in, the call still succeeds.
func endDeviceLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let device = try call.v1Device(world)
    world.signOff(device.owner, world.v1Identity(device.parameters, call), at: call.now)
    return V1.empty(204)
}

/// Ends the logins of the device in all clients that have this call's app id. The caller is a browser, so no single client
/// is known.
func endBrowserLogin(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
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
    for profile in profiles { world.signOff(profile.owner, nil, at: call.now) }
    guard let provider = profiles.first.flatMap({ world.catalogue.provider($0.mvpd) }), provider.hasLogoutPage else {
        return .redirect(to: text)
    }
    return .redirect(
        to: "/adobe-services/logout?requestor_id=\(serviceProvider.id)&mso_id=\(provider.id)&redirect_url="
            + percentEncoded(text))
}

// Lets a device watch without a login. Contract: rest-v1.md §9.1–§9.3.

func startPreview(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
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
    profile.v1 = V1Login(
        signOn: world.state.random.identifier(), deviceUser: device.deviceUser, person: person, updated: call.now)
    world.install(profile)
    return V1.empty(204)
}

// Resets a temporary pass on behalf of the operator: for a device, a person, or all. Contract: rest-v1.md §9.4.

func resetDevicesTrials(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    try resetTrials("device", parameter: "device_id", call: call, world: &world)
}

func resetPersonsTrials(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    try resetTrials("person", parameter: "key", call: call, world: &world)
}

private func resetTrials(
    _ kind: String, parameter: String, call: Call, world: inout World
) throws(Refusal) -> Response {
    guard let app = call.client.flatMap(world.app(of:)) else { throw .unauthorized }
    guard app.scopes.contains(V1.operatorScope) else { throw .oauth("invalid_client", status: 403) }
    let parameters = try Parameters(call.request)
    let serviceProvider = try world.requestor(parameters["requestor_id"], "requestor_id")
    guard app.serviceProviders.contains(serviceProvider.id) else { throw .oauth("invalid_client", status: 403) }
    let (provider, _) = try world.v1Integration(serviceProvider.id, try parameters.required("mvpd_id"))
    guard let pass = provider.tempPass, kind == "device" || pass.promotion != nil else {
        throw .v1(.wrong("mvpd_id"))
    }
    let id = parameters[parameter] ?? "all"
    world.forgetTrials(
        rowKey(serviceProvider.id, provider.id, kind, id == "all" ? "" : id), isPrefix: id == "all")
    return V1.empty(204)
}

extension World {
    /// Removes trials, which are the records about the use of temporary passes. Also removes the trials that continue them.
    fileprivate mutating func forgetTrials(_ place: String, isPrefix: Bool) {
        let gone = state.trials.rows.keys.filter { isPrefix ? $0.hasPrefix(place) : $0 == place }
        for key in gone { state.trials[key] = nil }
        for (key, trial) in state.trials.rows where trial.continues.map(gone.contains) == true {
            state.trials[key] = nil
        }
    }
}
