// Text from others on its way to a person: whatever a client or a service sends, it ends no line, steers no terminal and
// turns no text around.

extension Unicode.Scalar {
    /// Controls (ESC, DEL, C1), line and paragraph separators, and what changes the direction of writing.
    public var steersTerminals: Bool {
        if isASCII { return value < 0x20 || value == 0x7F }
        return [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
            || properties.isBidiControl
    }
}

extension String {
    /// With a blank for each such character.
    public var onOneLine: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return self }
        var line = UnicodeScalarView()
        for scalar in unicodeScalars { line.append(scalar.steersTerminals ? " " : scalar) }
        return String(line)
    }

    /// Its beginning, of at most so many bytes: a single character can have any number of them.
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
