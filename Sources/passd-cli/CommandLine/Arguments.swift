// Parses the command line by the tables. A mistake throws one sentence that says what is expected.

import PassProtocol

struct Arguments: Sendable {
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]

    subscript(_ option: Option) -> String? { values[option.name] }

    func has(_ option: Option) -> Bool { values[option.name] != nil }

    enum Request: Sendable {
        /// Without verbs the program is explained; several are those that begin with the same word.
        case help([Verb])
        case version
        case run(Verb, Arguments)
    }

    static func read(_ words: some Sequence<String>) throws(Failure) -> Request {
        let words = Array(words)
        if asksForHelp(words) {
            let plain = plainWords(in: words)
            if let known = try? topic(plain) { return .help(known) }
            return .help(try topic(plainWords(in: words.prefix { $0 != Option.help.name && $0 != "-h" })))
        }
        var arguments = Arguments()
        let verb = try arguments.take(words)
        if arguments.has(.version) { return .version }
        guard let verb else {
            throw Failure.usage("No verb is given.", remedy: "passd-cli --help lists the verbs.")
        }
        if verb.name == Verb.helpWord.name {
            let topic = arguments.operands
            let verbs = topic == [verb.name] ? [] : try Self.topic(topic)
            let known = verbs.isEmpty ? 1 : topic.count == 1 ? 1 : verbs[0].name.split(separator: " ").count
            guard topic.count <= known else {
                throw Failure.usage("Unexpected argument \"\(topic[known])\".", verb)
            }
            return .help(verbs)
        }
        try arguments.checkOperands(of: verb)
        return .run(verb, arguments)
    }

    /// Looks for `--json` even in a command line with mistakes, so that the mistake can be reported as JSON.
    static func asksForJSON(_ words: some Sequence<String>) -> Bool { asks(.json, words) }

    /// Help is given even if the rest of the line is wrong, since the person who asks for it may be stuck.
    private static func asksForHelp(_ words: [String]) -> Bool { asks(.help, words) || asks("-h", words) }

    private static func asks(_ option: Option, _ words: some Sequence<String>) -> Bool { asks(option.name, words) }

    private static func asks(_ name: String, _ words: some Sequence<String>) -> Bool {
        words.prefix { $0 != "--" }.contains(name)
    }

    /// The words of a line that may name a verb, even if the line has mistakes.
    private static func plainWords(in words: some Sequence<String>) -> [String] {
        var plain: [String] = []
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if !word.hasPrefix("-") { plain.append(word) }
            if Option.global.contains(where: { $0.name == word && $0.value != nil }) { _ = rest.popFirst() }
        }
        if plain.first == Verb.helpWord.name { plain.removeFirst() }
        return plain
    }

    /// What is to be explained: a verb, or all verbs that begin with the only word. Empty for the program.
    private static func topic(_ words: [String]) throws(Failure) -> [Verb] {
        guard let first = words.first else { return [] }
        let family = Verb.all.filter { $0.name.hasPrefix("\(first) ") }
        if words.count == 1, !family.isEmpty { return family }
        return [try verb(named: words)]
    }

    /// Finds a verb of one or two words.
    private static func verb(named words: [String]) throws(Failure) -> Verb {
        let pair = words.prefix(2).joined(separator: " ")
        if let verb = Verb.all.first(where: { $0.name == words.first || $0.name == pair }) { return verb }
        let word = words.first ?? ""
        if let longer = Verb.all.first(where: { $0.name.hasPrefix("\(word) ") }) {
            throw Failure.usage("\(word) alone is not a verb.", remedy: "Did you mean \(longer.name)?")
        }
        let known = Verb.all.map(\.name) + [Verb.helpWord.name]
        throw Failure.usage(
            "Unknown verb \"\(word)\".", remedy: nearest(word, known, else: "passd-cli --help lists the verbs."))
    }

    /// Sorts the words into verb, options and operands.
    private mutating func take(_ words: [String]) throws(Failure) -> Verb? {
        var verb: Verb?
        var pending: [String] = []
        var rest = words[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if word == "--", !onlyOperands {
                onlyOperands = true
            } else if word.hasPrefix("-"), word != "-", !onlyOperands {
                try take(option: word, &rest, verb)
            } else if verb != nil {
                operands.append(word)
            } else {
                pending.append(word)
                if Verb.all.contains(where: { $0.name.hasPrefix("\(word) ") }), pending.count == 1 { continue }
                verb = word == Verb.helpWord.name ? Verb.helpWord : try Self.verb(named: pending)
            }
        }
        if verb == nil, !pending.isEmpty { verb = try Self.verb(named: pending) }
        return verb
    }

    private mutating func take(
        option word: String, _ rest: inout ArraySlice<String>, _ verb: Verb?
    ) throws(Failure) {
        let parts = word.parted(at: "=").map { [$0.before, $0.behind] } ?? [word]
        let known = Option.global + (verb?.options ?? [])
        guard let option = known.first(where: { $0.name == parts[0] }) else {
            throw unknown(option: parts[0], known, verb)
        }
        guard values[option.name] == nil else { throw Failure.usage("\(option.name) is given twice.", verb) }
        guard let placeholder = option.value else {
            guard parts.count == 1 else { throw Failure.usage("\(option.name) takes no value.", verb) }
            values[option.name] = ""
            return
        }
        if parts.count == 2 {
            values[option.name] = parts[1]
        } else if let next = rest.first, next == "-" || !next.hasPrefix("-") {
            values[option.name] = rest.removeFirst()
        }
        guard values[option.name]?.isEmpty == false else {
            let dash = rest.isEmpty ? "" : "; \(option.name)=\(placeholder) if the value begins with a dash"
            throw Failure.usage("\(option.name) needs a value.", remedy: "Write \(option.usage)\(dash).")
        }
    }

    private func unknown(option name: String, _ known: [Option], _ verb: Verb?) -> Failure {
        if verb == nil, let owner = Verb.all.first(where: { $0.options.contains { $0.name == name } }) {
            return .usage("\(name) must come after its verb.", owner)
        }
        let owner = verb.map { "\($0.name) has no option" } ?? "Unknown option"
        let remedy = "passd-cli \(verb.map { "\($0.name) " } ?? "")--help lists the options."
        return .usage("\(owner) \(name).", remedy: nearest(name, known.map(\.name), else: remedy))
    }

    private func checkOperands(of verb: Verb) throws(Failure) {
        var left = operands.count
        for operand in verb.operands {
            if operand.count == .one || operand.count == .some, left < 1 {
                throw Failure.usage("\(operand.name) is missing.", verb)
            }
            left -= operand.count == .some || operand.count == .any ? left : min(left, 1)
        }
        guard left == 0 else {
            throw Failure.usage("Unexpected argument \"\(operands[operands.count - left])\".", verb)
        }
    }
}
