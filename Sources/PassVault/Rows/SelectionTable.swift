// The provider that each requestor's viewers have selected. Contract: access-enabler.md §4, §12.

import AccessEnabler
import PassJSON

enum SelectionTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [RequestorID: Selection]> { \.selections }
    static let table = "selection"
    static let keyColumns = ["requestor"]
    static let blank = Selection(
        provider: Provider(id: ProviderID(rawValue: ""), displayName: "", logoURL: ""), canAuthenticate: false)
    static let columns: [Column<Selection>] = [
        .plain("can_authenticate", \.canAuthenticate), .sealed("provider", \.provider),
    ]

    static func texts(of key: RequestorID) -> [String] { [key.rawValue] }
    static func key(_ texts: [String]) -> RequestorID { RequestorID(rawValue: texts[0]) }
}

/// The form of a provider on disk. A flag that an older version did not write is off.
extension Provider: JSONRecord {
    init?(_ json: JSONValue) {
        guard let id = json["id"]?.string, let displayName = json["displayName"]?.string,
            let logoURL = json["logoURL"]?.string
        else { return nil }
        var provider = Provider(id: ProviderID(rawValue: id), displayName: displayName, logoURL: logoURL)
        for (name, flag) in Self.flags {
            guard let value = json.member(name) else { continue }
            guard let isOn = value.bool else { return nil }
            provider[keyPath: flag] = isOn
        }
        if let value = json.member("boardingStatus") {
            guard let status = value.string.flatMap(Provider.BoardingStatus.init) else { return nil }
            provider.boardingStatus = status
        }
        if let value = json.member("platformMappingID") {
            guard let id = value.string else { return nil }
            provider.platformMappingID = id
        }
        self = provider
    }

    var json: JSONValue? {
        var members: [String: JSONValue] = [
            "id": .string(id.rawValue), "displayName": .string(displayName), "logoURL": .string(logoURL),
        ]
        for (name, flag) in Self.flags { members[name] = .bool(self[keyPath: flag]) }
        members["boardingStatus"] = boardingStatus.map { .string($0.rawValue) }
        members["platformMappingID"] = platformMappingID.map { .string($0) }
        return .sorted(members)
    }

    private static let flags: [(String, WritableKeyPath<Provider, Bool> & Sendable)] = [
        ("isTempPass", \.isTempPass), ("isProxy", \.isProxy), ("loginPerRequestor", \.loginPerRequestor),
        ("enablePlatformServices", \.enablePlatformServices),
        ("displayInPlatformPicker", \.displayInPlatformPicker),
        ("enforcePlatformPermissions", \.enforcePlatformPermissions),
    ]
}
