// Which device this store belongs to. A bit that flips here would make the box a stranger to its own logins, so the
// identifier stands there twice, the second time sealed and bound to the first. One that does not fit is damage and says
// nothing about the box: the logins stay, as they do where there is none yet. Who could write them here has the key, and could
// as well write the row; and the service compares the device itself. Contract: access-enabler.md §10.

import AccessEnabler

enum DeviceTable: Relation {
    static let table = "device"
    static let keyColumns = ["slot"]
    static let columns = [Column.plain("id"), .sealed("proof")]
    static var former: any Relation.Type { FormerDeviceTable.self }

    /// There is one device.
    static func texts(of _: Int) -> [String] { ["this"] }
    static func key(_: [String]) -> Int { 0 }
    static func fields(of device: DeviceID) -> [SQLValue] { [.text(device.rawValue), .text(device.rawValue)] }
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> DeviceID {
        let id = try fields.text()
        guard try fields.text() == id else { throw RowProblem(.damaged, table: table, column: "id") }
        return DeviceID(rawValue: id)
    }
    /// Nothing that hangs on it can be read either.
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> DeviceID? {
        fields.first?.text.map { DeviceID(rawValue: $0) }
    }
    static func all(in contents: VaultContents) -> [Int: DeviceID] { contents.device.map { [0: $0] } ?? [:] }
    static func put(_: Int, _ device: DeviceID?, in contents: inout VaultContents) { contents.device = device }
}

/// Before the fourth schema.
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
