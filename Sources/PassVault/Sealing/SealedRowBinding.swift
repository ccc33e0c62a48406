// Where a sealed value stands, and what stands in the clear beside it. Both are sealed together with the value, so that
// nobody who can write the file can move a value to another row or column, or give a login another end or kind, and have
// it accepted.

struct SealedRowBinding: Hashable {
    /// What is bound: the second one binds the row's fields in the clear, too.
    enum Generation: Int { case first = 1, second }

    var table: String
    var column: String
    var key: [String]
    /// The fields in the clear, with their names.
    var beside: [String] = []

    /// No two places have the same bytes: every part carries its length.
    func bytes(_ generation: Generation) -> [UInt8] {
        var bytes: [UInt8] = []
        var parts = ["passd", String(generation.rawValue), table, column] + key
        if generation == .second { parts += beside }
        for part in parts { bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8) }
        return bytes
    }

    /// What stands beside the sealed columns of a row.
    static func beside(_ columns: [Column], _ fields: some Sequence<SQLValue>) -> [String] {
        zip(columns, fields).filter { !$0.0.isSealed }.flatMap { [$0.0.name, $0.1.written] }
    }
}

extension SQLValue {
    /// No two values are written alike.
    fileprivate var written: String {
        switch self {
        case .null: "null"
        case .integer(let integer): "integer \(integer)"
        case .text(let text): "text \(text)"
        case .blob(let blob): "blob \(blob)"
        }
    }
}
