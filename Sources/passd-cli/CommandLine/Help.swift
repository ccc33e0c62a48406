// Generates the text of `--help` from the tables of options and verbs.

import PassJSON

extension Verb {
    /// This verb is not in the table, because its own operands come from the table.
    static let helpWord = Verb(
        name: "help", summary: "explain a verb",
        operands: [Operand("VERB", .any, words: all.map { String($0.name.prefix { $0 != " " }) })],
        run: { _ in Outcome() })
}

enum Help {
    /// Explains the verbs, or the program if there are none.
    static func text(_ verbs: [Verb]) -> String {
        verbs.isEmpty ? overview : verbs.map(page).joined(separator: "\n")
    }

    private static var overview: String {
        """
        passd-cli: query and control passd, the TV entitlement daemon of this device

        usage: passd-cli [OPTION…] VERB …

        verbs:
        \(list(Verb.all.map { ($0.name, $0.summary) } + [("help", Verb.helpWord.summary)]))

        options, before or after the verb:
        \(list(Option.global.map { ($0.usage, $0.help) }))

        passd-cli VERB --help explains a verb. Put "--" before an argument that begins with a dash.

        """
    }

    private static func page(_ verb: Verb) -> String {
        let own = verb.options.isEmpty ? "" : "options:\n\(list(verb.options.map { ($0.usage, $0.help) }))\n\n"
        return """
            usage: \(verb.usage)

            \(wrapped("\(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()). \(verb.details)"))

            \(own)options of every verb:
            \(list(Option.global.map { ($0.usage, $0.help) }))

            exit codes:
            \(list(ExitCode.explained.map { (String($0.rawValue), $0.meaning) }))

            """
    }

    private static func wrapped(_ text: String) -> String {
        text.split(separator: " ").reduce(into: [""]) { lines, word in
            let line = lines.removeLast()
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            lines += longer.count <= 80 ? [longer] : [line, String(word)]
        }
        .joined(separator: "\n")
    }

    private static func list(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
    }
}
