// A code as a viewer types it: in small letters, with blanks and dashes, or with what was never in it.

struct TypedCode: Equatable, Sendable {
    /// No form takes more than this.
    static let longest = 64

    /// What the session would be found under.
    let code: String

    /// Nil if it cannot be a code.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let code = text.uppercased().filter { !$0.isWhitespace && !"-–—_.".contains($0) }
        guard (4...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        else { return nil }
        self.code = code
    }

    /// Codes are dealt without characters that look alike; one that has them was misread.
    var isMisread: Bool { code.contains { "01IO".contains($0) } }

    /// In groups that are easy to compare: `K7Q 2M4X`.
    static func grouped(_ code: String) -> String {
        var groups = [code.prefix(3)]
        var rest = code.dropFirst(3)
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }
}
