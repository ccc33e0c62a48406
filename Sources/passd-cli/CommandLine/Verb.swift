// The table of verbs. A verb is a function from an invocation to an outcome.

package import PassArguments
import PassProtocol

struct Verb: Sendable {
    let syntax: VerbSyntax
    let run: @Sendable (Invocation) async throws -> Outcome

    init(
        _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [], details: String = "",
        run: @escaping @Sendable (Invocation) async throws -> Outcome
    ) {
        syntax = VerbSyntax(name, summary, operands: operands, options: options, details: details)
        self.run = run
    }

    static let groups: [(title: String, verbs: [Verb])] = [
        (
            "For viewers and apps",
            [.login, .logout, .providers, .check, .authorize, .preauthorize, .metadata, .profiles, .watch]
        ),
        (
            "For operators",
            [
                .status, .why, .sessions, .tokens, .forget, .doctor, .configShow, .policyExplain, .metrics, .reload,
                .bugReport, .export, .importBackup,
            ]
        ),
        ("For developers and shells", [.call, .describe, .completion, .complete]),
    ]

    static let all: [Verb] = groups.flatMap(\.verbs)
}

extension ProgramSyntax {
    package static let passdCLI = ProgramSyntax(
        "passd-cli", "query and control passd, the TV entitlement daemon of this device", version: PassdVersion.text,
        options: [.socket, .instance, .requestor, .json, .timeout, .noColor],
        groups: Verb.groups.map { ($0.title, $0.verbs.map(\.syntax)) },
        exitCodes: ExitCode.explained, asksWith: [.socket, .instance, .requestor])
}
