// The place of a sealed value: its table, column and key, and the bound plain fields of its row (`Column.isBound`). They are the associated data of the value. So a program that can write the file cannot move a value to another
// row or column, or change the end or kind of a login, without being noticed.

struct SealedRowBinding: Hashable {
    var table: String
    var column: String
    var key: [String]
    /// The bound fields of the row, each preceded by its column's name.
    var beside: [String] = []

    /// The bytes. Different places give different bytes, because every part follows its length.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in ["passd", "1", table, column] + key + beside {
            bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8)
        }
        return bytes
    }
}

extension SQLValue {
    /// The text. Different values have different texts.
    var written: String {
        switch self {
        case .null: "null"
        case .integer(let integer): "integer \(integer)"
        case .text(let text): "text \(text)"
        case .blob(let blob): "blob \(blob)"
        }
    }
}
