// What is wrong with the configuration, where, and how bad that is. One line each, in the form editors can jump to.
// operations.md §2.

package struct FilePosition: Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// 1 where the whole file is meant.
    package let line: Int

    package init(_ file: String, _ line: Int = 1) {
        self.file = file
        self.line = line
    }

    package var description: String { "\(file):\(line)" }
}

package struct Problem: Equatable, Sendable, CustomStringConvertible {
    package enum Severity: Int, Comparable, Sendable {
        /// All is understood, but something outside the configuration is not as it should be.
        case warning
        /// What stands there has no effect: an unknown key, an app stanza that is set aside. The daemon starts all
        /// the same, since one package's mistake must not take the box down.
        case ignored
        /// Nobody can tell which app stanzas stand there, and a stricter one than those that are known may be among them. The
        /// daemon starts, and trusts none that it might replace; a reload keeps the old configuration.
        case unclear
        /// The daemon does not start with it, and a reload keeps the old configuration.
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

    package var description: String { "\(place): \(message)" }
}
