// Reads and writes the value after a `=`. The value is the text between quotes, or the text up to a comment. A comment needs a
// blank before it. Values are read by Unicode scalars, because a combining mark would otherwise hide the sign before it.

import PassProtocol

package enum INIValue {
    /// Reads a value; nil if quotes are not closed.
    static func read(_ text: Substring) -> String? {
        guard text.unicodeScalars.first == "\"" else { return String(withoutComment(text)) }
        var value = String.UnicodeScalarView()
        var rest = text.unicodeScalars.dropFirst()
        while let character = rest.popFirst() {
            if character == "\"" {
                let tail = Substring(rest).trimmed
                return tail.isEmpty || beginsComment(tail) ? String(value) : nil
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
        for index in text.unicodeScalars.indices {
            if isAfterBlank, beginsComment(text[index...]) { return text[..<index].trimmed }
            isAfterBlank = text.unicodeScalars[index].isBlank
        }
        return text.trimmed
    }

    static func beginsComment(_ text: Substring) -> Bool {
        [UInt8(ascii: "#"), UInt8(ascii: ";")].contains(text.utf8.first)
    }

    /// Writes a value so that `read` returns it unchanged.
    package static func written(_ value: String) -> String {
        if let same = read(value[...]), same.isWritten(as: value) { return value }
        return "\""
            + value.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? "\\\($1)" : "\($1)" } + "\""
    }
}

extension Unicode.Scalar {
    var isBlank: Bool { self == " " || self == "\t" }
}

extension StringProtocol where SubSequence == Substring {
    var trimmed: Substring {
        var scalars = self[...].unicodeScalars
        while scalars.first?.isBlank == true { scalars.removeFirst() }
        while scalars.last?.isBlank == true { scalars.removeLast() }
        return Substring(scalars)
    }

    /// The items of a list. Blanks separate the items.
    var words: [String] { self[...].unicodeScalars.split(whereSeparator: \.isBlank).map { String($0) } }
}
