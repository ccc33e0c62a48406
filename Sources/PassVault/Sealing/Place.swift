// Where a sealed value stands. It is sealed together with the value, so that nobody who can write the file can move
// a value to another row or column and have it accepted there.

struct Place: Hashable {
    /// What the columns mean; a later schema that means something else by a column counts on.
    static let generation = 1

    var table: String
    var column: String
    var key: [String]

    /// No two places have the same bytes: every part carries its length.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in ["passd", String(Self.generation), table, column] + key {
            bytes += Array("\(part.utf8.count):".utf8) + Array(part.utf8)
        }
        return bytes
    }
}
