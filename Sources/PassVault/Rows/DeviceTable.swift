// The device to which this store belongs. A flipped bit here would separate the box from its own logins, so the
// identifier is stored twice: in the clear, and sealed and bound to the first. If the two differ, that is damage and
// says nothing about the box: the logins are kept, as they are if no identifier is stored. Somebody who could plant
// logins in this way has the key and could write the row as well; and the service checks the device itself. Contract:
// access-enabler.md §10.

import AccessEnabler

enum DeviceTable: Relation {
    static let table = "device"
    static let keyColumns = ["slot"]
    static let columns = [Column.plain("id"), .sealed("proof")]
    static var former: any Relation.Type { FormerDeviceTable.self }

    /// There is only one row.
    static func texts(of _: Int) -> [String] { ["this"] }
    static func key(_: [String]) -> Int { 0 }
    static func fields(of device: DeviceID) -> [SQLValue] { [.text(device.rawValue), .text(device.rawValue)] }
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> DeviceID {
        let id = try fields.text()
        guard try fields.text() == id else { throw RowProblem(.damaged, table: table, column: "id") }
        return DeviceID(rawValue: id)
    }
    /// Without the key, nothing that depends on the device can be read either.
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> DeviceID? {
        fields.first?.text.map { DeviceID(rawValue: $0) }
    }
    static func all(in contents: VaultContents) -> [Int: DeviceID] { contents.device.map { [0: $0] } ?? [:] }
    static func put(_: Int, _ device: DeviceID?, in contents: inout VaultContents) { contents.device = device }
}

/// The table before the fourth schema.
enum FormerDeviceTable: Relation {
    static let table = DeviceTable.table
    static let keyColumns = DeviceTable.keyColumns
    static let columns = [Column.plain("id")]

    static func texts(of key: Int) -> [String] { DeviceTable.texts(of: key) }
    static func key(_ texts: [String]) -> Int { DeviceTable.key(texts) }
    static func fields(of device: DeviceID) -> [SQLValue] { [.text(device.rawValue)] }
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> DeviceID {
        DeviceID(rawValue: try fields.text())
    }
    static func all(in contents: VaultContents) -> [Int: DeviceID] { DeviceTable.all(in: contents) }
    static func put(_ key: Int, _ device: DeviceID?, in contents: inout VaultContents) {
        DeviceTable.put(key, device, in: &contents)
    }
}
