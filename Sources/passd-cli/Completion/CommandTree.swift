// A program's options and verbs as completion sees them: which words are possible where, as far as that is known.

struct CommandTree: Sendable {
    enum Value: Sendable, Equatable {
        case anything, files, folders
        case words([String])
        /// What `complete` lists for this word.
        case known(String)
    }

    struct Option: Sendable {
        let name: String
        let help: String
        /// The placeholder of the value; nil for a switch.
        let placeholder: String?
        var known: String?

        /// The kind of the value, found by its placeholder.
        var value: Value? {
            if let known { return .known(known) }
            return placeholder.map { placeholder in
                switch placeholder {
                case "FILE", "PATH": .files
                case "DIR": .folders
                case _ where placeholder.contains("|"): .words(placeholder.split(separator: "|").map(String.init))
                default: .anything
                }
            }
        }
    }

    struct Operand: Sendable {
        let name: String
        var words: [String] = []
        /// What `complete` lists for this word.
        var known: String?
        /// Whether the operand may be repeated; only the last one of a verb may.
        var repeats = false

        var isFile: Bool { name == "FILE" }
    }

    struct Verb: Sendable {
        /// One or two words.
        let name: String
        let summary: String
        let operands: [Operand]
        let options: [Option]

        var words: [String] { name.split(separator: " ").map(String.init) }
    }

    let program: String
    /// The options that are possible anywhere.
    let options: [Option]
    /// Empty for a program that has only options.
    let verbs: [Verb]

    /// All options, without duplicates.
    var allOptions: [Option] {
        var seen: Set<String> = []
        return (options + verbs.flatMap(\.options)).filter { seen.insert($0.name).inserted }
    }

    /// The first words of the verbs, without duplicates.
    var firstWords: [String] {
        var seen: Set<String> = []
        return verbs.compactMap(\.words.first).filter { seen.insert($0).inserted }
    }

    /// The first words that need a second one, with their verbs.
    var families: [(first: String, verbs: [Verb])] {
        firstWords.map { first in (first, verbs.filter { $0.words.count == 2 && $0.words[0] == first }) }
            .filter { !$0.1.isEmpty }
    }

    /// Whether the program is asked for words.
    var asks: Bool {
        allOptions.contains { $0.known != nil } || verbs.flatMap(\.operands).contains { $0.known != nil }
    }

    /// The name of the function in the shell's script.
    var function: String { "_" + String(program.map { $0 == "-" ? "_" : $0 }) }
}

extension CommandTree {
    static let passdCLI = CommandTree(
        program: "passd-cli", options: passd_cli.Option.global.map(Option.init),
        verbs: (passd_cli.Verb.all + [passd_cli.Verb.helpWord]).map { verb in
            Verb(
                name: verb.name, summary: verb.summary,
                operands: verb.operands.map { operand in
                    Operand(
                        name: operand.name, words: operand.words, known: operand.known?.rawValue,
                        repeats: [.some, .any].contains(operand.count))
                },
                options: verb.options.map(Option.init))
        })
}

extension CommandTree.Option {
    init(_ option: Option) {
        self.init(name: option.name, help: option.help, placeholder: option.value, known: option.known?.rawValue)
    }
}
