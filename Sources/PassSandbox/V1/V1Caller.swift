// The caller in the older interface, and its device. Faults of the token are reported before faults of the parameters.
// Contract: rest-v1.md §2, §5, §14; dcr.md §6, §8.

struct V1Caller: Sendable {
    let client: Client
    let app: App
    let serviceProvider: ServiceProvider
    let parameters: Parameters
}

struct V1Device: Sendable {
    let caller: V1Caller
    let owner: Owner
    /// The app id. If the app id is empty, logins are shared with other service providers.
    let appID: String
    let deviceUser: String?

    var parameters: Parameters { caller.parameters }
}

extension Call {
    /// The caller. If the path does not name the requestor, a parameter does; `requestor` is the name of this parameter.
    func v1Caller(
        _ world: World, requestor name: String = "requestor", repeatable: Set<String> = []
    ) throws(Refusal) -> V1Caller {
        guard let client, let app = world.app(of: client) else { throw .unauthorized }
        guard app.scopes.contains(V1.scope) else { throw .v1(V1Fault(401, code: .accessTokenClientApplication)) }
        let parameters = try Parameters(request, repeatable: repeatable)
        let serviceProvider = try world.requestor(names["requestor"] ?? parameters[name], name)
        guard app.serviceProviders.contains(serviceProvider.id) else {
            throw .v1(V1Fault(401, code: .accessTokenServiceProvider))
        }
        return V1Caller(client: client, app: app, serviceProvider: serviceProvider, parameters: parameters)
    }

    func v1Device(
        _ world: World, requestor name: String = "requestor", repeatable: Set<String> = []
    ) throws(Refusal) -> V1Device {
        let device = try unnamedDevice(v1Caller(world, requestor: name, repeatable: repeatable), world)
        _ = try v1DeviceInfo(device.parameters, world)
        return device
    }

    /// The device, for calls that need no device description.
    func unnamedDevice(_ caller: V1Caller, _ world: World) throws(Refusal) -> V1Device {
        let id = try caller.parameters.deviceID()
        let appID = caller.parameters["appId"] ?? ""
        return V1Device(
            caller: caller,
            owner: .v1(
                appID, device: id, caller.serviceProvider.id,
                boundTo: world.settings.bindToClient ? caller.client : nil),
            appID: appID, deviceUser: caller.parameters["deviceUser"])
    }

    func v1DeviceInfo(_ parameters: Parameters, _ world: World) throws(Refusal) -> DeviceInfo {
        guard let text = request.header("X-Device-Info") ?? parameters["device_info"] else {
            if !world.settings.strict { return .unknown }
            throw .v1(.missing("X-Device-Info", .invalidDeviceInfo))
        }
        guard let info = DeviceInfo(header: text, strict: world.settings.strict, mayBeEscaped: true) else {
            throw .v1(.wrong("X-Device-Info", .invalidDeviceInfo))
        }
        return info
    }
}

extension Parameters {
    func deviceID() throws(Refusal) -> String {
        let id = try required("deviceId", .invalidDeviceID)
        guard id.utf8.count <= 1024, id.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .v1(.wrong("deviceId", .invalidDeviceID))
        }
        return id
    }
}

extension World {
    func requestor(_ id: String?, _ name: String) throws(Refusal) -> ServiceProvider {
        guard let id else { throw .v1(.missing(name, .invalidRequestor)) }
        guard let serviceProvider = catalogue.serviceProvider(id) else { throw .v1(.wrong(name, .invalidRequestor)) }
        return serviceProvider
    }

    /// The provider and its integration with the service provider. Throws if there is no such integration. Contract: rest-v1.md
    /// §12, `unknown_integration`.
    func v1Integration(
        _ serviceProvider: String, _ provider: String, status: Int = 400
    ) throws(Refusal) -> (Provider, Integration) {
        guard let known = catalogue.provider(provider),
            let integration = catalogue.integration(serviceProvider, provider), integration.misconfiguration == nil
        else {
            throw .v1(
                V1Fault(
                    status, code: .unknownIntegration,
                    message: "The integration of the requestor with the MVPD does not exist or is disabled"))
        }
        return (known, integration)
    }
}

extension Owner {
    /// The owner of a login over this interface: a device, for one app or for all apps. The setting `bindToClient` adds the
    /// client. The blank after `v1` distinguishes this owner from clients of the newer interface. Contract: rest-v1.md §14.
    static func v1(_ appID: String, device: String, _ serviceProvider: String, boundTo client: Client?) -> Owner {
        Owner(
            client: v1Scope(appID) + (client.map { percentEncoded($0.id) } ?? ""), device: device,
            serviceProvider: serviceProvider)
    }

    /// The prefix of all clients of one app id.
    static func v1Scope(_ appID: String) -> String { "v1 " + percentEncoded(appID) + " " }
}

// The parameters of a call. The query takes precedence over the form. A name that occurs twice with different values is an
// error. Contract: rest-v1.md §9, open-questions.md OQ-34.

struct Parameters: Sendable {
    private let query: [Field]
    private let form: [Field]

    init(_ request: Request, repeatable: Set<String> = []) throws(Refusal) {
        query = request.query
        form = request.form ?? []
        for fields in [query, form] where fields.filter({ !repeatable.contains($0.name) }).contradictsItself {
            throw .badRequest("A parameter is given twice with different values")
        }
    }

    /// The value of a parameter. An empty value counts as absent.
    subscript(name: String) -> String? { query.one(name) ?? form.one(name) }

    /// All values of a parameter; nil if the name does not occur.
    func all(_ name: String) -> [String]? {
        let values = query.all(name).isEmpty ? form.all(name) : query.all(name)
        return values.isEmpty ? nil : values
    }

    func required(_ name: String, _ code: V1ErrorCode = .badRequest) throws(Refusal) -> String {
        guard let value = self[name] else { throw .v1(.missing(name, code)) }
        return value
    }
}
