// `completion`: prints the script with which a shell completes this program's command line.

import PassClient
import PassJSON
import PassProtocol

extension Verb {
    static let completion: Verb = Verb(
        name: "completion", summary: "print a completion script for a shell",
        operands: [Operand(Shell.allCases.map(\.rawValue).joined(separator: "|"))],
        details:
            "If the package has not installed it for bash, add source <(passd-cli completion bash) to ~/.bashrc."
    ) { invocation in
        let name = invocation.arguments.operands[0]
        guard let shell = Shell(rawValue: name) else {
            throw Failure.usage("There is no completion for \"\(name)\".", Verb.completion)
        }
        let script = shell.script(.passdCLI)
        return Outcome(data: ["shell": .string(name), "script": .string(script)], text: String(script.dropLast()))
    }
}
