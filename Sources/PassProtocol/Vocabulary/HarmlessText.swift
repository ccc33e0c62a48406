// Functions for untrusted text. Some make a text safe to show, some compare or split texts by bytes or scalars, and one removes
// secrets from addresses. Safe text cannot end a line, control a terminal, or reverse the direction of other text.

import PassJSON

extension Unicode.Scalar {
    /// Whether the scalar is a control character (such as ESC, DEL or C1), separates lines or paragraphs, or changes the
    /// direction of text.
    public var steersTerminals: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
            || properties.isBidiControl
    }
}

extension String {
    /// The text with a blank in place of each scalar that steers terminals.
    public var onOneLine: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        var line = UnicodeScalarView()
        for scalar in unicodeScalars { line.append(scalar.steersTerminals ? " " : scalar) }
        return String(line)
    }

    /// The beginning of the text, with at most `limit` bytes. The text is cut between scalars, because a single character can
    /// have any number of bytes.
    public func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var kept = UnicodeScalarView()
        var size = 0
        for scalar in unicodeScalars {
            size += UTF8.width(scalar)
            if size > limit { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}

// Swift's characters are not used here: a combining mark and the sign before it are one character, so a search would miss the
// sign. Swift also treats canonically equivalent texts as equal, but services, files and the kernel do not.
extension StringProtocol {
    /// Whether the two texts have the same bytes.
    public func isWritten(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    public func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Splits the text at the first `sign`; nil if the text does not contain the sign.
    public func parted(at sign: Unicode.Scalar) -> (before: String, behind: String)? {
        guard let place = unicodeScalars.firstIndex(of: sign) else { return nil }
        return (String(self[..<place]), String(self[unicodeScalars.index(after: place)...]))
    }
}

// Only the scheme, the host and the port of an address are shown, because a path or a query may contain a token.
extension String {
    /// The text with `mark` in place of secrets. Two parts of each address count as secrets. The first is between `://` and
    /// `@`, and may contain `?` and `#`. The second is everything after the next `/`, `?` or `#`. White space ends an address.
    /// If `isQuoted`, a quotation mark also ends an address.
    public func withoutAddressSecrets(_ mark: String, isQuoted: Bool = true) -> String {
        // The comparison is by bytes, because a combining mark could hide a `?` from a comparison by characters.
        func isInside(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte != 0x7F && !(isQuoted && byte == UInt8(ascii: "\""))
        }
        var result = ""
        var rest = self[...]
        while let start = rest.place(of: "://") {
            result += rest[..<start.upperBound]
            rest = rest[start.upperBound...]
            let authority = rest.utf8.prefix { isInside($0) && $0 != UInt8(ascii: "/") }
            if let end = authority.lastIndex(of: UInt8(ascii: "@")) {
                result += mark
                rest = rest[end...]
            }
            let address = rest.utf8.prefix(while: isInside)
            guard let cut = address.firstIndex(where: "/?#".utf8.contains) else { continue }
            let secret = address.index(after: cut)
            // A single slash at the end is no secret.
            if secret == address.endIndex, address[cut] == UInt8(ascii: "/") { continue }
            result += rest[..<secret]
            rest = rest[secret...]
            if rest.utf8.starts(with: mark.utf8) { continue }
            result += mark
            rest = rest[address.endIndex...]
        }
        return result + rest
    }
}
