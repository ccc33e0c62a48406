// How one kind of remembered value is stored in a table: which columns make up its key, in the clear, and which contain
// its value, sealed if it is secret or personal.

import AccessEnabler

struct Column: Sendable {
    var name: String
    /// A sealed column contains text or NULL.
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
    /// Makes a key from as many texts as there are key columns.
    static func key(_ texts: [String]) -> Key
    /// The unsealed fields, one for each column.
    static func fields(of value: Value) throws(RowProblem) -> [SQLValue]
    static func value(_ fields: inout FieldReader) throws(RowProblem) -> Value

    /// The value as far as the plain fields give it, if the key of the sealed ones is missing.
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> Value?

    static func all(in contents: VaultContents) -> [Key: Value]
    static func count(in contents: VaultContents) -> Int
    /// The relation as it was in schemas that did not bind the device.
    static var former: any Relation.Type { get }
    static func put(_ key: Key, _ value: Value?, in contents: inout VaultContents)
}

extension Relation {
    static func count(in contents: VaultContents) -> Int { all(in: contents).count }
    static var former: any Relation.Type { Self.self }
    static func valueWithoutKey(_ fields: ArraySlice<SQLValue>) -> Value? { nil }
}

/// Why a row cannot be stored or read. It contains no value.
struct RowProblem: Error, Hashable {
    enum Kind: Hashable { case unsealable, unsealed, unknown, damaged, tooLarge }

    /// The table name for a row that does not belong to the table in which it was found.
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
