// Generates the completion script for bash. It runs no program but the one whose line is completed, for the words that the
// daemon knows.

struct BashScript {
    private let tree: CommandTree

    init(_ tree: CommandTree) { self.tree = tree }

    var text: String {
        """
        # Completion of \(tree.program) for bash. Made from the program's tables.

        \(tree.function)() {
            local word cur option= before= verb= place=0 i
            local options='\(names(tree.options))' known=
            local -a words=() kind\(tree.asks ? "\n    local ask= head\n    local -a where=()" : "")
            COMPREPLY=()
            # "=" and ":" are words of their own to bash; what they join is one word again.
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
                    \(patterns(tree.allOptions.filter { $0.value != nil }.map(\.name)))) option=$word ;;
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
                    [[ $cur == -* ]] && known=$options kind=()\(tree.asks ? " ask=" : "")
                    ((${#kind[@]})) || kind=(-W "$known")
                    ;;
            esac
        \(asking)    [[ ${kind[0]} == -W ]] || compopt -o filenames 2> /dev/null
            mapfile -t COMPREPLY < <(compgen -P "$before" "${kind[@]}" -- "$cur")
        }

        complete -F \(tree.function) \(tree.program)

        """
    }

    /// The code that finds the verb, which may have two words.
    private var verbReading: String {
        guard !tree.verbs.isEmpty else { return "" }
        let isVerb = (["-z $verb"] + tree.families.map { "$verb == \($0.first)" }).joined(separator: " || ")
        return """
                            elif [[ \(isVerb) ]]; then
                                verb+=${verb:+ }$word

            """
    }

    /// The code that notes which daemon and whose words are meant.
    private var placeOption: String {
        tree.asks ? "            --socket=* | --instance=* | --requestor=*) option= where+=(\"$word\") ;;\n" : ""
    }

    private var placeValue: String {
        guard tree.asks else { return "" }
        return """
                                [[ $option == --socket || $option == --instance || $option == --requestor ]] && where+=("$option=$word")

            """
    }

    /// The code that asks the program for words. They come from elsewhere, so they are quoted, and never expanded.
    private var asking: String {
        guard tree.asks else { return "" }
        return """
                if [[ -n $ask ]]; then
                    # The part up to a colon is another word to bash.
                    head=${cur%"${cur##*[:=]}"}
                    [[ $COMP_WORDBREAKS == *:* ]] || head=
                    while IFS= read -r word; do
                        [[ $word == "$cur"* ]] || continue
                        printf -v word %q "${word#"$head"}"
                        COMPREPLY+=("$before$word")
                    done < <(\(tree.program) "${where[@]}" complete "$ask" 2> /dev/null)
                    return
                fi

            """
    }

    private var verbOptions: String {
        let verbs = tree.verbs.filter { !$0.options.isEmpty }
        guard !verbs.isEmpty else { return "" }
        return "    case $verb in\n"
            + rows(verbs.map { ($0.name, "options+=' \(names($0.options))'") }, indent: 8) + "    esac\n"
    }

    private var values: String {
        rows(
            tree.allOptions.compactMap { option in
                switch option.value {
                case nil, .anything: nil
                case .files: (option.name, "kind=(-f)")
                case .folders: (option.name, "kind=(-d)")
                case .words(let words): (option.name, "kind=(-W '\(words.joined(separator: " "))')")
                case .known(let name): (option.name, "ask=\(name)")
                }
            }, indent: 8)
    }

    /// The words that are possible at each position. Where nothing else is possible, options are offered.
    private var places: String {
        guard !tree.verbs.isEmpty else { return rows([("/0", "known=$options")], indent: 16) }
        var places = [("/0", "known='\(tree.firstWords.joined(separator: " "))'")]
        for family in tree.families {
            places.append(("\(family.first)/0", "known='\(family.verbs.map { $0.words[1] }.joined(separator: " "))'"))
        }
        for verb in tree.verbs {
            for (place, operand) in verb.operands.enumerated() {
                if let known = operand.known {
                    let pattern = operand.repeats ? "\(verb.name)/*" : "\(verb.name)/\(place)"
                    places.append((pattern, "ask=\(known)"))
                } else if operand.isFile {
                    places.append(("\(verb.name)/\(place)", "kind=(-f)"))
                } else if !operand.words.isEmpty {
                    places.append(("\(verb.name)/\(place)", "known='\(operand.words.joined(separator: " "))'"))
                }
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

    private func names(_ options: [CommandTree.Option]) -> String { options.map(\.name).joined(separator: " ") }
}
