// The box's description in `X-Device-Info`. Contract: rest-v2.md §3.4. The five required keys are always sent. The
// vendor of the operating system is not, since none of the allowed values fits.

import AccessEnabler
import FoundationEssentials

public struct DeviceFacts: Hashable, Sendable {
    /// Affects how long logins last: anything other than a kind of television counts as less safe.
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

    /// A JSON object in Base64, which is not encoded again.
    func header(for app: AppID) -> String {
        let fields = [
            "primaryHardwareType": hardwareType, "model": model, "version": version, "manufacturer": manufacturer,
            "vendor": vendor, "osName": osName, "osFamily": osFamily, "osVersion": osVersion,
            "connectionType": connectionType, "applicationId": app.rawValue,
        ].compactMapValues { $0 }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ((try? encoder.encode(fields)) ?? Data()).base64EncodedString()
    }
}
