// The limits of the store: far more than a TV box needs, and far less than would harm it. architecture.md §5.3.

import AccessEnabler

struct VaultLimits: Sendable {
    /// The maximum bytes of one field.
    var valueBytes = 64 << 10
    /// The maximum rows of each table.
    var rows = 4096

    /// No limits, for rows that are in the store already.
    static let none = VaultLimits(valueBytes: .max, rows: .max)

    /// Returns the rows above the limits, with their tables. If a table already has too many rows, changes that do not
    /// add to them are still allowed.
    func surplus(of changes: [VaultChange], to contents: VaultContents) -> [VaultRow: String] {
        var next = contents
        for change in changes { next.apply(change) }
        var surplus: [VaultRow: String] = [:]
        for relation in relations {
            let (old, new) = (relation.count(in: contents), relation.count(in: next))
            let excess = new - max(rows, old)
            guard excess > 0 else { continue }
            let added = changes.map(\.row).filter { row in
                row.table == relation.table && !contents.has(row) && next.has(row)
            }
            for row in Set(added.suffix(excess)) { surplus[row] = relation.table }
        }
        return surplus
    }
}

extension VaultRow {
    fileprivate var table: String {
        switch self {
        case .device: DeviceTable.table
        case .deviceKey: DeviceKeyTable.table
        case .registration: RegistrationTable.table
        case .selection: SelectionTable.table
        case .profile: ProfileTable.table
        case .openLogin: OpenLoginTable.table
        case .tombstone: TombstoneTable.table
        case .lapse: LapseTable.table
        }
    }
}

extension VaultContents {
    fileprivate func has(_ row: VaultRow) -> Bool {
        switch row {
        case .device: device != nil
        case .deviceKey: deviceKey != nil
        case .registration(let key): registrations[key] != nil
        case .selection(let key): selections[key] != nil
        case .profile(let key): profiles[key] != nil
        case .openLogin(let key): openLogins[key] != nil
        case .tombstone(let key): tombstones.contains(key)
        case .lapse(let key): lapsed.contains(key)
        }
    }
}
