// Logins, the logouts that the service has not confirmed yet, and the lapsed integrations. Contract: rest-v2.md §9,
// access-enabler.md §9.5.

import AccessEnabler

enum ProfileTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [ProfileKey: Profile]> { \.profiles }
    static let table = "profile"
    static let keyColumns = RegistrationTable.keyColumns + ["requestor", "provider"]
    static let blank = Profile(
        provider: ProviderID(rawValue: ""), kind: .regular, issuer: "", notBefore: ServerTime(milliseconds: 0),
        notAfter: ServerTime(milliseconds: 0), attributes: [:])
    private static let ownColumns: [Column<Profile>] = [
        .plain("issued_for", \.provider), .plain("kind", \.kind), .plain("issuer", \.issuer),
        .plain("not_before", \.notBefore), .plain("not_after", \.notAfter), .sealed("attributes", \.record),
    ]
    #if DEBUG
        /// The further columns of `StoreSchema.trial`, for tests only. All rows have the same values in these columns.
        @TaskLocal static var nextColumns: [Column<Profile>]?
        static let trialColumns = [("note", "TEXT"), ("hint", "BLOB")].map { name, type in
            Column<Profile>(
                name: name, type: type, isSealed: type == "BLOB", since: StoreSchema.current.version + 1,
                field: { _ in .text("next \(name)") }, set: { _, _ in true })
        }
        static var columns: [Column<Profile>] {
            ownColumns + (nextColumns ?? (StoreSchema.trialName == nil ? [] : trialColumns))
        }
    #else
        static let columns = ownColumns
    #endif

    static func texts(of key: ProfileKey) -> [String] {
        RegistrationTable.texts(of: key.registration) + [key.requestor.rawValue, key.provider.rawValue]
    }

    static func key(_ texts: [String]) -> ProfileKey {
        ProfileKey(
            registration: RegistrationTable.key(texts), requestor: RequestorID(rawValue: texts[4]),
            provider: ProviderID(rawValue: texts[5]))
    }
}

extension Profile {
    fileprivate var record: AttributesRecord {
        get { AttributesRecord(self) }
        set { (attributes, temporaryIdentity) = (newValue.attributes, newValue.temporaryIdentity) }
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

/// Marks on logins. Each row consists only of its key.
protocol MarkRelation: Relation where Key == ProfileKey, Value == Bool {
    static var place: WritableKeyPath<VaultContents, Set<ProfileKey>> { get }
}

extension MarkRelation {
    static var keyColumns: [String] { ProfileTable.keyColumns }
    static var columns: [Column<Bool>] { [] }
    static var blank: Bool { true }
    static func texts(of key: ProfileKey) -> [String] { ProfileTable.texts(of: key) }
    static func key(_ texts: [String]) -> ProfileKey { ProfileTable.key(texts) }
    static func has(_ key: ProfileKey, in contents: VaultContents) -> Bool { contents[keyPath: place].contains(key) }
    static func count(in contents: VaultContents) -> Int { contents[keyPath: place].count }

    static func all(in contents: VaultContents) -> [ProfileKey: Bool] {
        Dictionary(uniqueKeysWithValues: contents[keyPath: place].map { ($0, true) })
    }

    static func put(_ key: ProfileKey, _ value: Bool?, in contents: inout VaultContents) {
        if value == true { contents[keyPath: place].insert(key) } else { contents[keyPath: place].remove(key) }
    }
}
