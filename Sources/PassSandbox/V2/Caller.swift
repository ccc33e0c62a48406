// The caller, its device, and the service provider. Most V2 endpoints begin with these checks, in this order. Contract:
// rest-v2.md §3, §6.2, dcr.md §6 (faults of the token are reported before faults of the parameters).

struct Caller: Sendable {
    let client: Client
    let app: App
    let serviceProvider: ServiceProvider
}

/// The content of the two device headers, for calls that need these headers.
struct Device: Sendable {
    let id: String
    let info: DeviceInfo
}

extension Call {
    static let scope = "api:client:v2"

    func caller(_ world: World) throws(Refusal) -> Caller {
        guard let client, let app = world.app(of: client) else { throw .unauthorized }
        guard app.scopes.contains(Self.scope) else { throw .enhanced(.accessTokenClientApplication) }
        guard let serviceProvider = world.catalogue.serviceProvider(self["serviceProvider"]) else {
            throw .enhanced(.invalidParameterServiceProvider)
        }
        guard app.serviceProviders.contains(serviceProvider.id) else { throw .enhanced(.accessTokenServiceProvider) }
        return Caller(client: client, app: app, serviceProvider: serviceProvider)
    }

    /// The caller with its device, for calls about the caller's data on the device.
    func callerWithDevice(_ world: World) throws(Refusal) -> (Caller, Device, Owner) {
        let caller = try caller(world)
        let device = try device(world)
        return (
            caller, device,
            Owner(client: caller.client.id, device: device.id, serviceProvider: caller.serviceProvider.id)
        )
    }

    func device(_ world: World) throws(Refusal) -> Device {
        guard let id = deviceIdentifier else { throw .enhanced(.invalidHeaderDeviceIdentifier) }
        return Device(id: id, info: try describedDevice(world).merged(over: request))
    }

    /// The device's identifier. The header has `fingerprint`, one blank, and the identifier in Base64. Contract:
    /// rest-v2.md §3.3.
    private var deviceIdentifier: String? {
        let header = request.header("AP-Device-Identifier")
        guard let parts = header?.split(separator: " ", omittingEmptySubsequences: false), parts.count == 2,
            parts[0] == "fingerprint", parts[1].utf8.count <= 1024, let bytes = decodeBase64(String(parts[1]))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    func deviceInfo(_ world: World) -> DeviceInfo? {
        request.header("X-Device-Info").flatMap { DeviceInfo(header: $0, strict: world.settings.strict) }
    }

    /// The description of the device. The vendor's pages require the header. But clients that work with the service omit it, or
    /// send a value that is not JSON. Contract: rest-v2.md §3.4; evidence: E23.
    func describedDevice(_ world: World) throws(Refusal) -> DeviceInfo {
        if let info = deviceInfo(world) { return info }
        let header = request.header("X-Device-Info")
        guard header.map(DeviceInfo.isNoJSON) ?? true, !world.settings.strict else {
            throw .enhanced(.invalidHeaderDeviceInfo)
        }
        return .unknown
    }

    /// The form of a request. The request must have the content type of a form.
    func formBody() throws(Refusal) -> [Field] {
        guard request.contentType == "application/x-www-form-urlencoded", let form = request.form else {
            throw .badRequest("The body should be application/x-www-form-urlencoded")
        }
        return form
    }
}

extension World {
    /// The provider with this id, and its integration. Contract: rest-v2.md §6.2.
    func integration(_ caller: Caller, _ provider: String) throws(Refusal) -> (Provider, Integration) {
        guard let known = catalogue.provider(provider) else { throw .enhanced(.invalidParameterMVPD) }
        guard let integration = catalogue.integration(caller.serviceProvider.id, provider) else {
            throw .enhanced(.invalidIntegration)
        }
        if let code = integration.misconfiguration { throw .enhanced(code) }
        return (known, integration)
    }
}
