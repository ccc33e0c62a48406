// Generates the completion script for fish: a line for each possible word, with the condition under which it is
// possible.

struct FishScript {
    private let tree: CommandTree

    init(_ tree: CommandTree) { self.tree = tree }

    var text: String {
        """
        # Completion of \(tree.program) for fish. Made from the program's tables.

        # Whether the words before the cursor are these, options and their values left out, and then so many more.
        function \(at) --argument-names more
            set --local plain
            set --local value no
            for word in (commandline -opc)[2..-1]
                switch $word
                    case --
                        return 1
                    case \(tree.allOptions.filter { $0.value != nil }.map(\.name).joined(separator: " "))
                        set value yes
                    case '-*'
                        set value no
                    case '*'
                        test $value = yes; or set --append plain $word
                        set value no
                end
            end
            set --local wanted $argv[2..-1]
            set --local first (count $wanted)
            test "$more" = any; or test (count $plain) -eq (math $first + $more); or return 1
            test $first -eq 0; or test "$plain[1..$first]" = "$wanted"
        end

        \(asking)complete --command \(tree.program) --no-files
        \((tree.options.map { option($0, when: nil) } + choices + tree.verbs.flatMap(lines)).joined(separator: "\n"))

        """
    }

    private var at: String { "_\(tree.function)_at" }

    /// The function that asks the program for words, of the daemon and the requestor that the line names.
    private var asking: String {
        guard tree.asks else { return "" }
        return """
            function \(ask)
                set --local where
                set --local option
                for word in (commandline -opc)[2..-1]
                    switch $word
                        case '--socket=*' '--instance=*' '--requestor=*'
                            set --append where $word
                            set option
                        case --socket --instance --requestor
                            set option $word
                        case '*'
                            test -n "$option"; and set --append where "$option=$word"
                            set option
                    end
                end
                command --query \(tree.program); and \(tree.program) $where complete $argv[1] 2> /dev/null
            end


            """
    }

    private var ask: String { "_\(tree.function)_ask" }

    private var choices: [String] {
        let firsts = tree.firstWords.map { first in
            let verbs = tree.verbs.filter { $0.words.first == first }
            return words([first], after: "0", verbs.map(\.summary).joined(separator: "; "))
        }
        let seconds = tree.families.flatMap { family in
            family.verbs.map { words([$0.words[1]], after: "0 \(family.first)", $0.summary) }
        }
        return firsts + seconds
    }

    private func lines(_ verb: CommandTree.Verb) -> [String] {
        let operands = verb.operands.enumerated().compactMap { place, operand -> String? in
            let condition = "\(operand.repeats && operand.known != nil ? "any" : "\(place)") \(verb.name)"
            if let known = operand.known { return words(["(\(ask) \(known))"], after: condition, operand.name) }
            if operand.isFile {
                return "complete --command \(tree.program) --condition '\(at) \(condition)' --force-files"
            }
            return operand.words.isEmpty ? nil : words(operand.words, after: condition, operand.name)
        }
        return verb.options.map { option($0, when: "any \(verb.name)") } + operands
    }

    private func words(_ words: [String], after condition: String, _ help: String) -> String {
        "complete --command \(tree.program) --condition '\(at) \(condition)' "
            + "--arguments \(quoted(words.joined(separator: " "))) --description \(quoted(help))"
    }

    private func option(_ option: CommandTree.Option, when condition: String?) -> String {
        let name = option.name.drop { $0 == "-" }
        let way: String
        switch option.value {
        case nil: way = ""
        case .anything: way = " --exclusive"
        case .files: way = " --require-parameter --force-files"
        case .folders: way = " --exclusive --arguments '(__fish_complete_directories)'"
        case .known(let name): way = " --exclusive --arguments '(\(ask) \(name))'"
        case .words(let words): way = " --exclusive --arguments \(quoted(words.joined(separator: " ")))"
        }
        return "complete --command \(tree.program)\(condition.map { " --condition '\(at) \($0)'" } ?? "") "
            + "--long-option \(name)\(way) --description \(quoted(option.help))"
    }

    private func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : "\($1)" } + "'"
    }
}
