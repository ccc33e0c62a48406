// Turns changes into statements, with sealed values and within the limits. This is done before the transaction begins, so that
// an impossible change is refused before anything is written.

import AccessEnabler

struct Write {
    var sql: String
    var values: [SQLValue] = []

    /// Sets a row of the table `about`.
    static func about(_ name: String, _ value: SQLValue) -> Write {
        Write(
            sql: "INSERT INTO about (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            values: [.text(name), value])
    }
}

extension Database {
    func run(_ write: Write) throws(DatabaseFault) { try run(write.sql, write.values) }
}

struct RowWriter {
    let keyring: Keyring
    let limits: VaultLimits

    /// Returns statements that replace the rows of all tables.
    func replacement(_ contents: VaultContents) throws(RowProblem) -> [Write] {
        var writes: [Write] = []
        for relation in relations { writes += try replacement(relation, contents) }
        return writes + [.about("key", .text(keyring.currentName))]
    }

    private func replacement<R: Relation>(_: R.Type, _ contents: VaultContents) throws(RowProblem) -> [Write] {
        var writes = [Write(sql: "DELETE FROM \(R.table)")]
        for (key, value) in R.all(in: contents) { writes.append(try put(R.self, key, value)) }
        return writes
    }

    fileprivate func put<R: Relation>(_: R.Type, _ key: R.Key, _ value: R.Value?) throws(RowProblem) -> Write {
        let texts = R.texts(of: key)
        guard texts.allSatisfy({ $0.utf8.count <= limits.valueBytes }) else {
            throw RowProblem(.tooLarge, table: R.table, column: "key")
        }
        guard let value else {
            let condition = R.keyColumns.map { "\($0) = ?" }.joined(separator: " AND ")
            return Write(sql: "DELETE FROM \(R.table) WHERE \(condition)", values: texts.map { .text($0) })
        }
        var values: [SQLValue] = texts.map { .text($0) }
        let fields = try R.fields(of: value)
        var place = SealedRowBinding(table: R.table, column: "", key: texts, beside: R.bound(fields))
        for (column, field) in zip(R.columns, fields) {
            guard field.byteCount <= limits.valueBytes else {
                throw RowProblem(.tooLarge, table: R.table, column: column.name)
            }
            place.column = column.name
            values.append(column.isSealed ? try sealed(field, at: place) : field)
        }
        return Write(sql: Self.replace(R.self), values: values)
    }

    private func sealed(_ field: SQLValue, at place: SealedRowBinding) throws(RowProblem) -> SQLValue {
        guard let text = field.text else { return field }
        do { return .blob(try keyring.seal(text, at: place)) } catch {
            throw RowProblem(.unsealable, table: place.table, column: place.column)
        }
    }

    /// Returns the SQL that replaces the whole row. The columns of a newer version become NULL, because they belong to the
    /// former value. The row keeps its number, because `StoreReading` searches a damaged table by the numbers.
    private static func replace<R: Relation>(_: R.Type) -> String {
        let names = R.keyColumns + R.columnNames
        let marks = names.indices.map { "?\($0 + 1)" }
        let key = zip(R.keyColumns, marks).map { "\($0) = \($1)" }.joined(separator: " AND ")
        return """
            INSERT OR REPLACE INTO \(R.table) (rowid, \(names.joined(separator: ", "))) \
            VALUES ((SELECT rowid FROM \(R.table) WHERE \(key)), \(marks.joined(separator: ", ")))
            """
    }
}

struct TableChange {
    let table: String
    let isRemoval: Bool
    let write: (RowWriter) throws(RowProblem) -> Write
    /// Whether the row is in these contents.
    let isThere: (VaultContents) -> Bool

    private init<R: Relation>(_: R.Type, _ key: R.Key, _ value: R.Value?) {
        (table, isRemoval) = (R.table, value == nil)
        write = { writer throws(RowProblem) in try writer.put(R.self, key, value) }
        isThere = { R.has(key, in: $0) }
    }

    init(_ change: VaultChange) {
        switch change {
        case .device(let device): self.init(DeviceTable.self, 0, device)
        case .deviceKey(let key): self.init(DeviceKeyTable.self, 0, key)
        case .registration(let key, let value): self.init(RegistrationTable.self, key, value)
        case .selection(let key, let value): self.init(SelectionTable.self, key, value)
        case .profile(let key, let value): self.init(ProfileTable.self, key, value)
        case .openLogin(let key, let value): self.init(OpenLoginTable.self, key, value)
        case .tombstone(let key, let isSet): self.init(TombstoneTable.self, key, isSet ? true : nil)
        case .lapse(let key, let isSet): self.init(LapseTable.self, key, isSet ? true : nil)
        }
    }
}

/// All tables of the store except `about`, in the order of reading. The order matters because the time for damaged tables is
/// limited. Rows that can be recovered only from the store come first: logins, and unreported logouts. The credentials that
/// logins depend on come next.
let relations: [any Relation.Type] = [
    ProfileTable.self, TombstoneTable.self, RegistrationTable.self, DeviceKeyTable.self, DeviceTable.self,
    SelectionTable.self, OpenLoginTable.self, LapseTable.self,
]
