// Makes the text of `--help` of a program's syntax.

import PassJSON

extension ProgramSyntax {
    /// Explains the verbs, or the program if there are none.
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
        let own = verb.options.isEmpty ? "" : "options:\n\(list(verb.options.map { ($0.usage, $0.help) }))\n\n"
        return """
            usage: \(usage(verb))

            \(wrapped("\(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()). \(verb.details)"))

            \(own)options of every verb:
            \(list(options.map { ($0.usage, $0.help) }))

            exit codes:
            \(list(exitCodes.map { (String($0.code), $0.meaning) }))

            """
    }

    private func wrapped(_ text: String) -> String {
        text.split(whereSeparator: { $0 == " " || $0 == "\n" }).reduce(into: [""]) { lines, word in
            let line = lines.removeLast()
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            lines += longer.count <= 80 ? [longer] : [line, String(word)]
        }
        .joined(separator: "\n")
    }

    private func list(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
    }
}
