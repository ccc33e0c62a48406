// The tables of the daemon and of the sandbox as completion sees them. These two programs print no scripts themselves.

@testable import pass_sandbox
@testable import passd
@testable import passd_cli

extension CommandTree {
    static let passd = CommandTree(
        program: "passd",
        options: Flag.all.map { Option(name: $0.name, help: $0.summary, placeholder: $0.placeholder) }, verbs: [])

    static let passSandbox: CommandTree = {
        let verbs = pass_sandbox.Verb.all.map { verb in
            Verb(
                name: verb.name, summary: verb.summary,
                operands: (verb.operand.map { [$0] } ?? []).map { Operand(name: $0) }, options: options(verb.options))
        }
        let help = Verb(
            name: "help", summary: "explain a verb",
            operands: [Operand(name: "VERB", words: pass_sandbox.Verb.all.map(\.name))], options: [])
        return CommandTree(
            program: "pass-sandbox", options: options(pass_sandbox.Option.everywhere), verbs: verbs + [help])
    }()

    private static func options(_ options: [pass_sandbox.Option]) -> [Option] {
        options.map { Option(name: $0.name, help: $0.help, placeholder: $0.value) }
    }
}
