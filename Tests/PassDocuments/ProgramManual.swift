// The generated parts of a program's manual page.

import PassArguments

enum ProgramManual {
    /// Additional lines about an option are in `more`.
    static func options(_ options: [Option], more: (Option) -> String = { _ in "" }) -> String {
        options.map { option in
            let values = option.value.map { [$0] } ?? []
            return Roff.entry(
                Roff.option(option.name, option.value),
                [
                    Roff.sentence(option.help, values: values),
                    option.details.isEmpty ? "" : Roff.sentence(option.details, values: values), more(option),
                ])
        }
        .joined()
    }

    /// The options of each verb are explained below it, unless they are explained elsewhere.
    static func verbs(_ program: ProgramSyntax, withOptions: Bool) -> String {
        program.groups.map { group in
            (program.groups.count > 1 ? ".SS \(Roff.text(group.title))\n" : "")
                + group.verbs.map { entry($0, withOptions: withOptions) }.joined()
        }
        .joined()
    }

    private static func entry(_ verb: VerbSyntax, withOptions: Bool) -> String {
        let options = verb.options.map { option in
            let usage = Roff.option(option.name, option.value)
            return option.isRequired ? usage : "[\(usage)]"
        }
        let operands = verb.operands.map { $0.usage(of: Roff.placeholder($0.name)).replacing("…", with: "...") }
        let values = verb.operands.map(\.name)
        let head = Roff.entry(
            ([Roff.bold(verb.name)] + options + operands).joined(separator: " "),
            [
                Roff.sentence(verb.summary, values: values),
                verb.details.isEmpty
                    ? "" : Roff.sentence(verb.details.split(separator: "\n").joined(separator: " "), values: values),
            ])
        return verb.options.isEmpty || !withOptions ? head : head + ".RS\n\(self.options(verb.options)).RE\n"
    }

    static func exitCodes(_ program: ProgramSyntax) -> String {
        program.exitCodes.map { Roff.entry(Roff.bold(String($0.code)), [Roff.sentence($0.meaning)]) }.joined()
    }
}
