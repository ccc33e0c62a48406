// The value of a field of the database.

enum SQLValue: Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    var blob: [UInt8]? { if case .blob(let blob) = self { blob } else { nil } }

    /// The size that counts against the limits.
    var byteCount: Int {
        switch self {
        case .null: 0
        case .integer: 8
        case .text(let text): text.utf8.count
        case .blob(let blob): blob.count
        }
    }
}
