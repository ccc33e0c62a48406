// The settings of one backend, for REST V1 or REST V2.

import AccessEnabler
import PassJSON
import PassProtocol

public struct ServiceConfiguration: Sendable {
    public var origin: Origin
    /// The server that keeps registration codes in REST V1. Nil means the origin itself. Contract: rest-v1.md §1.
    public var codes: Origin?
    public var http: HTTPConfiguration
    public var budget: RequestBudget.Settings
    public var device: DeviceFacts
    public var sites: LoginSites

    public init(
        origin: Origin, codes: Origin? = nil, http: HTTPConfiguration, budget: RequestBudget.Settings = .standard,
        device: DeviceFacts, sites: LoginSites = LoginSites()
    ) {
        self.origin = origin
        self.codes = codes
        self.http = http
        self.budget = budget
        self.device = device
        self.sites = sites
    }

    func site(of app: AppID) -> LoginSite { sites.site(of: app) }

    /// The value of `X-Device-Info`, encoded once as Base64.
    func deviceInfo(of caller: BackendCaller) -> String {
        caller.options.texts[.deviceInfo] ?? device.header(for: caller.registration.app)
    }

    /// The description of the box for one request. Nil if the app describes its device, because the app's description is sent
    /// unchanged.
    func description(for caller: BackendCaller, isPercentEncoded: Bool = false) -> DeviceDescription? {
        guard caller.options.texts[.deviceInfo] == nil else { return nil }
        return DeviceDescription(facts: device, app: caller.registration.app, isPercentEncoded: isPercentEncoded)
    }
}

/// The description of the box that is sent in `X-Device-Info`. The five required keys are always present. No vendor of
/// the operating system is sent, because none of the permitted values fits. Contract: rest-v2.md §3.4.
public struct DeviceFacts: Hashable, Sendable {
    /// The kind of device. This kind affects how long logins last, because the service treats a device that is not for a TV as
    /// less secure.
    public var hardwareType: String
    public var model: String
    public var manufacturer: String
    public var osVersion: String

    public init(hardwareType: String = "SetTopBox", model: String, manufacturer: String, osVersion: String) {
        self.hardwareType = hardwareType
        self.model = model
        self.manufacturer = manufacturer
        self.osVersion = osVersion
    }

    /// The value of the header: a JSON object, encoded once as Base64. `source` is the box's end of the connection on
    /// which the header is sent.
    func header(for app: AppID, from source: ConnectionSource? = nil) -> String {
        let fields: KeyValuePairs = [
            "applicationId": app.rawValue, "connectionIp": source?.address,
            "connectionPort": source.map { String($0.port) },
            "connectionType": source?.isWireless == true ? "WiFi" : "LAN", "manufacturer": manufacturer, "model": model,
            "osFamily": "Linux", "osName": "Linux", "osVersion": osVersion, "primaryHardwareType": hardwareType,
            "version": "1.0",
        ]
        let members = fields.compactMap { name, text in text.map { (name, JSONValue.string($0)) } }
        return JSONWriter.bytes(.object(JSONObject(members))).base64
    }
}

/// The description of the box in a request. The connection is added as soon as it is known.
struct DeviceDescription: Equatable, Sendable {
    static let header = "X-Device-Info"

    let facts: DeviceFacts
    let app: AppID
    /// Whether the header is also percent-encoded. Contract: rest-v1.md §5.1.
    let isPercentEncoded: Bool

    func value(from source: ConnectionSource) -> String {
        let value = facts.header(for: app, from: source)
        return isPercentEncoded ? percentEncoded(value) : value
    }
}
