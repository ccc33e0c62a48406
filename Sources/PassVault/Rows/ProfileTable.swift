// Logins, the logouts that the service has not confirmed yet, and the lapsed integrations. Contract: rest-v2.md §9,
// access-enabler.md §9.5.

import AccessEnabler

enum ProfileTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [ProfileKey: Profile]> { \.profiles }
    static let table = "profile"
    static let keyColumns = RegistrationTable.keyColumns + ["requestor", "provider"]
    private static let ownColumns: [Column] = [
        .plain("issued_for"), .plain("kind"), .plain("issuer"), .plain("not_before"), .plain("not_after"),
        .sealed("attributes"),
    ]
    #if DEBUG
        /// The further columns of `StoreSchema.trial`, for tests only. Each row has the same values in them.
        @TaskLocal static var nextColumns = StoreSchema.trialName == nil ? [] : trialColumns
        static let trialColumns = [Column.plain("note"), .sealed("hint")]
        static var columns: [Column] { ownColumns + nextColumns }
        private static var nextFields: [SQLValue] { nextColumns.map { .text("next \($0.name)") } }
    #else
        static let columns = ownColumns
        private static let nextFields: [SQLValue] = []
    #endif

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
            .text(profile.provider.rawValue), .text(profile.kind.name), .text(profile.issuer),
            .integer(profile.notBefore.milliseconds), .integer(profile.notAfter.milliseconds),
            try .json(AttributesRecord(profile), table: table, column: "attributes"),
        ] + nextFields
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Profile {
        var profile = Profile(
            provider: ProviderID(rawValue: try fields.text()), kind: Profile.Kind(try fields.text()),
            issuer: try fields.text(), notBefore: try fields.time(), notAfter: try fields.time(), attributes: [:])
        let record = try fields.json(AttributesRecord.self)
        (profile.attributes, profile.temporaryIdentity) = (record.attributes, record.temporaryIdentity)
        return profile
    }
}

enum TombstoneTable: MarkRelation {
    static var place: WritableKeyPath<VaultContents, Set<ProfileKey>> { \.tombstones }
    static let table = "tombstone"
}

enum LapseTable: MarkRelation {
    static var place: WritableKeyPath<VaultContents, Set<ProfileKey>> { \.lapsed }
    static let table = "lapse"
}

/// Marks on logins: rows that consist of their key.
protocol MarkRelation: Relation where Key == ProfileKey, Value == Bool {
    static var place: WritableKeyPath<VaultContents, Set<ProfileKey>> { get }
}

extension MarkRelation {
    static var keyColumns: [String] { ProfileTable.keyColumns }
    static var columns: [Column] { [] }
    static func texts(of key: ProfileKey) -> [String] { ProfileTable.texts(of: key) }
    static func key(_ texts: [String]) -> ProfileKey { ProfileTable.key(texts) }
    static func fields(of _: Bool) -> [SQLValue] { [] }
    static func value(_: inout FieldReader) -> Bool { true }
    static func has(_ key: ProfileKey, in contents: VaultContents) -> Bool { contents[keyPath: place].contains(key) }
    static func count(in contents: VaultContents) -> Int { contents[keyPath: place].count }

    static func all(in contents: VaultContents) -> [ProfileKey: Bool] {
        Dictionary(uniqueKeysWithValues: contents[keyPath: place].map { ($0, true) })
    }

    static func put(_ key: ProfileKey, _ value: Bool?, in contents: inout VaultContents) {
        if value == true { contents[keyPath: place].insert(key) } else { contents[keyPath: place].remove(key) }
    }
}
