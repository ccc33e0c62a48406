// Makes the text of a program's `--help`.

import PassJSON

extension ProgramSyntax {
    /// Explains the verbs, or the program if `verbs` is empty.
    func help(_ verbs: [VerbSyntax]) -> String {
        verbs.isEmpty ? overview : verbs.map(page).joined(separator: "\n")
    }

    private var overview: String {
        let rows = (verbs + (verbs.isEmpty ? [] : [help])).map { ($0.name, $0.summary) }
        return """
            \(name): \(summary)

            usage: \(usage(nil))

            \(verbs.isEmpty ? "options" : "verbs:\n\(list(rows))\n\noptions, before or after the verb"):
            \(list(options.map { ($0.usage, $0.help) }))

            \(note)

            """
    }

    private func page(_ verb: VerbSyntax) -> String {
        let details = verb.details.isEmpty ? "" : " " + verb.details.split(separator: "\n").joined(separator: " ")
        let own = verb.options.isEmpty ? "" : "options:\n\(list(verb.options.map { ($0.usage, $0.help) }))\n\n"
        return """
            usage: \(usage(verb))

            \(Wrapping.wrapped("\(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()).\(details)", to: 80))

            \(own)options of every verb:
            \(list(options.map { ($0.usage, $0.help) }))

            exit codes:
            \(list(exitCodes.map { (String($0.code), $0.meaning) }))

            """
    }

    private func list(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
    }
}
