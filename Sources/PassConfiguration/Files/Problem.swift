// A problem of the configuration: the fault, the place and the severity. Each problem is printed as one line that begins with
// the place, so that editors can jump to this place. operations.md §2.

import PassJSON
import PassProtocol

package struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// The line, counted from 1; also 1 for a problem of the whole file.
    package let line: Int

    package init(_ file: String, _ line: Int = 1) {
        self.file = file
        self.line = line
    }

    package var description: String { "\(file):\(line)" }
}

package struct Problem: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: Int, Comparable, Sendable {
        /// The configuration is valid, but something is probably wrong. For example, an account does not exist.
        case warning
        /// A part has no effect, such as an unknown key or an ignored app stanza. The daemon starts anyway, because a mistake
        /// of one package must not stop the box.
        case ignored
        /// The configuration is understood, but a part cannot work. A file or program of this part is missing or useless. The
        /// daemon starts and a reload accepts the problem, because other parts may work. But `--check-config` fails.
        case useless
        /// An unreadable part of the files may hide a stanza that is stricter than an earlier stanza. The daemon starts without
        /// the earlier stanzas. A reload keeps the old configuration.
        case unclear
        /// The daemon does not start. A reload keeps the old configuration.
        case fatal

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package let severity: Severity
    package let place: FilePosition
    package let message: String

    package init(_ severity: Severity, place: FilePosition, message: String) {
        self.severity = severity
        self.place = place
        self.message = message
    }

    /// The text for terminals, the journal and warnings. If the text contains an address, secrets in the address are hidden.
    package var description: String { "\(place): \(message)".withoutAddressSecrets("(secret)") }

    /// The problem as one line for an operator. If the severity is lower than `useless`, the line calls the problem a warning.
    package var line: String {
        severity >= .useless ? description : Problem(severity, place: place, message: "warning: \(message)").description
    }

    /// The start of a faulty value, for messages. The secrets of an address are hidden, because problems are recorded. The
    /// search for secrets does not end at white space, because the address in a faulty value may contain white space.
    static func shown(_ text: String) -> String {
        var shown = text[...]
        if let scheme = text.place(of: "://"), let end = text.lastIndex(of: "@"), end > scheme.upperBound {
            shown = "\(text[..<scheme.upperBound])(secret)\(text[end...])"
        }
        let host = shown.place(of: "://")?.upperBound
        let ends = host == nil ? "?#" : "/?#"
        if let cut = shown.utf8[(host ?? shown.startIndex)...].firstIndex(where: ends.utf8.contains) {
            shown = shown[...cut] + "(secret)"
        }
        return String(shown.prefix(200))
    }
}
