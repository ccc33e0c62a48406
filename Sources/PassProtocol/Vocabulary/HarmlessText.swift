// Makes text from clients and services safe to show: it cannot end a line, control a terminal, or reverse the direction
// of other text.

extension Unicode.Scalar {
    /// Whether it is a control character (ESC, DEL, C1), a line or paragraph separator, or changes the direction of
    /// text.
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

    /// The beginning of the text, at most that many bytes. A single character can have any number of bytes, so scalars
    /// are counted.
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
