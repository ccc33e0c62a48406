// Turns changes into statements, sealed and within the limits. This happens before the transaction begins, so that an
// impossible change is refused before anything is written.

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

    func write(_ change: VaultChange) throws(RowProblem) -> Write {
        switch change {
        case .device(let device): try put(DeviceTable.self, 0, device)
        case .deviceKey(let key): try put(DeviceKeyTable.self, 0, key)
        case .registration(let key, let value): try put(RegistrationTable.self, key, value)
        case .selection(let key, let value): try put(SelectionTable.self, key, value)
        case .profile(let key, let value): try put(ProfileTable.self, key, value)
        case .openLogin(let key, let value): try put(OpenLoginTable.self, key, value)
        case .tombstone(let key, let stands): try put(TombstoneTable.self, key, stands ? true : nil)
        case .lapse(let key, let stands): try put(LapseTable.self, key, stands ? true : nil)
        }
    }

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

    private func put<R: Relation>(_: R.Type, _ key: R.Key, _ value: R.Value?) throws(RowProblem) -> Write {
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
        var place = SealedRowBinding(
            table: R.table, column: "", key: texts, beside: SealedRowBinding.beside(R.columns, fields))
        for (column, field) in zip(R.columns, fields) {
            guard field.byteCount <= limits.valueBytes else {
                throw RowProblem(.tooLarge, table: R.table, column: column.name)
            }
            place.column = column.name
            values.append(try sealed(field, column: column, place: place))
        }
        return Write(sql: Self.upsert(R.self), values: values)
    }

    private func sealed(_ field: SQLValue, column: Column, place: SealedRowBinding) throws(RowProblem) -> SQLValue {
        guard column.isSealed, let text = field.text else { return field }
        do { return .blob(try keyring.seal(text, at: place)) } catch {
            throw RowProblem(.unsealable, table: place.table, column: column.name)
        }
    }

    private static func upsert<R: Relation>(_: R.Type) -> String {
        let names = R.keyColumns + R.columns.map(\.name)
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let update = R.columns.map { "\($0.name) = excluded.\($0.name)" }.joined(separator: ", ")
        return """
            INSERT INTO \(R.table) (\(names.joined(separator: ", "))) VALUES (\(marks)) \
            ON CONFLICT DO \(update.isEmpty ? "NOTHING" : "UPDATE SET \(update)")
            """
    }
}

/// All tables of the store except `about`.
let relations: [any Relation.Type] = [
    DeviceTable.self, DeviceKeyTable.self, RegistrationTable.self, SelectionTable.self, ProfileTable.self,
    OpenLoginTable.self, TombstoneTable.self, LapseTable.self,
]
