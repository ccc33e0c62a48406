// The parts of a command line after the program's name: options and operands.

package struct Option: Sendable, Equatable {
    /// The name with its dashes.
    package let name: String
    /// The placeholder of the value; nil for a switch. `a|b` means that only the values a and b are allowed.
    package let value: String?
    package let help: String
    /// Further text, for the manual.
    package let details: String
    /// The name of a list of values. Completions ask the program for this list.
    package let known: String?
    /// The names of options that cannot be combined with this one.
    package let excludes: [String]
    /// The name of an option that this one requires.
    package let needs: String?
    package let isRequired: Bool

    package init(
        _ name: String, _ value: String? = nil, help: String, details: String = "", known: String? = nil,
        excludes: [String] = [], needs: String? = nil, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.details = details
        self.known = known
        self.excludes = excludes
        self.needs = needs
        self.isRequired = isRequired
    }

    package static let help = Option("--help", help: "print this help")
    package static let version = Option("--version", help: "print the version")

    package var usage: String { value.map { "\(name) \($0)" } ?? name }
}

/// A word that is not an option.
package struct Operand: Sendable, Equatable {
    package enum Count: Sendable { case one, optional, some, any }

    /// The name. `a|b` means that only the values a and b are allowed.
    package let name: String
    package let count: Count
    /// Examples of values. Other values are possible.
    package let words: [String]
    /// The name of a list of values. Completions ask the program for this list.
    package let known: String?

    package init(_ name: String, _ count: Count = .one, words: [String] = [], known: String? = nil) {
        self.name = name
        self.count = count
        self.words = words
        self.known = known
    }

    package var usage: String { usage(of: name) }

    /// The usage, with this text in place of the name.
    package func usage(of name: String) -> String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .some: "\(name)…"
        case .any: "[\(name)…]"
        }
    }

    /// Whether the operand may be given more than once. Only the last operand of a verb (a subcommand such as `why`) may be
    /// repeated.
    package var repeats: Bool { count == .some || count == .any }
    var isNeeded: Bool { count == .one || count == .some }
}

/// The values, if the placeholder lists them. A placeholder in capitals is a name and lists none.
package func listedValues(in placeholder: String) -> [String]? {
    let words = placeholder.split(separator: "|").map(String.init)
    return words.count > 1 && placeholder.lowercased() == placeholder ? words : nil
}
