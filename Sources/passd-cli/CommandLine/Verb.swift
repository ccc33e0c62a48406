// One row of the table of verbs. Each verb has a file of its own; it is a function from an invocation to an outcome.

struct Verb: Sendable {
    let name: String
    let summary: String
    var operands: [Operand] = []
    var options: [Option] = []
    /// Further text for the help.
    var details = ""
    let run: @Sendable (Invocation) async throws -> Outcome

    struct Group: Sendable {
        let title: String
        let verbs: [Verb]
    }

    static let groups = [
        Group(
            title: "For viewers and apps",
            verbs: [
                .login, .logout, .providers, .check, .authorize, .preauthorize, .metadata, .profiles, .watch,
            ]),
        Group(
            title: "For operators",
            verbs: [
                .status, .why, .sessions, .tokens, .forget, .doctor, .configShow, .policyExplain, .metrics, .reload,
                .bugReport, .export, .importBackup,
            ]),
        Group(title: "For developers and shells", verbs: [.call, .describe, .completion, .complete]),
    ]

    static let all: [Verb] = groups.flatMap(\.verbs)

    var usage: String {
        let words = options.map { "[\($0.usage)]" } + operands.map(\.usage)
        return (["passd-cli", name] + words).joined(separator: " ")
    }

    /// The `kind` of the verb's JSON.
    var kind: String { String(name.map { $0 == " " ? "-" : $0 }) }
}
