// Makes text from clients and services safe to display: it cannot end a line, control a terminal or change the
// direction of writing.

extension Unicode.Scalar {
    /// Control characters (ESC, DEL, C1), line and paragraph separators, and characters that change the direction of
    /// writing.
    public var steersTerminals: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
            || properties.isBidiControl
    }
}

extension String {
    /// The text with a blank in place of each such character.
    public var onOneLine: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        var line = UnicodeScalarView()
        for scalar in unicodeScalars { line.append(scalar.steersTerminals ? " " : scalar) }
        return String(line)
    }

    /// The beginning of the text, of at most so many bytes; a single character can have any number of bytes.
    public func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var kept = UnicodeScalarView()
        var size = 0
        for scalar in unicodeScalars {
            size += UTF8.width(scalar)
            if size > most { break }
            kept.append(scalar)
        }
        return String(kept)
    }
}
