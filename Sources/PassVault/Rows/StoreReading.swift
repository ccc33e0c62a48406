// Reads as much of a store as possible. If a row is damaged, only this row is lost. If a page is damaged, only the rows of
// this page are lost. architecture.md §5.5.

import AccessEnabler

struct StoreReading {
    private(set) var contents = VaultContents()
    private(set) var problems: [RowProblem] = []
    /// The logins whose rows are unreadable except for the key.
    private(set) var lostLogins: Set<ProfileKey> = []
    /// The faults of SQLite during the reading. The number of affected rows is unknown.
    private(set) var faults: [DatabaseFault] = []

    /// The max rows of a table that are read; more than passd writes.
    static let maxRows = 8192
    /// The max bytes of all rows together.
    private static let maxBytes = StoreSize.maxBytes / 2
    private var bytes = 0
    /// The limits of the search for rows after a bad page. The search goes row by row. `reach` limits the rows in each table,
    /// and `timeLimit` limits the time for all tables together.
    private static let reach = maxRows
    private static let timeLimit = Duration.milliseconds(400)
    private var deadline: ContinuousClock.Instant?
    private var now: () -> ContinuousClock.Instant = { .now }

    init() {}

    /// Reads the named tables, or all tables if `tables` is nil.
    init(
        _ database: Database, _ keyring: Keyring, tables: Set<String>? = nil,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        func mayRead(_ table: String) -> Bool { tables?.contains(table) ?? true }
        self.now = now
        let name = mayRead("about") ? (try? database.about("key")) ?? "" : ""
        let keyring = keyring.reading(keyName: name)
        for relation in relations where mayRead(relation.table) { read(relation, database, keyring) }
    }

    private mutating func read<R: Relation>(_: R.Type, _ database: Database, _ keyring: Keyring) {
        // The columns that the table has. A store of an earlier version lacks columns, which are read as NULL.
        var present: Set<String> = []
        do {
            try database.query("SELECT name FROM pragma_table_info('\(R.table)')") { row in
                present.formUnion(row.compactMap(\.text))
                return true
            }
        } catch { return faults.append(error) }
        let names = (R.keyColumns + R.columnNames).map { present.contains($0) ? $0 : "NULL" }
        let select = "SELECT rowid, \(names.joined(separator: ", ")) FROM \(R.table) NOT INDEXED"
        var last: Int64 = 0
        var count = 0
        do {
            try database.query(select + " ORDER BY rowid") { row in
                last = row.first?.integer ?? last
                count += 1
                return count <= Self.maxRows && take(R.self, row, keyring)
            }
            if count > Self.maxRows || bytes > Self.maxBytes { faults.append(.tooManyRows(R.table)) }
        } catch {
            faults.append(error)
            guard error.meaning == .damaged || error.meaning == .faulty else { return }
            search(R.self, database, keyring: keyring, select: select, behind: last)
        }
    }

    /// Searches for rows after a bad page. The search has its own limits, because the highest row number comes from the same
    /// damaged file and may be far too high.
    private mutating func search<R: Relation>(
        _: R.Type, _ database: Database, keyring: Keyring, select: String, behind last: Int64
    ) {
        let deadline = self.deadline ?? now() + Self.timeLimit
        self.deadline = deadline
        let end = (try? database.value("SELECT max(rowid) FROM \(R.table)"))??.integer ?? .max
        var rowid = last
        for _ in 0..<Self.reach {
            let (next, isTooLarge) = rowid.addingReportingOverflow(1)
            guard !isTooLarge, next <= end, now() < deadline else { return }
            rowid = next
            try? database.query(select + " WHERE rowid = ?", [.integer(rowid)]) { row in
                _ = take(R.self, row, keyring)
                return false
            }
        }
    }

    /// Returns false if all rows together have become too large.
    private mutating func take<R: Relation>(_: R.Type, _ row: [SQLValue], _ keyring: Keyring) -> Bool {
        bytes += row.reduce(0) { $0 + $1.byteCount }
        guard bytes <= Self.maxBytes else { return false }
        do {
            let (key, value) = try Self.entry(R.self, row.dropFirst(), keyring)
            R.put(key, value, in: &contents)
        } catch {
            problems.append(error)
            let texts = row.dropFirst().prefix(R.keyColumns.count).compactMap(\.text)
            guard error.table == ProfileTable.table, texts.count == R.keyColumns.count else { return true }
            if let key = R.key(texts) as? ProfileKey { lostLogins.insert(key) }
        }
        return true
    }

    private static func entry<R: Relation>(
        _: R.Type, _ row: ArraySlice<SQLValue>, _ keyring: Keyring
    )
        throws(RowProblem) -> (R.Key, R.Value)
    {
        // If all values are missing, this page belongs to another table.
        let hasNoValue = !R.columns.isEmpty && row.dropFirst(R.keyColumns.count).allSatisfy { $0 == .null }
        guard !hasNoValue, !row.prefix(R.keyColumns.count).contains(.null) else {
            throw RowProblem(.damaged, table: RowProblem.otherTable)
        }
        let texts = row.prefix(R.keyColumns.count).compactMap(\.text)
        guard texts.count == R.keyColumns.count else { throw RowProblem(.damaged, table: R.table, column: "key") }
        var fields: [SQLValue] = []
        let beside = R.bound(row.dropFirst(texts.count))
        for (column, field) in zip(R.columns, row.dropFirst(texts.count)) {
            let place = SealedRowBinding(table: R.table, column: column.name, key: texts, beside: beside)
            do throws(RowProblem) {
                fields.append(column.isSealed ? try opened(field, place: place, keyring: keyring) : field)
            } catch {
                if error.kind == .unsealable, let value = R.valueWithoutKey(row.dropFirst(texts.count)) {
                    return (R.key(texts), value)
                }
                throw error
            }
        }
        return (R.key(texts), try R.value(fields))
    }

    private static func opened(
        _ field: SQLValue, place: SealedRowBinding, keyring: Keyring
    ) throws(RowProblem) -> SQLValue {
        if field == .null { return .null }
        guard let envelope = field.blob else { throw RowProblem(.damaged, table: place.table, column: place.column) }
        do { return .text(try keyring.open(envelope, at: place)) } catch {
            let kind: RowProblem.Kind =
                switch error {
                case .otherKey: .unsealable
                case .unsealed: .unsealed
                case .unknownVersion: .unknown
                case .damaged, .noRandomness: .damaged
                }
            throw RowProblem(kind, table: place.table, column: place.column)
        }
    }
}
