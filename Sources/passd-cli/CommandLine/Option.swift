// The options that every verb takes. The parser, the help and the usage errors are generated from them and the table of
// verbs.

struct Option: Sendable, Equatable {
    /// The name with its dashes.
    let name: String
    /// The placeholder of the value in the help; nil for a switch.
    var value: String?
    let help: String
    /// Further text for the manual.
    var details = ""

    var usage: String { value.map { "\(name) \($0)" } ?? name }

    static let socket = Option(
        name: "--socket", value: "PATH", help: "connect there; the admin socket is admin.sock beside it")
    static let requestor = Option(
        name: "--requestor", value: "ID", help: "act for this requestor",
        details: """
            Without it PASSD_REQUESTOR is used, and without that the only requestor that policy allows, if there is \
            just one.
            """)
    static let json = Option(
        name: "--json", help: "print the answer as one JSON object",
        details: """
            It stands on one line: {"passd":{"format":1,"version":"…"},"kind":"…","data":…}. The kind is the verb, or \
            error if there is no answer; the data is then the daemon's error.
            """)
    static let timeout = Option(
        name: "--timeout", value: "SECONDS",
        help: "how long the daemon may take for each answer; \(usualTimeout) if not given",
        details: "The viewer may take longer to sign in.")
    static let noColor = Option(
        name: "--no-color", help: "print without colours; as NO_COLOR",
        details: "There are none anyway where standard output is not a terminal.")
    static let help = Option(name: "--help", help: "explain the program or the verb")
    static let version = Option(name: "--version", help: "print the version")

    /// The default of `--timeout`, in seconds.
    static let usualTimeout = 40

    /// Accepted before and after the verb.
    static let global: [Option] = [.socket, .requestor, .json, .timeout, .noColor, .help, .version]
}

/// A word after the verb that is not an option.
struct Operand: Sendable, Equatable {
    enum Count: Sendable { case one, optional, some, any }

    let name: String
    let count: Count
    /// The possible values, as far as they are known.
    let words: [String]

    /// A name such as `a|b` lists the values itself.
    init(_ name: String, _ count: Count = .one, words: [String] = []) {
        self.name = name
        self.count = count
        self.words = name.contains("|") ? name.split(separator: "|").map(String.init) : words
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
