// The command line of a program as data. Parser, messages, help, completions and manual are made from it.

import CBuild

package struct VerbSyntax: Sendable {
    /// The name, one or two words.
    package let name: String
    package let summary: String
    package let operands: [Operand]
    package let options: [Option]
    /// Further text, for the help.
    package let details: String

    package init(
        _ name: String, _ summary: String, operands: [Operand] = [], options: [Option] = [], details: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.details = details
    }

    package var words: [String] { name.split(separator: " ").map(String.init) }
}

package struct ProgramSyntax: Sendable {
    package let name: String
    let summary: String
    let version: String
    /// The options of every verb.
    package let options: [Option]
    /// The verbs in groups with titles; empty for a program that has only options.
    package let groups: [(title: String, verbs: [VerbSyntax])]
    package let exitCodes: [(code: Int32, meaning: String)]
    /// The options that completions pass on when they ask the program for words.
    package let asksWith: [Option]
    /// The last line of the help.
    let note: String

    package init(
        _ name: String, _ summary: String, version: String, options: [Option],
        groups: [(title: String, verbs: [VerbSyntax])] = [], exitCodes: [(Int32, String)] = [],
        asksWith: [Option] = [], note: String? = nil
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.options = options + [.help, .version]
        self.groups = groups
        self.exitCodes = exitCodes
        self.asksWith = asksWith
        self.note =
            note
            ?? "\(name) VERB --help explains a verb. Put \"--\" before an argument that begins with a dash."
    }

    /// The answer to `--version`: the version, and the linker's notes about the build.
    package var versionLine: String {
        let notes = [("commit", pass_build_commit()), ("build", pass_build_id())]
        let facts = notes.compactMap { name, note in note.map { "\(name) \(String(cString: $0))" } }
        return "\(name) \(version)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    package var verbs: [VerbSyntax] { groups.flatMap(\.verbs) }

    /// All options, each once. Completions and tests know an option only by its name.
    package var allOptions: [Option] {
        var seen: Set<String> = []
        return (options + verbs.flatMap(\.options)).filter { seen.insert($0.name).inserted }
    }

    /// The verb that explains the other verbs.
    package var help: VerbSyntax {
        VerbSyntax(
            "help", "explain a verb", operands: [Operand("VERB", .any, words: Self.firstWords(verbs))])
    }

    package func usage(_ verb: VerbSyntax?) -> String {
        guard let verb, !verb.name.isEmpty else { return "\(name) [OPTION…]" + (verbs.isEmpty ? "" : " VERB …") }
        let optional = verb.options.filter { !$0.isRequired }.map { "[\($0.usage)]" }
        let words =
            (optional.count > 6 ? ["[OPTION…]"] : optional) + verb.options.filter(\.isRequired).map(\.usage)
            + verb.operands.map(\.usage)
        return ([name, verb.name] + words).joined(separator: " ")
    }

    /// The first words of verbs, each once.
    package static func firstWords(_ verbs: [VerbSyntax]) -> [String] {
        var seen: Set<String> = []
        return verbs.compactMap(\.words.first).filter { seen.insert($0).inserted }
    }
}
