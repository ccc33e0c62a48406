// A verb and its options as data. The parser, `--help` and the documentation are generated from it.

struct Option: Sendable {
    let name: String
    /// The placeholder of the value in the usage line; nil for a switch.
    let value: String?
    let help: String

    var usage: String { value.map { "\(name) \($0)" } ?? name }
}

struct Verb: Sendable {
    let name: String
    /// The word that has to follow the verb.
    let operand: String?
    let summary: String
    /// Further lines of `--help`, below the usage.
    let details: String
    let options: [Option]
    let run: @Sendable (Arguments) throws -> ExitCode

    var usage: String {
        let required = options.filter { Self.required.contains($0.name) }
        return (["pass-sandbox", name] + [operand].compactMap(\.self) + required.map(\.usage)).joined(separator: " ")
            + (required.count < options.count ? " [OPTION…]" : "")
    }

    /// Options that are mandatory.
    static let required = ["--user", "--password"]

    static let all: [Verb] = [serve, box, statement, serviceToken, logIn, verify]
}

extension Option {
    /// Options that are accepted with every verb, and without a verb.
    static let everywhere = [
        Option(name: "--help", value: nil, help: "explain the program or the verb"),
        Option(name: "--version", value: nil, help: "print the version"),
    ]

    static let catalogue = Option(
        name: "--catalog", value: "FILE",
        help: "the catalogue; default: Config/sandbox/catalog.json or the installed one")
    static let state = Option(
        name: "--state", value: "FILE", help: "keep registrations, sessions, logins and keys in this file")
    static let seed = Option(
        name: "--seed", value: "N", help: "generate the same codes, ids and keys at every fresh start")
    static let server = Option(
        name: "--server", value: "URL", help: "the running sandbox; default: http://127.0.0.1:8642")
}
