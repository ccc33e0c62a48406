// A device's description of itself in `X-Device-Info`: a JSON object in Base64. Contract: rest-v2.md §3.4,
// rest-v1.md §5.1.

import PassJSON

struct DeviceInfo: Codable, Equatable, Sendable {
    /// The object as it was received, in compact form.
    var text: String

    static let unknown = DeviceInfo(text: "{}")
    static let always = ["model", "osName"]
    static let strictly = ["model", "version", "osName", "osVersion", "connectionType"]

    private static let closedSets: [String: Set<String>] = [
        "primaryHardwareType": [
            "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
            "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem",
            "SetTopBox", "TV", "Tablet", "WirelessHotspot", "Wristwatch", "Unknown", "VehicleMultimediaSystem",
            "Projector",
        ],
        "osName": [
            "Android", "Chrome OS", "Linux", "Mac OS", "OS X", "OpenBSD", "Roku OS", "Windows", "iOS", "tvOS", "webOS",
        ],
        "osFamily": [
            "Android", "BSD", "Linux", "PlayStation OS", "Roku OS", "Symbian", "Tizen", "Windows", "iOS", "tvOS",
            "macOS", "webOS",
        ],
        "osVendor": [
            "Amazon", "Apple", "Google", "LG", "Microsoft", "Mozilla", "Nintendo", "Nokia", "Roku", "Samsung", "Sony",
            "Tizen Project",
        ],
        "browserName": [
            "Android Browser", "Chrome", "Edge", "Firefox", "Internet Explorer", "Opera", "Safari", "SeaMonkey",
            "Symbian Browser",
        ],
        "browserVendor": [
            "Amazon", "Apple", "Google", "Microsoft", "Motorola", "Mozilla", "Netscape", "Nintendo", "Nokia",
            "Samsung", "Sony Ericsson",
        ],
    ]

    private init(text: String) { self.text = text }

    /// Whether the header decodes to text that is not JSON.
    static func isNoJSON(_ header: String) -> Bool {
        guard let bytes = decodeBase64(header), !bytes.isEmpty, String(validating: bytes, as: UTF8.self) != nil else {
            return false
        }
        return (try? JSONReader.read(bytes)) == nil
    }

    /// Reads the header; nil if it is malformed. The older interface uses percent-encoded Base64. `mayBeEscaped` accepts this
    /// encoding.
    init?(header: String, strict: Bool, mayBeEscaped: Bool = false) {
        var header = header
        if header.contains("%") {
            guard mayBeEscaped || !strict, let decoded = percentDecoded(header) else { return nil }
            header = decoded
        }
        guard header.utf8.count <= 8192,
            let bytes = decodeBase64(header) ?? (strict ? nil : decodeBase64URL(header, mayBePadded: true)),
            let value = try? JSONReader.read(bytes), value.members != nil
        else { return nil }
        let demanded = strict ? Self.strictly : Self.always
        guard demanded.allSatisfy({ value[$0]?.string?.isEmpty == false }) else { return nil }
        if strict {
            for (key, known) in Self.closedSets {
                if let value = value[key], !known.contains(value.string ?? "") { return nil }
            }
        }
        text = value.text
    }

    /// Adds data from the connection. The device's own data takes precedence. Contract: rest-v2.md §3.4.
    func merged(over request: Request) -> DeviceInfo {
        var members = object.members ?? []
        for (name, value) in [("connectionIp", request.address), ("userAgent", request.header("User-Agent"))] {
            guard let value, self[name] == nil else { continue }
            members.removeAll { $0.name == name }
            members.append(.init(name, .string(value)))
        }
        return DeviceInfo(text: JSONValue.object(members).text)
    }

    private var object: JSONValue { (try? JSONValue.read(text)) ?? [:] }

    subscript(key: String) -> String? {
        switch object[key] {
        case .string(let text) where !text.isEmpty: text
        case .number: object[key]?.int.map { String($0) }
        case .bool(let flag): String(flag)
        default: nil
        }
    }

    /// The value of a key with a fixed list of values. Nil if the device has sent another value.
    func closed(_ key: String) -> String? {
        self[key].flatMap { Self.closedSets[key]?.contains($0) == true ? $0 : nil }
    }
}

// The description of the device in S3, for the second screen (the viewer's phone). Nearly every value may be null. Contract:
// rest-v2.md S3.

extension DeviceInfo {
    func normalised() -> JSONValue {
        func text(_ key: String) -> JSONValue { self[key].map(JSONValue.string) ?? .null }
        func known(_ key: String) -> JSONValue { closed(key).map(JSONValue.string) ?? .null }
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
                "family": known("osFamily"), "vendor": known("osVendor"), "version": version("osVersion"),
            ],
            "browser": [
                "name": known("browserName"), "vendor": known("browserVendor"),
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
}
