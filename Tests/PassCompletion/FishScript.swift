// Generates the completion script for fish. It has a line for each option and for the words at each position. A line has a
// condition if its words are not offered everywhere.

import PassArguments

struct FishScript {
    let program: ProgramSyntax

    var text: String {
        """
        # Completion of \(program.name) for fish. Made from the program's tables.

        # Whether the words before the cursor, without options and their values, are these and then this number of others.
        function \(at) --argument-names more
            set --local plain
            set --local value no
            for word in (commandline -opc)[2..-1]
                switch $word
                    case --
                        return 1
                    case \(program.allOptions.filter { $0.value != nil }.map(\.name).joined(separator: " "))
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

        \(asking)complete --command \(program.name) --no-files
        \((program.options.map { option($0, when: nil) } + choices + program.allVerbs.flatMap(lines)).joined(separator: "\n"))

        """
    }

    private var at: String { "_\(program.function)_at" }

    /// The function that asks the program for words. The function passes on the options for the daemon and the requestor.
    private var asking: String {
        guard program.asks else { return "" }
        let names = program.asksWith.map(\.name)
        return """
            function \(ask)
                set --local where
                set --local option
                for word in (commandline -opc)[2..-1]
                    switch $word
                        case \(names.map { "'\($0)=*'" }.joined(separator: " "))
                            set --append where $word
                            set option
                        case \(names.joined(separator: " "))
                            set option $word
                        case '*'
                            test -n "$option"; and set --append where "$option=$word"
                            set option
                    end
                end
                command --query \(program.name); and \(program.name) $where complete $argv[1] 2> /dev/null
            end


            """
    }

    private var ask: String { "_\(program.function)_ask" }

    private var choices: [String] {
        ProgramSyntax.firstWords(program.allVerbs).map { words($0, after: "0", program.summary(of: $0)) }
            + program.families.flatMap { family in
                family.verbs.map { words($0.words[1], after: "0 \(family.first)", $0.summary) }
            }
    }

    private func lines(_ verb: VerbSyntax) -> [String] {
        let operands = verb.operands.enumerated().compactMap { place, operand -> String? in
            let condition = "\(place) \(verb.name)"
            switch operand.content {
            case .anything, .folders: return nil
            case .files: return "complete --command \(program.name) --condition '\(at) \(condition)' --force-files"
            case .words(let choices): return words(choices.joined(separator: " "), after: condition, operand.name)
            case .known(let known):
                return words("(\(ask) \(known))", after: operand.repeats ? "any \(verb.name)" : condition, operand.name)
            }
        }
        return verb.options.map { option($0, when: "any \(verb.name)") } + operands
    }

    private func words(_ words: String, after condition: String, _ help: String) -> String {
        "complete --command \(program.name) --condition '\(at) \(condition)' "
            + "--arguments \(quoted(words)) --description \(quoted(help))"
    }

    private func option(_ option: Option, when condition: String?) -> String {
        let way =
            switch option.content {
            case nil: ""
            case .anything: " --exclusive"
            case .files: " --require-parameter --force-files"
            case .folders: " --exclusive --arguments '(__fish_complete_directories)'"
            case .known(let name): " --exclusive --arguments '(\(ask) \(name))'"
            case .words(let words): " --exclusive --arguments \(quoted(words.joined(separator: " ")))"
            }
        return "complete --command \(program.name)\(condition.map { " --condition '\(at) \($0)'" } ?? "") "
            + "--long-option \(option.name.drop { $0 == "-" })\(way) --description \(quoted(option.help))"
    }

    private func quoted(_ text: String) -> String {
        "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : "\($1)" } + "'"
    }
}
