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
    /// What the daemon knows values of.
    var known: KnownWords?

    var usage: String { value.map { "\(name) \($0)" } ?? name }

    static let socket = Option(
        name: "--socket", value: "PATH", help: "the daemon's socket; the admin socket is admin.sock beside it")
    static let instance = Option(
        name: "--instance", value: "NAME", help: "the daemon of the instance NAME of this host",
        details: "It is short for --socket /run/passd@NAME/passd.sock.")
    static let requestor = Option(
        name: "--requestor", value: "ID", help: "act for this requestor",
        details: """
            The default is PASSD_REQUESTOR. If that is not set either, the requestor that policy allows is used, if \
            there is just one.
            """, known: .requestors)
    static let json = Option(
        name: "--json", help: "print the answer as one JSON object",
        details: """
            The object is one line: {"passd":{"format":1,"version":"…"},"kind":KIND,"data":DATA}. KIND is the verb and \
            DATA its result; if there is no answer, KIND is error and DATA the error.
            """)
    static let timeout = Option(
        name: "--timeout", value: "SECONDS",
        help: "wait at most this long for each answer; default: \(usualTimeout)",
        details: "It does not limit the time that the viewer takes to sign in.")
    static let noColor = Option(
        name: "--no-color", help: "print without colours, as with NO_COLOR",
        details: "There are no colours anyway if standard output is not a terminal.")
    static let help = Option(name: "--help", help: "explain the program or the verb")
    static let version = Option(name: "--version", help: "print the version")

    /// The default of `--timeout`, in seconds.
    static let usualTimeout = 40

    /// Accepted before and after the verb.
    static let global: [Option] = [.socket, .instance, .requestor, .json, .timeout, .noColor, .help, .version]
}

/// A word after the verb that is not an option.
struct Operand: Sendable, Equatable {
    enum Count: Sendable { case one, optional, some, any }

    let name: String
    let count: Count
    /// The possible values, as far as they are fixed.
    let words: [String]
    /// What the daemon knows values of.
    let known: KnownWords?

    /// A name such as `a|b` lists the values itself, unless the daemon knows them.
    init(_ name: String, _ count: Count = .one, words: [String] = [], known: KnownWords? = nil) {
        self.known = known
        self.name = name
        self.count = count
        self.words = name.contains("|") && known == nil ? name.split(separator: "|").map(String.init) : words
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
