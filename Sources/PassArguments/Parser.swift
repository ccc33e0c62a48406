// Parses a command line by a program's syntax. Each mistake names the fault and the correct form. The message about an unknown
// option does not repeat the next word, because this word may be a secret.

extension ProgramSyntax {
    package enum Request: Sendable {
        /// The help or the version, to be printed.
        case answer(String)
        /// The verb to run. It has no name if the program has no verbs.
        case run(VerbSyntax, Arguments)
    }

    /// Parses the words after the program's name.
    package func read(_ words: some Sequence<String>) throws(Mistake) -> Request {
        let words = Array(words)
        // Prints the help even if the rest of the line is wrong, because the user may need the help to correct the line.
        if Self.asks(Option.help.name, words) || Self.asks("-h", words) {
            if let known = try? topic(plainWords(words)) { return .answer(help(known)) }
            return .answer(help(try topic(plainWords(words.prefix { $0 != Option.help.name && $0 != "-h" }))))
        }
        var (verb, arguments) = try sorted(words)
        if arguments.has(.version) { return .answer("\(versionLine)\n") }
        guard let verb else { throw Mistake("No verb is given.", remedy: "\(name) --help lists the verbs.") }
        arguments.usage = usage(verb)
        if verb.name == help.name, !verbs.isEmpty { return .answer(help(try topic(of: arguments))) }
        try check(arguments, verb)
        return .run(verb, arguments)
    }

    /// Whether the option is among the words, even if they have mistakes.
    package static func asks(_ option: String, _ words: some Sequence<String>) -> Bool {
        words.prefix { $0 != "--" }.contains(option)
    }

    // MARK: Help

