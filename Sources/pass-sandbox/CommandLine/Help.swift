// Generates the text of `--help` from the table of verbs.

let version = "0.1.0"

enum Help {
    static var overview: String {
        let width = Verb.all.map(\.name.count).max() ?? 0
        return """
            pass-sandbox: a stand-in for a pay-TV authentication service

            usage: pass-sandbox VERB …

            \(Verb.all.map { "  \(padded($0.name, width))  \($0.summary)" }.joined(separator: "\n"))
              \(padded("help", width))  explain a verb

            pass-sandbox VERB --help explains a verb; --version prints the version.

            """
    }

    static func page(for verb: Verb) -> String {
        let options = verb.options + Option.everywhere
        let width = options.map(\.usage.count).max() ?? 0
        return """
            usage: \(verb.usage)

            \(verb.details)

            \(options.map { "  \(padded($0.usage, width))  \($0.help)" }.joined(separator: "\n"))

            exit codes:
            \(ExitCode.allCases.map { "  \(padded(String($0.rawValue), 2))  \($0.meaning)" }.joined(separator: "\n"))

            """
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
