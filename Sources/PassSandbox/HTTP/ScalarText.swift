// Texts from outside, read by unicode scalars. A combining mark or a variation selector makes one character of itself and
// the sign before it, so a delimiter that is looked for as a character can be missed; as a scalar it is always found.

extension StringProtocol {
    func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    func ends(with text: String) -> Bool { utf8.reversed().starts(with: text.utf8.reversed()) }

    func holds(_ text: String) -> Bool { range(of: text) != nil }

    /// The first place of a text, from an index on.
    func range(of text: String, from start: Index? = nil) -> Range<Index>? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var rest = utf8[(start ?? startIndex)...]
        while let place = rest.firstIndex(of: first) {
            rest = rest[place...]
            if rest.starts(with: wanted) { return place..<rest.index(place, offsetBy: wanted.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// What stands between the separators; empty parts count.
    func parts(between separator: Unicode.Scalar, most: Int = .max) -> [String] {
        unicodeScalars.split(separator: separator, maxSplits: most - 1, omittingEmptySubsequences: false).map {
            var part = String.UnicodeScalarView()
            part.append(contentsOf: $0)
            return String(part)
        }
    }

    /// Everything before the first of these signs.
    func upTo(_ end: Unicode.Scalar) -> String {
        var part = String.UnicodeScalarView()
        part.append(contentsOf: unicodeScalars.prefix { $0 != end })
        return String(part)
    }

    var trimmed: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(self[first..<scalars.index(after: last)])
    }
}
