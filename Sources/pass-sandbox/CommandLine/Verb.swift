// The table of verbs, and the options that several of them share.

import PassArguments

let version = "0.1.0"

struct Verb: Sendable {
    let syntax: VerbSyntax
    let run: @Sendable (Arguments) throws -> ExitCode

    init(
        _ name: String, _ summary: String, operands: [Operand] = [], details: String, options: [Option],
        run: @escaping @Sendable (Arguments) throws -> ExitCode
    ) {
        syntax = VerbSyntax(name, summary, operands: operands, options: options, details: details)
        self.run = run
    }

    static let all: [Verb] = [serve, box, statement, serviceToken, logIn, verify]
}

extension ProgramSyntax {
    static let passSandbox = ProgramSyntax(
        "pass-sandbox", "a stand-in for a pay-TV authentication service", version: version, options: [],
        groups: [("Verbs", Verb.all.map(\.syntax))], exitCodes: ExitCode.explained)
}

extension Option {
    static let catalogue = Option(
        "--catalog", "FILE", help: "the catalogue; default: Config/sandbox/catalog.json or the installed one")
    static let state = Option(
        "--state", "FILE", help: "keep registrations, sessions, logins and keys in this file")
    static let seed = Option("--seed", "N", help: "generate the same codes, ids and keys at every fresh start")
    static let server = Option(
        "--server", "URL", help: "the running sandbox; default: http://127.0.0.1:8642",
        excludes: ["--catalog", "--state", "--seed"])
}
