// The table layout of one kind of stored value: the plain columns of its key, and the columns of its value. A column names
// the part of the value that it holds, so that a new part needs only its column here and a step in `StoreSchema`.

import AccessEnabler

struct Column<Value>: Sendable {
    let name: String
    /// A sealed column holds text or NULL. Secret or personal parts are sealed.
    let isSealed: Bool
    /// Nil if the part cannot be stored.
    let field: @Sendable (Value) -> SQLValue?
    /// Returns false if the field cannot be read.
    let set: @Sendable (inout Value, SQLValue) -> Bool

    static func plain<Part: FieldValue>(
        _ name: String, _ part: WritableKeyPath<Value, Part> & Sendable
    ) -> Column { make(name, part, isSealed: false) }

    static func sealed<Part: FieldValue>(
        _ name: String, _ part: WritableKeyPath<Value, Part> & Sendable
    ) -> Column { make(name, part, isSealed: true) }

    private static func make<Part: FieldValue>(
        _ name: String, _ part: WritableKeyPath<Value, Part> & Sendable, isSealed: Bool
    ) -> Column {
        Column(name: name, isSealed: isSealed) {
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

/// A table whose rows are one dictionary of the contents.
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

    /// The name for a row that belongs to another table. It replaces the name of the table that contained the row.
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
