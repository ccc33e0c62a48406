// Parses the words after a verb by the verb's table. A mistake throws one line that says what is expected.

import PassJSON

struct Arguments: Sendable {
    let verb: Verb
    private(set) var operand = ""
    private var values: [String: String] = [:]
    /// Set if `--help` or `--version` is among the words.
    private(set) var asks: Question?

    enum Question: Sendable { case help, version }

    init(_ words: some Sequence<String>, for verb: Verb) throws(Failure) {
        self.verb = verb
        if Self.asksForHelp(words) {
            asks = .help
            return
        }
        var operands: [String] = []
        var rest = Array(words)[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if onlyOperands || !word.hasPrefix("-") || word == "-" {
                operands.append(word)
            } else if word == "--" {
                onlyOperands = true
            } else if let question = Self.question(word) {
                asks = asks ?? question
            } else {
                try take(option: word, &rest)
            }
        }
        if asks != nil { return }
        try take(operands)
        for name in Verb.required where verb.options.contains(where: { $0.name == name }) && values[name] == nil {
            throw Failure(.usage, "\(name) is missing; usage: \(verb.usage)")
        }
    }

    /// Help is given even if the rest of the line is wrong, since the person who asks for it may be stuck.
    static func asksForHelp(_ words: some Sequence<String>) -> Bool {
        words.prefix { $0 != "--" }.contains { question($0) == .help }
    }

    static func question(_ word: String) -> Question? {
        switch word {
        case "--help", "-h": .help
        case "--version": .version
        default: nil
        }
    }

    subscript(_ option: Option) -> String? { values[option.name] }

    func has(_ option: Option) -> Bool { values[option.name] != nil }

    private mutating func take(option word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = verb.options.first(where: { $0.name == parts[0] }) else {
            throw Failure(
                .usage, "\(verb.name) has no option \(parts[0])" + nearest(parts[0], verb.options.map(\.name)))
        }
        guard values[option.name] == nil else { throw Failure(.usage, "\(option.name) is given twice") }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw Failure(.usage, "\(option.name) takes no value") }
            values[option.name] = ""
            return
        }
        if parts.count == 2 {
            values[option.name] = parts[1]
        } else if let next = rest.first, next == "-" || !next.hasPrefix("-") {
            values[option.name] = rest.removeFirst()
        }
        guard values[option.name]?.isEmpty == false else {
            // The message does not repeat the next word, which may be a secret.
            let dash = values[option.name] == nil && !rest.isEmpty
            throw Failure(
                .usage,
                "\(option.name) needs a value: \(option.name) \(placeholder)"
                    + (dash ? "; if the value begins with a dash, write \(option.name)=-x" : ""))
        }
    }

    private mutating func take(_ operands: [String]) throws(Failure) {
        guard let expected = verb.operand else {
            guard let extra = operands.first else { return }
            throw Failure(.usage, "unexpected argument \"\(extra)\"; usage: \(verb.usage)")
        }
        guard let first = operands.first, !first.isEmpty else {
            throw Failure(.usage, "\(expected) is missing; usage: \(verb.usage)")
        }
        guard operands.count == 1 else {
            throw Failure(.usage, "unexpected argument \"\(operands[1])\"; usage: \(verb.usage)")
        }
        operand = first
    }
}

/// The known word that is most similar to the given one, if any is.
func nearest(_ word: String, _ known: [String]) -> String {
    let candidates = known + ["--help", "--version"].filter { word.hasPrefix("-") && !known.contains($0) }
    return Spelling.nearest(to: word, among: candidates).map { "; did you mean \($0)?" } ?? "; try --help"
}
