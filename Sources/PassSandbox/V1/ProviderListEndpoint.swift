// Lists the providers that a requestor works with. Contract: rest-v1.md §6.3, open-questions.md OQ-38.

import PassJSON

let olderConfigurationEndpoints = [
    V1.endpoint("GET", path: "/api/v1/config/{requestor}", access: .bearer, handler: olderConfiguration),
    V1.endpoint("GET", path: "/adobe-services/config/{requestor}", access: .bearer, handler: olderConfiguration),
]

private func olderConfiguration(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.v1Caller(world)
    let serviceProvider = caller.serviceProvider
    let info = (try? call.v1DeviceInfo(caller.parameters, world)) ?? .unknown
    let isPartners = world.partner(ofDevice: caller.parameters["deviceType"] ?? info.closed("osName")) != nil
    let mvpds = world.catalogue.integrations.compactMap { integration -> JSONValue? in
        guard integration.serviceProvider == serviceProvider.id, integration.isEnabled,
            let provider = world.catalogue.provider(integration.provider)
        else { return nil }
        return .object(general(provider, world.pages) + (isPartners ? partners(provider, integration) : []))
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

private func general(_ provider: Provider, _ pages: PagesSite) -> [JSONObject.Member] {
    JSONValue.members([
        "id": .string(provider.id), "displayName": .string(provider.name),
        "logoUrl": .string(providerLogoURL(provider, pages)),
        "authPerAggregator": .bool(provider.loginPerRequestor), "passiveAuthnEnabled": false,
        "isTempPass": provider.tempPass == nil ? nil : true, "isProxy": provider.proxy == nil ? nil : true,
    ]).members ?? []
}

/// The members for platforms that have a sign-on of their own.
private func partners(_ provider: Provider, _ integration: Integration) -> [JSONObject.Member] {
    guard let boarding = provider.boarding else { return [] }
    return JSONValue.members([
        "enablePlatformServices": .bool(integration.partnerSignOn), "boardingStatus": .string(boarding.rawValue),
        "displayInPlatformPicker": true, "platformMappingId": provider.platformMappingID.map(JSONValue.string),
        "requiredMetadataFields": .array(provider.requiredMetadataFields.map(JSONValue.string)),
    ]).members ?? []
}

extension World {
    /// The platform whose devices report this type. The catalogue's `tvOS` stands for `iOS` too. Contract:
    /// rest-v1.md §10, open-questions.md OQ-28.
    func partner(ofDevice type: String?) -> Partner? {
        let name = type == "iOS" ? "tvOS" : type
        return catalogue.partners.first { $0.deviceType == name || $0.deviceType == type }
    }
}
