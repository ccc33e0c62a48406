// Generates the completion script for bash. Words that only the program knows are not in the script, so the script asks the
// program for them. The script runs no other program.

import PassArguments

struct BashScript {
    let program: ProgramSyntax

    var text: String {
        """
        # Completion of \(program.name) for bash. Made from the program's tables.

        \(program.function)() {
            local word cur option= before= verb= place=0 i
            local options='\(names(program.options))' known=
            local -a words=() kind\(program.asks ? "\n    local ask= head\n    local -a where=()" : "")
            COMPREPLY=()
            # bash splits words at "=" and ":". This loop joins the parts again.
            for ((i = 1; i <= COMP_CWORD; i++)); do
                word=${COMP_WORDS[i]}
                if ((${#words[@]})) && [[ $word == [=:]* || ${words[-1]} == *[=:] ]]; then
                    words[-1]+=$word
                else
                    words+=("$word")
                fi
            done
            cur=${words[-1]}
            unset 'words[-1]'
            for word in "${words[@]}"; do
                case $word in
                    --) return ;;
                    \(patterns(program.allOptions.filter { $0.value != nil }.map(\.name)))) option=$word ;;
        \(placeOption)            -*) option= ;;
                    *)
                        if [[ -n $option ]]; then
        \(placeValue)                    option=
        \(verbReading)                else
                            place=$((place + 1))
                        fi
                        ;;
                esac
            done
            if [[ $cur == --*=* ]]; then
                option=${cur%%=*}
                [[ $COMP_WORDBREAKS == *=* ]] || before=$option=
                cur=${cur#*=}
            fi
        \(verbOptions)    case $option in
        \(values)        ?*) return ;;
                *)
                    case $verb/$place in
        \(places)            esac
                    [[ $cur == -* ]] && known=$options kind=()\(program.asks ? " ask=" : "")
                    ((${#kind[@]})) || kind=(-W "$known")
                    ;;
            esac
        \(asking)    [[ ${kind[0]} == -W ]] || compopt -o filenames 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -P "$before" "${kind[@]}" -- "$cur")
        }

        complete -F \(program.function) \(program.name)

        """
    }

    /// The code that finds the verb. A verb may have two words.
    private var verbReading: String {
        guard !program.verbs.isEmpty else { return "" }
        let isVerb = (["-z $verb"] + program.families.map { "$verb == \($0.first)" }).joined(separator: " || ")
        return """
                            elif [[ \(isVerb) ]]; then
                                verb+=${verb:+ }$word

            """
    }

    /// The code that collects the options to pass on when the script asks the program for words.
    private var placeOption: String {
        let options = patterns(program.asksWith.map { "\($0.name)=*" })
        return program.asks ? "            \(options)) option= where+=(\"$word\") ;;\n" : ""
    }

    private var placeValue: String {
        guard program.asks else { return "" }
        let isOne = program.asksWith.map { "$option == \($0.name)" }.joined(separator: " || ")
        return "                    [[ \(isOne) ]] && where+=(\"$option=$word\")\n"
    }

    /// The code that asks the program for words. The words come from outside the script, so they are quoted and never expanded.
    private var asking: String {
        guard program.asks else { return "" }
        return """
                if [[ -n $ask ]]; then
                    # The part up to a colon is another word to bash.
                    head=${cur%"${cur##*[:=]}"}
                    [[ $COMP_WORDBREAKS == *:* ]] || head=
                    while IFS= read -r word; do
                        [[ $word == "$cur"* ]] || continue
                        printf -v word %q "${word#"$head"}"
                        COMPREPLY+=("$before$word")
                    done < <(\(program.name) "${where[@]}" complete "$ask" 2> /dev/null)
                    return
                fi

            """
    }

    private var verbOptions: String {
        let verbs = program.verbs.filter { !$0.options.isEmpty }
        guard !verbs.isEmpty else { return "" }
        return "    case $verb in\n"
            + rows(verbs.map { ($0.name, "options+=' \(names($0.options))'") }, indent: 8) + "    esac\n"
    }

    private var values: String {
        rows(program.allOptions.compactMap { option in action(option.content).map { (option.name, $0) } }, indent: 8)
    }

    private func action(_ content: Content?) -> String? {
        switch content {
        case nil, .anything: nil
        case .files: "kind=(-f)"
        case .folders: "kind=(-d)"
        case .words(let words): "kind=(-W '\(words.joined(separator: " "))')"
        case .known(let name): "ask=\(name)"
        }
    }

    /// The possible words at each position. If there are no other words, options are offered.
    private var places: String {
        guard !program.verbs.isEmpty else { return rows([("/0", "known=$options")], indent: 16) }
        let firsts = ProgramSyntax.firstWords(program.allVerbs)
        var places = [("/0", "kind=(-W '\(firsts.joined(separator: " "))')")]
        for family in program.families {
            places.append(
                ("\(family.first)/0", "kind=(-W '\(family.verbs.map { $0.words[1] }.joined(separator: " "))')"))
        }
        for verb in program.allVerbs {
            for (place, operand) in verb.operands.enumerated() {
                guard let action = action(operand.content) else { continue }
                let isAnywhere = if case .known = operand.content { operand.repeats } else { false }
                places.append((isAnywhere ? "\(verb.name)/*" : "\(verb.name)/\(place)", action))
            }
            if verb.operands.last?.repeats != true {
                places.append(("\(verb.name)/\(verb.operands.count)", "known=$options"))
            }
        }
        return rows(places, indent: 16)
    }

    /// The rows of a `case`. Rows with the same action are joined.
    private func rows(_ rows: [(pattern: String, action: String)], indent: Int) -> String {
        var actions: [String] = []
        var patterns: [String: [String]] = [:]
        for row in rows {
            if patterns[row.action] == nil { actions.append(row.action) }
            patterns[row.action, default: []].append(row.pattern)
        }
        return actions.map {
            String(repeating: " ", count: indent) + "\(self.patterns(patterns[$0] ?? []))) \($0) ;;\n"
        }
        .joined()
    }

    private func patterns(_ words: [String]) -> String {
        words.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " | ")
    }

    private func names(_ options: [Option]) -> String { options.map(\.name).joined(separator: " ") }
}
