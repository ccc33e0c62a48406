// Logins, the logouts that the service has not confirmed yet, and the integrations that have lapsed. Contract: rest-v2.md §9, access-enabler.md §9.5.

import AccessEnabler

enum ProfileTable: Relation {
    static let table = "profile"
    static let keyColumns = RegistrationTable.keyColumns + ["requestor", "provider"]
    static let columns: [Column] = [
        .plain("issued_for"), .plain("kind"), .plain("issuer"), .plain("not_before"), .plain("not_after"),
        .sealed("attributes"),
    ]

    static func texts(of key: ProfileKey) -> [String] {
        RegistrationTable.texts(of: key.registration) + [key.requestor.rawValue, key.provider.rawValue]
    }

    static func key(_ texts: [String]) -> ProfileKey {
        ProfileKey(
            registration: RegistrationTable.key(texts), requestor: RequestorID(rawValue: texts[4]),
            provider: ProviderID(rawValue: texts[5]))
    }

    static func fields(of profile: Profile) throws(RowProblem) -> [SQLValue] {
        [
            .text(profile.provider.rawValue), .text(ProfileKind.name(profile.kind)), .text(profile.issuer),
            .integer(profile.notBefore.milliseconds), .integer(profile.notAfter.milliseconds),
            try .json(AttributesRecord(profile), table: table, column: "attributes"),
        ]
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Profile {
        var profile = Profile(
            provider: ProviderID(rawValue: try fields.text()), kind: ProfileKind.kind(try fields.text()),
            issuer: try fields.text(), notBefore: try fields.time(), notAfter: try fields.time(), attributes: [:])
        let record = try fields.json(AttributesRecord.self)
        (profile.attributes, profile.temporaryIdentity) = (record.attributes, record.temporaryIdentity)
        return profile
    }

    static func all(in contents: VaultContents) -> [ProfileKey: Profile] { contents.profiles }

    static func put(_ key: ProfileKey, _ value: Profile?, in contents: inout VaultContents) {
        contents.profiles[key] = value
    }
}

enum TombstoneTable: Relation {
    static let table = "tombstone"
    static let keyColumns = ProfileTable.keyColumns
    static let columns: [Column] = []

    static func texts(of key: ProfileKey) -> [String] { ProfileTable.texts(of: key) }
    static func key(_ texts: [String]) -> ProfileKey { ProfileTable.key(texts) }
    static func fields(of _: Bool) -> [SQLValue] { [] }
    static func value(_: inout FieldReader) -> Bool { true }

    static func all(in contents: VaultContents) -> [ProfileKey: Bool] {
        Dictionary(uniqueKeysWithValues: contents.tombstones.map { ($0, true) })
    }

    static func count(in contents: VaultContents) -> Int { contents.tombstones.count }

    static func put(_ key: ProfileKey, _ value: Bool?, in contents: inout VaultContents) {
        if value == true { contents.tombstones.insert(key) } else { contents.tombstones.remove(key) }
    }
}

enum LapseTable: Relation {
    static let table = "lapse"
    static let keyColumns = ProfileTable.keyColumns
    static let columns: [Column] = []

    static func texts(of key: ProfileKey) -> [String] { ProfileTable.texts(of: key) }
    static func key(_ texts: [String]) -> ProfileKey { ProfileTable.key(texts) }
    static func fields(of _: Bool) -> [SQLValue] { [] }
    static func value(_: inout FieldReader) -> Bool { true }

    static func all(in contents: VaultContents) -> [ProfileKey: Bool] {
        Dictionary(uniqueKeysWithValues: contents.lapsed.map { ($0, true) })
    }

    static func count(in contents: VaultContents) -> Int { contents.lapsed.count }

    static func put(_ key: ProfileKey, _ value: Bool?, in contents: inout VaultContents) {
        if value == true { contents.lapsed.insert(key) } else { contents.lapsed.remove(key) }
    }
}

/// The names on disk are the service's. They stay when our own names change.
private enum ProfileKind {
    private static let names: [(Profile.Kind, String)] = [
        (.regular, "regular"), (.platformSSO, "platformSSO"), (.serviceTokenSSO, "serviceTokenSSO"),
        (.appleSSO, "appleSSO"), (.degraded, "degraded"), (.temporary, "temporary"),
    ]

    static func name(_ kind: Profile.Kind) -> String {
        if case .other(let name) = kind { return name }
        return names.first { $0.0 == kind }?.1 ?? ""
    }

    static func kind(_ name: String) -> Profile.Kind { names.first { $0.1 == name }?.0 ?? .other(name) }
}
