// A code as a viewer types it: possibly in small letters, with blanks and dashes, or with characters that no code has.

struct TypedCode: Equatable, Sendable {
    /// The longest input that a form accepts.
    static let longest = 64

    /// The normalized code, which is the key of the session.
    let code: String

    /// Nil if the text cannot be a code.
    init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let code = text.uppercased().filter { !$0.isWhitespace && !"-–—_.".contains($0) }
        guard (4...32).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
        else { return nil }
        self.code = code
    }

    /// Whether the code was misread: codes have no characters that look alike.
    var isMisread: Bool { code.contains { "01IO".contains($0) } }

    /// The code in groups that are easy to compare: `K7Q 2M4X`.
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
