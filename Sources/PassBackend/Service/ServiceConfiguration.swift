// The settings of one backend, for either protocol.

import AccessEnabler
import PassJSON

public struct ServiceConfiguration: Sendable {
    public var origin: Origin
    /// The server that keeps registration codes in REST V1; nil means the origin itself. Contract: rest-v1.md §1.
    public var codes: Origin?
    public var http: HTTPConfiguration
    public var budget: RequestBudget.Settings
    public var device: DeviceFacts
    public var sites: LoginSites

    public init(
        origin: Origin, codes: Origin? = nil, http: HTTPConfiguration, budget: RequestBudget.Settings = .init(),
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
}

/// The description of the box that is sent in `X-Device-Info`. Contract: rest-v2.md §3.4: the five required keys are
/// always present, and no vendor of the operating system is sent, since none of the permitted values fits.
public struct DeviceFacts: Hashable, Sendable {
    /// Affects how long logins last: anything that is not a kind of TV device is treated as less secure.
    public var hardwareType: String
    public var model: String
    public var version: String
    public var manufacturer: String
    public var vendor: String?
    public var osName: String
    public var osFamily: String
    public var osVersion: String
    public var connectionType: String

    public init(
        hardwareType: String = "SetTopBox", model: String, version: String = "1.0", manufacturer: String,
        vendor: String? = nil, osName: String = "Linux", osFamily: String = "Linux", osVersion: String,
        connectionType: String = "LAN"
    ) {
        self.hardwareType = hardwareType
        self.model = model
        self.version = version
        self.manufacturer = manufacturer
        self.vendor = vendor
        self.osName = osName
        self.osFamily = osFamily
        self.osVersion = osVersion
        self.connectionType = connectionType
    }

    /// The value of the header: a JSON object, encoded once as Base64. `source` is the connection that it is sent on.
    func header(for app: AppID, from source: ConnectionSource? = nil) -> String {
        let connectionType = source.map { $0.isWireless ? "WiFi" : "LAN" } ?? connectionType
        let fields: KeyValuePairs = [
            "applicationId": app.rawValue, "connectionIp": source?.address,
            "connectionPort": source.map { String($0.port) }, "connectionType": connectionType,
            "manufacturer": manufacturer, "model": model, "osFamily": osFamily, "osName": osName,
            "osVersion": osVersion, "primaryHardwareType": hardwareType, "vendor": vendor, "version": version,
        ]
        let members = fields.compactMap { name, text in text.map { (name, JSONValue.string($0)) } }
        return JSONWriter.bytes(.object(JSONObject(members))).base64
    }
}

/// The description of the box in a request. It is completed once the connection is known.
struct DeviceDescription: Equatable, Sendable {
    static let header = "X-Device-Info"

    let facts: DeviceFacts
    let app: AppID
    /// Whether the header is percent-encoded, too. Contract: rest-v1.md §5.1.
    let isPercentEncoded: Bool

    func value(from source: ConnectionSource) -> String {
        let value = facts.header(for: app, from: source)
        return isPercentEncoded ? percentEncoded(value) : value
    }
}
