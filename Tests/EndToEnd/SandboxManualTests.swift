// Tests that pass-sandbox(1) matches the program's tables. PASSD_REGENERATE=1 writes its generated parts.

import PassTestKit
import Testing

@testable import pass_sandbox

@Suite struct SandboxManualTests {
    @Test func `verbs, options and exit codes are what the tables print`() throws {
        let parts: KeyValuePairs = ["verbs": verbs, "options": options, "exit status": exitCodes]
        #expect(
            try GeneratedFile("docs/man/pass-sandbox.1", parts: parts).isCurrent(),
            "docs/man/pass-sandbox.1 is not what the tables print")
    }

    /// The verbs with their options; the options are explained once, below.
    private var verbs: String {
        Verb.all.map { verb in
            let words =
                [Roff.bold(verb.name)] + (verb.operand.map { [Roff.placeholder($0)] } ?? [])
                + verb.options.map { option in
                    let usage = Roff.option(option.name, option.value)
                    return Verb.required.contains(option.name) ? usage : "[\(usage)]"
                }
            return Roff.entry(
                words.joined(separator: " "),
                [Roff.sentence(verb.details.split(separator: "\n").joined(separator: " "), values: values(verb))])
        }
        .joined()
    }

    private var options: String {
        var seen: Set<String> = []
        return (Verb.all.flatMap(\.options) + Option.everywhere).filter { seen.insert($0.name).inserted }.map {
            option in
            Roff.entry(Roff.option(option.name, option.value), [Roff.sentence(option.help)])
        }
        .joined()
    }

    private var exitCodes: String {
        ExitCode.allCases.map { Roff.entry(Roff.bold(String($0.rawValue)), [Roff.sentence($0.meaning)]) }.joined()
    }

    private func values(_ verb: Verb) -> [String] { verb.operand.map { [$0] } ?? [] }

    @Test func `an option means the same with every verb`() {
        // Each option is explained once.
        for option in Verb.all.flatMap(\.options) {
            for other in Verb.all.flatMap(\.options) where other.name == option.name {
                #expect(other.help == option.help && other.value == option.value, "\(option.name)")
            }
        }
    }
}
