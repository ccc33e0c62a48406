// What stands behind the `=`: up to a comment, which a blank sets apart, or between quotes.

enum INIValue {
    /// Nil for quotes that are not closed.
    static func read(_ text: Substring) -> String? {
        guard text.first == "\"" else { return String(withoutComment(text)) }
        var value = ""
        var rest = text.dropFirst()
        while let character = rest.popFirst() {
            if character == "\"" {
                let tail = rest.trimmed
                return tail.isEmpty || beginsComment(tail) ? value : nil
            }
            if character == "\\", let escaped = rest.first, escaped == "\"" || escaped == "\\" {
                rest.removeFirst()
                value.append(escaped)
            } else {
                value.append(character)
            }
        }
        return nil
    }

    static func withoutComment(_ text: Substring) -> Substring {
        var isAfterBlank = true
        for index in text.indices {
            if isAfterBlank, beginsComment(text[index...]) { return text[..<index].trimmed }
            isAfterBlank = text[index].isBlank
        }
        return text.trimmed
    }

    static func beginsComment(_ text: Substring) -> Bool { text.first == "#" || text.first == ";" }

    /// So that reading it gives the same again.
    static func written(_ value: String) -> String {
        if read(value[...]) == value { return value }
        return "\""
            + value.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }
}

extension Character {
    var isBlank: Bool { self == " " || self == "\t" }
}

extension StringProtocol where SubSequence == Substring {
    var trimmed: Substring {
        var text = self[...]
        while text.first?.isBlank == true { text.removeFirst() }
        while text.last?.isBlank == true { text.removeLast() }
        return text
    }

    /// The items of a list.
    var words: [String] { split(whereSeparator: \.isBlank).map(String.init) }
}
