// The device that this store belongs to. The row has the identifier twice: once plain, and once sealed and bound to the plain
// one. If there were only one identifier, one wrong bit on the disk would make the box refuse its own logins. If the two
// identifiers differ, the row counts as damaged, and the logins are kept, as in a store that has no device yet. This is no
// weakness, because a program that can write logins into the store has the key, and could also write this row. The service
// compares the device, too. Contract: access-enabler.md §10.

import AccessEnabler

enum DeviceTable: SingleRelation {
    static var place: WritableKeyPath<VaultContents, DeviceID?> { \.device }
    static let table = "device"
    static let blank = DeviceID(rawValue: "")
    static let columns: [Column<DeviceID>] = [
        .plain("id", \.self),
        Column(name: "proof", type: "BLOB", isSealed: true, field: \.field) { DeviceID(field: $1) == $0 },
    ]

    /// The device, made only from the plain identifier. Without the key, the rest of the device's data is unreadable anyway.
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> DeviceID? {
        fields.first?.text.map { DeviceID(rawValue: $0) }
    }
}

/// The private key with which the box signs. Contract: rest-v2.md §12.1.
enum DeviceKeyTable: SingleRelation {
    static var place: WritableKeyPath<VaultContents, Secret?> { \.deviceKey }
    static let table = "device_key"
    static let blank = Secret("")
    static let columns: [Column<Secret>] = [.sealed("pem", \.self)]
}
