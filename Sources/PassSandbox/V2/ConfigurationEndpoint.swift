// C1: lists the providers of a service provider, for the caller's platform. Contract: rest-v2.md C1.

import PassJSON

/// Lists the providers. With the optional device headers, the answer names the platform.
func configuration(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let caller = try call.caller(world)
    let serviceProvider = caller.serviceProvider
    let platform = Platform(call.deviceInfo(world) ?? .unknown)
    let domains = serviceProvider.domains.map { domain -> JSONValue in
        ["name": .string(domain), "mvpdInitiated": false]
    }
    let mvpds = world.catalogue.providers(of: serviceProvider.id).map { provider, integration in
        mvpd(provider, integration: integration, pages: world.pages)
    }
    return .json([
        "platform": .string(platform.name), "platformCategory": .string(platform.category), "sdkType": "REST",
        "os": .string(platform.system), "device": .string(platform.name), "clientType": "REST",
        "time": .int(call.now),
        "requestor": [
            "id": .string(serviceProvider.id), "name": .string(serviceProvider.name), "domains": .array(domains),
            "mvpds": .array(mvpds),
        ],
    ])
}

private func mvpd(_ provider: Provider, integration: Integration, pages: PagesSite) -> JSONValue {
    let isTempPass = provider.tempPass != nil
    return .members([
        "id": .string(provider.id), "displayName": .string(provider.name),
        "logoUrl": .string(providerLogoURL(provider, pages)), "isTempPass": isTempPass ? true : nil,
        "isProxy": provider.proxy == nil ? nil : true,
        "authPerAggregator": provider.loginPerRequestor ? true : nil,
        "boardingStatus": provider.boarding.map { .string($0.rawValue) },
        "platformMappingId": provider.platformMappingID.map(JSONValue.string),
        "enablePlatformServices": integration.partnerSignOn ? true : nil,
        "displayInPlatformPicker": provider.boarding == nil ? nil : true,
    ])
}

/// The platform of a device. The names are the sandbox's own, because no list of them is published.
struct Platform: Sendable {
    let name: String
    let category: String
    let system: String

    init(_ info: DeviceInfo) {
        system = info.closed("osName") ?? "Unknown"
        let hardware = info.closed("primaryHardwareType") ?? "Unknown"
        category =
            switch hardware {
            case "SetTopBox", "TV", "MediaPlayer", "GamesConsole", "Projector": "TV Connected"
            case "MobilePhone", "Tablet", "eReader", "Wristwatch", "Glasses": "Mobile"
            case "Desktop": "Desktop"
            default: "unknown"
            }
        name =
            switch system {
            case "iOS", "tvOS", "Android": system
            case "Roku OS": "Roku"
            default: "unknown"
            }
    }
}
