// The device as S3 describes it to the second screen. Nearly every leaf may be null. Contract: rest-v2.md S3.

import PassJSON

extension DeviceInfo {
    func normalised() -> JSONValue {
        func text(_ key: String) -> JSONValue { self[key].map(JSONValue.string) ?? .null }
        func number(_ key: String) -> JSONValue { .int(self[key].flatMap { Int64($0) } ?? 0) }
        return [
            "type": closed("primaryHardwareType").map(JSONValue.string) ?? "Unknown", "model": text("model"),
            "applicationId": text("applicationId"), "version": version("version"),
            "hardware": [
                "name": text("model"), "vendor": text("vendor"), "manufacturer": text("manufacturer"),
                "version": version("version"),
            ],
            "operatingSystem": [
                "name": closed("osName").map(JSONValue.string) ?? "Unknown",
                "family": closed("osFamily").map(JSONValue.string) ?? .null,
                "vendor": closed("osVendor").map(JSONValue.string) ?? .null, "version": version("osVersion"),
            ],
            "browser": [
                "name": closed("browserName").map(JSONValue.string) ?? .null,
                "vendor": closed("browserVendor").map(JSONValue.string) ?? .null,
                "version": self["browserVersion"] == nil ? .null : version("browserVersion"),
                "userAgent": text("userAgent"), "originalUserAgent": text("userAgent"),
            ],
            "display": [
                "name": "DISPLAY", "vendor": .null, "width": number("displayWidth"), "height": number("displayHeight"),
                "ppi": number("displayPpi"), "version": .null, "diagonalSize": text("diagonalScreenSize"),
            ],
            "connection": [
                "ipAddress": text("connectionIp"), "port": text("connectionPort"),
                "secure": .bool(self["connectionSecure"] == "true"), "type": text("connectionType"),
            ],
        ]
    }

    private func version(_ key: String) -> JSONValue {
        guard let text = self[key] else { return .null }
        let parts = text.split(separator: ".").map { Int64($0.prefix { $0.isNumber }) ?? 0 }
        func part(_ index: Int) -> JSONValue { .int(index < parts.count ? parts[index] : 0) }
        return ["major": part(0), "minor": part(1), "patch": part(2), "profile": ""]
    }

    /// The description for the activation page: "LTV-200 by Lumen Devices".
    var spoken: String? {
        guard let model = self["model"] else { return nil }
        return self["manufacturer"].map { "\(model) by \($0)" } ?? model
    }
}
