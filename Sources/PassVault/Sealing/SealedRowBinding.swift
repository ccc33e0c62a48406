// The place of a sealed value and the plain fields of its row. They are authenticated together with the value, so that
// nobody who can write the file can move a value to another row or column, or give a login another end or kind.

struct SealedRowBinding: Hashable {
    /// The version of the binding. The second one also binds the row's plain fields.
    enum Generation: Int { case first = 1, second }

    var table: String
    var column: String
    var key: [String]
    /// The plain fields of the row, with their names.
    var beside: [String] = []

    /// The bytes that are authenticated. Every part carries its length, so that no two places have the same bytes.
    func bytes(_ generation: Generation) -> [UInt8] {
        var bytes: [UInt8] = []
        var parts = ["passd", String(generation.rawValue), table, column] + key
        if generation == .second { parts += beside }
        for part in parts { bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8) }
        return bytes
    }

    /// The plain fields of a row, with their names.
    static func beside(_ columns: [Column], _ fields: some Sequence<SQLValue>) -> [String] {
        zip(columns, fields).filter { !$0.0.isSealed }.flatMap { [$0.0.name, $0.1.written] }
    }
}

extension SQLValue {
    /// A text form in which no two values are the same.
    fileprivate var written: String {
        switch self {
        case .null: "null"
        case .integer(let integer): "integer \(integer)"
        case .text(let text): "text \(text)"
        case .blob(let blob): "blob \(blob)"
        }
    }
}
