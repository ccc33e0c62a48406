// The table layout of one kind of stored value: the plain columns of its key, and the columns of its value. A column names
// the part of the value that it holds. `StoreSchema` makes the tables from the columns.

import AccessEnabler

struct Column<Value>: Sendable {
    let name: String
    /// The type in SQL.
    let type: String
    /// Whether the field is sealed, because it is secret or personal. A sealed field holds text or NULL.
    let isSealed: Bool
    /// Whether the field may be NULL.
    var isOptional = true
    /// The version of the schema that added the column.
    var since = 1
    /// Returns the field; nil if the part cannot be stored.
    let field: @Sendable (Value) -> SQLValue?
    /// Sets the part of the value from the field. Returns false if the field cannot be read.
    let set: @Sendable (inout Value, SQLValue) -> Bool

    /// Whether the sealed values of the row are bound to the field (`SealedRowBinding`). This rule must not change, because
    /// with another rule no program could open the values that are already on disks.
    var isBound: Bool { !isSealed && since == 1 }

    static func plain<Part: FieldValue>(
        _ name: String, _ part: WritableKeyPath<Value, Part> & Sendable, since: Int = 1
    ) -> Column { make(name, part, isSealed: false, since: since) }

    static func sealed<Part: FieldValue>(
        _ name: String, _ part: WritableKeyPath<Value, Part> & Sendable, since: Int = 1
    ) -> Column { make(name, part, isSealed: true, since: since) }

    private static func make<Part: FieldValue>(
        _ name: String, _ part: WritableKeyPath<Value, Part> & Sendable, isSealed: Bool, since: Int
    ) -> Column {
        let (type, isOptional) = (isSealed ? "BLOB" : Part.type, Part(field: .null) != nil)
        return Column(name: name, type: type, isSealed: isSealed, isOptional: isOptional, since: since) {
            $0[keyPath: part].field
        } set: {
            guard let read = Part(field: $1) else { return false }
            $0[keyPath: part] = read
            return true
        }
    }
}

protocol Relation: SendableMetatype {
    associatedtype Key: Hashable
    associatedtype Value

    static var table: String { get }
    static var keyColumns: [String] { get }
    static var columns: [Column<Value>] { get }
    /// The value before the columns set its parts.
    static var blank: Value { get }

    static func texts(of key: Key) -> [String]
    /// Makes a key. `texts` has one element for each key column.
    static func key(_ texts: [String]) -> Key

    /// Makes the value from its plain fields, if the key for the sealed fields is missing. Nil if the plain fields are not
    /// enough.
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> Value?

    static func all(in contents: VaultContents) -> [Key: Value]
    static func has(_ key: Key, in contents: VaultContents) -> Bool
    static func count(in contents: VaultContents) -> Int
    static func put(_ key: Key, _ value: Value?, in contents: inout VaultContents)
}

extension Relation {
    static func has(_ key: Key, in contents: VaultContents) -> Bool { all(in: contents)[key] != nil }
    static func count(in contents: VaultContents) -> Int { all(in: contents).count }
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> Value? { nil }
    static var columnNames: [String] { columns.map(\.name) }

    /// The bound fields of a row, each preceded by its column's name.
    static func bound(_ fields: some Sequence<SQLValue>) -> [String] {
        zip(columns, fields).filter { $0.0.isBound }.flatMap { [$0.name, $1.written] }
    }

    /// Returns one field for each column, unsealed.
    static func fields(of value: Value) throws(RowProblem) -> [SQLValue] {
        var fields: [SQLValue] = []
        for column in columns {
            guard let field = column.field(value) else { throw RowProblem(.unknown, table: table, column: column.name) }
            fields.append(field)
        }
        return fields
    }

    /// Makes the value. Fields that are missing at the end are NULL.
    static func value(_ fields: [SQLValue]) throws(RowProblem) -> Value {
        var value = blank
        for (index, column) in columns.enumerated() {
            guard column.set(&value, index < fields.count ? fields[index] : .null) else {
                throw RowProblem(.unknown, table: table, column: column.name)
            }
        }
        return value
    }
}

/// A table whose rows are the entries of one dictionary in the contents.
protocol DictionaryRelation: Relation {
    static var place: WritableKeyPath<VaultContents, [Key: Value]> { get }
}

extension DictionaryRelation {
    static func all(in contents: VaultContents) -> [Key: Value] { contents[keyPath: place] }
    static func put(_ key: Key, _ value: Value?, in contents: inout VaultContents) {
        contents[keyPath: place][key] = value
    }
}

/// A table with one row.
protocol SingleRelation: Relation where Key == Int {
    static var place: WritableKeyPath<VaultContents, Value?> { get }
}

extension SingleRelation {
    static var keyColumns: [String] { ["slot"] }
    static func texts(of _: Int) -> [String] { ["this"] }
    static func key(_: [String]) -> Int { 0 }
    static func all(in contents: VaultContents) -> [Int: Value] { contents[keyPath: place].map { [0: $0] } ?? [:] }
    static func put(_: Int, _ value: Value?, in contents: inout VaultContents) { contents[keyPath: place] = value }
}

/// The reason why a row cannot be kept or read; it never contains a value.
struct RowProblem: Error, Hashable {
    enum Kind: Hashable { case unsealable, unsealed, unknown, damaged, tooLarge }

    /// The value of `table` for a row of another table in a damaged page, because the name of that table is unknown.
    static let otherTable = "other"

    var kind: Kind
    var table: String
    var column: String

    init(_ kind: Kind, table: String, column: String = "") {
        self.kind = kind
        self.table = table
        self.column = column
    }
}
