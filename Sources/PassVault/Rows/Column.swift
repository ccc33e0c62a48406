// How a kind of thing the engine wants remembered stands in a table: which columns make its key, plain, and which
// hold its value, sealed where it is secret or personal.

import AccessEnabler

struct Column: Sendable {
    var name: String
    /// A sealed column holds text, or nothing.
    var isSealed = false

    static func plain(_ name: String) -> Column { Column(name: name) }
    static func sealed(_ name: String) -> Column { Column(name: name, isSealed: true) }
}

protocol Relation: SendableMetatype {
    associatedtype Key: Hashable
    associatedtype Value

    static var table: String { get }
    static var keyColumns: [String] { get }
    static var columns: [Column] { get }

    static func texts(of key: Key) -> [String]
    /// From as many texts as there are key columns.
    static func key(_ texts: [String]) -> Key
    /// One for each column, in the clear.
    static func fields(of value: Value) throws(RowProblem) -> [SQLValue]
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Value

    /// What the fields in the clear say by themselves, where the key of the others is not there.
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> Value?

    static func all(in contents: VaultContents) -> [Key: Value]
    static func count(in contents: VaultContents) -> Int
    /// As it stood in a schema that did not bind the device.
    static var former: any Relation.Type { get }
    static func put(_ key: Key, _ value: Value?, in contents: inout VaultContents)
}

extension Relation {
    static func count(in contents: VaultContents) -> Int { all(in: contents).count }
    static var former: any Relation.Type { Self.self }
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> Value? { nil }
}

/// Why a row cannot be kept or read; no value is in it.
struct RowProblem: Error, Hashable {
    enum Kind: Hashable { case unsealable, unsealed, unknown, damaged, tooLarge }

    /// Where a row is none of the table in which it was found.
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
