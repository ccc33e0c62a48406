// The options that every verb takes. With the table of verbs they make the parser, the help and the usage errors.

struct Option: Sendable, Equatable {
    /// With its dashes.
    let name: String
    /// What stands for the value in the help; nil for a switch.
    var value: String?
    let help: String

    var usage: String { value.map { "\(name) \($0)" } ?? name }

    static let socket = Option(
        name: "--socket", value: "PATH", help: "connect there; the admin socket is admin.sock beside it")
    static let requestor = Option(name: "--requestor", value: "ID", help: "act for this requestor")
    static let json = Option(name: "--json", help: "print the answer as one JSON object")
    static let timeout = Option(
        name: "--timeout", value: "SECONDS", help: "how long the daemon may take for each answer; 40 if not given")
    static let noColor = Option(name: "--no-color", help: "print without colours; as NO_COLOR")
    static let help = Option(name: "--help", help: "explain the program or the verb")
    static let version = Option(name: "--version", help: "print the version")

    /// Accepted before and after the verb.
    static let global: [Option] = [.socket, .requestor, .json, .timeout, .noColor, .help, .version]
}

/// A word after the verb that is no option.
struct Operand: Sendable, Equatable {
    enum Count: Sendable { case one, optional, some, any }

    let name: String
    let count: Count

    init(_ name: String, _ count: Count = .one) {
        self.name = name
        self.count = count
    }

    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .some: "\(name)…"
        case .any: "[\(name)…]"
        }
    }
}
