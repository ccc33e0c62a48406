// Prints the tables of options, verbs and exit codes in troff, for passd-cli(1).

import PassTestKit

@testable import passd_cli

enum VerbManual {
    static var options: String { Option.global.map(entry).joined() }

    static var verbs: String {
        Verb.groups.map { group in ".SS \(Roff.text(group.title))\n" + group.verbs.map(entry).joined() }.joined()
    }

    static var exitCodes: String {
        ExitCode.explained.map { Roff.entry(Roff.bold(String($0.rawValue)), [Roff.sentence($0.meaning)]) }.joined()
    }

    private static func entry(_ option: Option) -> String {
        Roff.entry(
            Roff.option(option.name, option.value),
            [Roff.sentence(option.help), option.details.isEmpty ? "" : Roff.sentence(option.details)])
    }

    private static func entry(_ verb: Verb) -> String {
        let words =
            [Roff.bold(verb.name)] + verb.options.map { "[\(Roff.option($0.name, $0.value))]" }
            + verb.operands.map(operand)
        let values = verb.operands.map(\.name)
        let head = Roff.entry(
            words.joined(separator: " "),
            [
                Roff.sentence(verb.summary, values: values),
                verb.details.isEmpty ? "" : Roff.sentence(verb.details, values: values),
            ])
        return head + (verb.options.isEmpty ? "" : ".RS\n" + verb.options.map(entry).joined() + ".RE\n")
    }

    private static func operand(_ operand: Operand) -> String {
        let name = Roff.placeholder(operand.name)
        return switch operand.count {
        case .one: name
        case .optional: "[\(name)]"
        case .some: "\(name)..."
        case .any: "[\(name)...]"
        }
    }
}
