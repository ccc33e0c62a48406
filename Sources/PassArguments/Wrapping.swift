// Breaks long lines between words. Text after a label stays in its column. Callers do not break lines of JSON or of output to a
// pipe.

import PassJSON

package enum Wrapping {
    /// Lines are broken only on screens of at least this width.
    private static let narrowest = 24

    package static func wrapped(_ text: String, to columns: Int) -> String {
        guard columns >= narrowest else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { wrapped(line: $0, to: columns) }
            .joined(separator: "\n")
    }

    /// Breaks a line. A word that is too long stays whole, so that an address can be copied.
    private static func wrapped(line: Substring, to columns: Int) -> String {
        guard width(line) > columns else { return String(line) }
        let label = label(of: line)
        let indentation = String(repeating: " ", count: min(width(label), columns / 2))
        var (lines, last, isAtStart) = ([String](), String(label), true)
        for word in line[label.endIndex...].split(separator: " ", omittingEmptySubsequences: false) {
            let longer = isAtStart ? last + word : "\(last) \(word)"
            if !isAtStart, width(longer) > columns {
                lines.append(last)
                last = indentation + word
            } else {
                last = longer
            }
            isAtStart = false
        }
        return (lines + [last]).joined(separator: "\n")
    }

    /// The beginning of the line up to its text: blanks, or a label and at least two blanks.
    private static func label(of line: Substring) -> Substring {
        let blanks = line.prefix { $0 == " " }
        guard blanks.isEmpty else { return blanks }
        guard let gap = line.place(of: "  ")?.lowerBound else { return line[..<line.startIndex] }
        return line[..<(line[gap...].firstIndex { $0 != " " } ?? gap)]
    }

    /// The width of a text, without the sequences for colours.
    private static func width(_ text: some StringProtocol) -> Int {
        var (count, isSequence) = (0, false)
        for character in text {
            if character == "\u{1B}" { isSequence = true }
            if !isSequence { count += 1 }
            if character == "m" { isSequence = false }
        }
        return count
    }
}