    /// The words of a line that may name a verb. The line may have mistakes.
    private func plainWords(_ words: some Sequence<String>) -> [String] {
        var plain: [String] = []
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if !word.hasPrefix("-") { plain.append(word) }
            if options.contains(where: { $0.name == word && $0.value != nil }) { _ = rest.popFirst() }
        }
        return Array(plain.drop { $0 == help.name })
    }

    /// Returns the verbs to explain: the named verb, or, if only one word is given, all verbs of two words that begin with this
    /// word. An empty result means the whole program.
    private func topic(_ words: [String]) throws(Mistake) -> [VerbSyntax] {
        guard let first = words.first, !verbs.isEmpty, first != help.name else { return [] }
        let family = verbs.filter { $0.name.hasPrefix("\(first) ") }
        return words.count == 1 && !family.isEmpty ? family : [try verb(named: words)]
    }

    private func topic(of arguments: Arguments) throws(Mistake) -> [VerbSyntax] {
        let topic = try topic(arguments.operands)
        let known = arguments.operands.count > 1 ? topic.first?.words.count ?? 1 : 1
        guard arguments.operands.count <= known else {
            throw arguments.mistake("Unexpected argument \"\(arguments.operands[known])\".")
        }
        return topic
    }

    // MARK: Sorting

    private func sorted(_ words: [String]) throws(Mistake) -> (VerbSyntax?, Arguments) {
        var verb = verbs.isEmpty ? VerbSyntax("", summary) : nil
        var arguments = Arguments()
        var pending: [String] = []
        var rest = words[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if word == "--", !onlyOperands {
                onlyOperands = true
            } else if word.hasPrefix("-"), word != "-", !onlyOperands {
                try take(option: word, &rest, verb, &arguments)
            } else if verb != nil {
                arguments.operands.append(word)
            } else {
                pending.append(word)
                if verbs.contains(where: { $0.name.hasPrefix("\(word) ") }), pending.count == 1 { continue }
                verb = word == help.name ? help : try self.verb(named: pending)
            }
        }
        if verb == nil, !pending.isEmpty { verb = try self.verb(named: pending) }
        return (verb, arguments)
    }

    /// Finds a verb of one or two words.
    private func verb(named words: [String]) throws(Mistake) -> VerbSyntax {
        let (word, pair) = (words.first ?? "", words.prefix(2).joined(separator: " "))
        if let verb = verbs.first(where: { $0.name == word || $0.name == pair }) { return verb }
        if let longer = verbs.first(where: { $0.name.hasPrefix("\(word) ") }) {
            throw Mistake("\(word) alone is not a verb.", remedy: "Did you mean \(longer.name)?")
        }
        throw Mistake(
            "Unknown verb \"\(word)\".", word, among: verbs.map(\.name) + [help.name],
            else: "\(name) --help lists the verbs.")
    }

    private func take(
        option word: String, _ rest: inout ArraySlice<String>, _ verb: VerbSyntax?, _ arguments: inout Arguments
    ) throws(Mistake) {
        // The search is by bytes, because a combining mark after the sign belongs to the value.
        let sign = word.utf8.firstIndex(of: UInt8(ascii: "="))
        let given = sign.map { String(word[..<$0]) } ?? word
        guard let option = (options + (verb?.options ?? [])).first(where: { $0.name == given }) else {
            throw unknown(option: given, verb)
        }
        func mistake(_ message: String) -> Mistake { Mistake(message, remedy: "Usage: \(usage(verb)).") }
        guard !arguments.has(option) else { throw mistake("\(option.name) is given twice.") }
        var value = sign.map { String(decoding: word.utf8[word.utf8.index(after: $0)...], as: UTF8.self) }
        guard let placeholder = option.value else {
            guard value == nil else { throw mistake("\(option.name) takes no value.") }
            arguments.values[option.name] = ""
            return
        }
        if value == nil, let next = rest.first, next == "-" || !next.hasPrefix("-") { value = rest.removeFirst() }
        guard let value, !value.isEmpty else {
            let dash = rest.isEmpty ? "" : "; \(option.name)=\(placeholder) if the value begins with a dash"
            throw Mistake("\(option.name) needs a value.", remedy: "Write \(option.usage)\(dash).")
        }
        if let choices = listedValues(in: placeholder), !choices.contains(value) {
            throw Mistake(
                "\(option.name) \(value) is not one of \(choices.joined(separator: ", ")).", value, among: choices,
                else: "Write \(option.usage).")
        }
        arguments.values[option.name] = value
    }

    private func unknown(option given: String, _ verb: VerbSyntax?) -> Mistake {
        if verb == nil, let owner = verbs.first(where: { $0.options.contains { $0.name == given } }) {
            return Mistake("\(given) must come after its verb.", remedy: "Usage: \(usage(owner)).")
        }
        let owner = verb.flatMap { $0.name.isEmpty ? nil : $0.name }
        return Mistake(
            "\(owner.map { "\($0) has no option" } ?? "Unknown option") \(given).", given,
            among: (options + (verb?.options ?? [])).map(\.name),
            else: "\(name) \(owner.map { "\($0) " } ?? "")--help lists the options.")
    }

    // MARK: Checks

    private func check(_ arguments: Arguments, _ verb: VerbSyntax) throws(Mistake) {
        var rest = arguments.operands[...]
        for operand in verb.operands {
            guard !operand.isNeeded || rest.first?.isEmpty == false else {
                throw arguments.mistake("\(operand.name) is missing.")
            }
            let words = operand.repeats ? rest : rest.prefix(1)
            rest = rest.dropFirst(words.count)
            if let choices = listedValues(in: operand.name), let wrong = words.first(where: { !choices.contains($0) }) {
                throw arguments.mistake("\"\(wrong)\" is not one of \(choices.joined(separator: ", ")).")
            }
        }
        if let extra = rest.first { throw arguments.mistake("Unexpected argument \"\(extra)\".") }
        for option in options + verb.options {
            guard arguments.has(option) else {
                if option.isRequired { throw arguments.mistake("\(option.name) is missing.") }
                continue
            }
            if let other = option.excludes.first(where: { arguments.values[$0] != nil }) {
                throw arguments.mistake("\(option.name) and \(other) exclude each other.")
            }
            if let other = option.needs, arguments.values[other] == nil {
                throw arguments.mistake("\(option.name) needs \(other).")
            }
        }
    }
}
