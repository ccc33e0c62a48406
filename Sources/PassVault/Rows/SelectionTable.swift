// The provider that each requestor's viewers have selected. Contract: access-enabler.md §4, §12.

import AccessEnabler
import PassJSON

enum SelectionTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [RequestorID: Selection]> { \.selections }
    static let table = "selection"
    static let keyColumns = ["requestor"]
    static let columns: [Column] = [.plain("can_authenticate"), .sealed("provider")]

    static func texts(of key: RequestorID) -> [String] { [key.rawValue] }
    static func key(_ texts: [String]) -> RequestorID { RequestorID(rawValue: texts[0]) }

    static func fields(of selection: Selection) throws(RowProblem) -> [SQLValue] {
        [
            .flag(selection.canAuthenticate),
            try .json(ProviderRecord(selection.provider), table: table, column: "provider"),
        ]
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Selection {
        let canAuthenticate = try fields.flag()
        return Selection(
            provider: try fields.json(ProviderRecord.self).provider, canAuthenticate: canAuthenticate)
    }
}

/// The form of a provider on disk. A flag that an older version did not write is off.
struct ProviderRecord: JSONRecord {
    let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

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
        self.provider = provider
    }

    var json: JSONValue? {
        var members: [String: JSONValue] = [
            "id": .string(provider.id.rawValue), "displayName": .string(provider.displayName),
            "logoURL": .string(provider.logoURL),
        ]
        for (name, flag) in Self.flags { members[name] = .bool(provider[keyPath: flag]) }
        members["boardingStatus"] = provider.boardingStatus.map { .string($0.rawValue) }
        members["platformMappingID"] = provider.platformMappingID.map { .string($0) }
        return .sorted(members)
    }

    private static let flags: [(String, WritableKeyPath<Provider, Bool> & Sendable)] = [
        ("isTempPass", \.isTempPass), ("isProxy", \.isProxy), ("loginPerRequestor", \.loginPerRequestor),
        ("enablePlatformServices", \.enablePlatformServices),
        ("displayInPlatformPicker", \.displayInPlatformPicker),
        ("enforcePlatformPermissions", \.enforcePlatformPermissions),
    ]
}
