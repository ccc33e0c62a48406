// The key with which the box signs. Contract: rest-v2.md §12.1.

import AccessEnabler

enum DeviceKeyTable: Relation {
    static let table = "device_key"
    static let keyColumns = ["slot"]
    static let columns = [Column.sealed("pem")]

    /// There is only one row.
    static func texts(of _: Int) -> [String] { ["this"] }
    static func key(_: [String]) -> Int { 0 }
    static func fields(of key: Secret) -> [SQLValue] { [.text(key.reveal())] }
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Secret { Secret(try fields.text()) }
    static func all(in contents: VaultContents) -> [Int: Secret] { contents.deviceKey.map { [0: $0] } ?? [:] }
    static func put(_: Int, _ key: Secret?, in contents: inout VaultContents) { contents.deviceKey = key }
}
