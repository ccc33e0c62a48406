// Which device this store belongs to. Contract: access-enabler.md §10.

import AccessEnabler

enum Devices: Relation {
    static let table = "device"
    static let keyColumns = ["slot"]
    static let columns = [Column.plain("id")]

    /// There is one device.
    static func texts(of _: Int) -> [String] { ["this"] }
    static func key(_: [String]) -> Int { 0 }
    static func fields(of device: DeviceID) -> [SQLValue] { [.text(device.rawValue)] }
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> DeviceID {
        DeviceID(rawValue: try fields.text())
    }
    static func all(in contents: VaultContents) -> [Int: DeviceID] { contents.device.map { [0: $0] } ?? [:] }
    static func put(_: Int, _ device: DeviceID?, in contents: inout VaultContents) { contents.device = device }
}
