// The place of a sealed value: its table, column and key, and those plain fields of its row that are bound (`Column.isBound`).
// All of this is the associated data of the value, so that passd notices if another program moves a value to another row or
// column. passd also notices if another program changes a login's end or kind.

struct SealedRowBinding: Hashable {
    var table: String
    var column: String
    var key: [String]
    /// The bound fields of the row, each preceded by its column's name.
    var beside: [String] = []

    /// The bytes. Different places give different bytes, because the length of each part comes before the part.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in ["passd", "1", table, column] + key + beside {
            bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8)
        }
        return bytes
    }
}

extension SQLValue {
    /// The value as a text that no other value has.
    var written: String {
        switch self {
        case .null: "null"
        case .integer(let integer): "integer \(integer)"
        case .text(let text): "text \(text)"
        case .blob(let blob): "blob \(blob)"
        }
    }
}
