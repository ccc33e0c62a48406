// The limits of the store: far more than a TV box needs, and far less than would be harmful. architecture.md §5.3.

import AccessEnabler

struct VaultLimits: Sendable {
    /// The max bytes of one field.
    var valueBytes = 64 << 10
    /// The max rows of each table.
    var rows = 4096

    /// No limits, for rows that are in the store already.
    static let none = VaultLimits(valueBytes: .max, rows: .max)

    /// Returns the rows above the limits, with their tables. If a table already has too many rows, changes that add no rows are
    /// still allowed.
    func surplus(of changes: [VaultChange], to contents: VaultContents) -> [VaultRow: String] {
        var next = contents
        for change in changes { next.apply(change) }
        var surplus: [VaultRow: String] = [:]
        for relation in relations {
            let (old, new) = (relation.count(in: contents), relation.count(in: next))
            let excess = new - max(rows, old)
            guard excess > 0 else { continue }
            let added = changes.filter { change in
                let row = TableChange(change)
                return row.table == relation.table && !row.isThere(contents) && row.isThere(next)
            }
            for change in added.suffix(excess) { surplus[change.row] = relation.table }
        }
        return surplus
    }
}
