// The parts of the older interface that depend on a platform's own TV account: the list of providers, and the login with the
// account. Contract: rest-v1.md §6.3, §10; open-questions.md OQ-38.

import PassJSON

func olderConfiguration(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.v1Caller(world)
    let serviceProvider = caller.serviceProvider
    let info = (try? call.v1DeviceInfo(caller.parameters, world)) ?? .unknown
    let isPartners = world.partner(ofDevice: caller.parameters["deviceType"] ?? info.closed("osName")) != nil
    let mvpds = world.catalogue.providers(of: serviceProvider.id).map { provider, integration in
        mvpd(provider, integration, isPartners ? provider.boarding : nil, world.pages)
    }
    return Document(
        "config",
        [
            "requestor": [
                "id": .string(serviceProvider.id), "name": .string(serviceProvider.name),
                "domains": .array(
                    serviceProvider.domains.map { ["name": .string($0), "mvpdInitiated": false] }),
                "mvpds": .array(mvpds),
            ],
            "device": .string(Platform(info).name), "clientType": "clientless", "os": .string(Platform(info).system),
            "time": .int(call.now),
        ]
    ).response(call)
}

/// An entry of the list. `boarding` says how the provider takes part in the platform's own sign-on; nil if the platform has no
/// sign-on of its own.
private func mvpd(
    _ provider: Provider, _ integration: Integration, _ boarding: Provider.Boarding?, _ pages: PagesSite
) -> JSONValue {
    .members([
        "id": .string(provider.id), "displayName": .string(provider.name),
        "logoUrl": .string(providerLogoURL(provider, pages)),
        "authPerAggregator": .bool(provider.loginPerRequestor), "passiveAuthnEnabled": false,
        "isTempPass": provider.tempPass == nil ? nil : true, "isProxy": provider.proxy == nil ? nil : true,
        "enablePlatformServices": boarding.map { _ in .bool(integration.partnerSignOn) },
        "boardingStatus": boarding.map { .string($0.rawValue) },
        "displayInPlatformPicker": boarding.map { _ in true },
        "platformMappingId": boarding.flatMap { _ in provider.platformMappingID.map(JSONValue.string) },
        "requiredMetadataFields": boarding.map { _ in .strings(provider.requiredMetadataFields) },
    ])
}

extension World {
    /// The platform whose devices report this type. The catalogue's `tvOS` also means `iOS`. Contract: rest-v1.md §10,
    /// open-questions.md OQ-28.
    func partner(ofDevice type: String?) -> Partner? {
        let name = type == "iOS" ? "tvOS" : type
        return catalogue.partners.first { $0.deviceType == name || $0.deviceType == type }
    }
}

// Logs in with the platform's own TV account. Issues a request for the platform, and makes a login from the platform's answer.
// Contract: rest-v1.md §10; open-questions.md OQ-28, OQ-29, OQ-51, OQ-52.

/// The owner of a request. Only the client that made the request may answer it. The prefix excludes clients of the newer
/// interface.
private func requester(_ caller: V1Caller) -> Owner {
    Owner(client: "v1 " + caller.client.id, device: "", serviceProvider: caller.serviceProvider.id)
}

func makeProfileRequest(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.v1Caller(world)
    let (partner, provider, _) = try world.exchange(caller, call["mvpd"])
    let request = world.makePartnerRequest(partner, provider: provider, owner: requester(caller), at: call.now)
    return Response(
        status: 200, headers: [Field("Content-Type", "application/octet-stream")], body: Array(request.utf8))
}

func exchangeProfile(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.v1Caller(world)
    let device = try call.unnamedDevice(caller, world)
    let mvpd = try caller.parameters.required("mvpd")
    let (partner, provider, integration) = try world.exchange(caller, mvpd)
    let text = try caller.parameters.required("SAMLResponse")
    guard
        let (answer, request) = world.partnerAnswer(text, partner, provider, of: requester(caller), at: call.now),
        request.mvpd == provider.id, answer.provider == provider.id
    else { throw .v1(.wrong("SAMLResponse")) }
    world.state.partnerRequests[request.id] = nil
    world.install(
        Profile(
            device.owner, mvpd: provider.id, user: answer.user, begins: call.now,
            ends: call.now + integration.authenticationLifetime.milliseconds, source: .partner(partner.id),
            v1: V1Login(
                signOn: world.state.random.identifier(), deviceUser: device.deviceUser, updated: call.now)))
    return V1.empty(204)
}

extension World {
    /// The platform of the device's type, and the provider. Throws if the provider does not support the platform's sign-on.
    fileprivate func exchange(
        _ caller: V1Caller, _ mvpd: String
    ) throws(Refusal) -> (Partner, Provider, Integration) {
        let type = try caller.parameters.required("deviceType")
        guard let partner = partner(ofDevice: type) else { throw .v1(.wrong("deviceType")) }
        let (provider, integration) = try v1Integration(caller.serviceProvider.id, mvpd)
        guard integration.partnerSignOn else {
            throw .v1(
                V1Fault(400, code: .unknownIntegration, message: "The MVPD does not support platform sign-on here"))
        }
        return (partner, provider, integration)
    }
}
