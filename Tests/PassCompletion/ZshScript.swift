// Generates the completion script for zsh. The script uses zsh's own _arguments.

import PassArguments

struct ZshScript {
    let program: ProgramSyntax

    var text: String {
        """
        #compdef \(program.name)
        # Completion of \(program.name) for zsh. Made from the program's tables.

        \(asking)\(program.function)() {
        \(program.asks ? "    local -a before=(\"${(@)words[1,CURRENT-1]}\")\n" : "")    local curcontext=$curcontext state line verb ret=1
            local -A opt_args
            local -a everywhere=(
        \(program.options.map { "        \(spec($0))\n" }.joined())    )
        \(program.verbs.isEmpty ? "    _arguments -S $everywhere && ret=0\n" : verbs)    return ret
        }

        if [[ $funcstack[1] == _\(program.name) ]]; then
            \(program.function) "$@"
        else
            compdef \(program.function) \(program.name)
        fi

        """
    }

    private var verbs: String {
        """
            _arguments -C -S $everywhere '1: :->verb' '*:: :->rest' && ret=0
            case $state in
                verb)
                    local -a verbs=(
        \(ProgramSyntax.firstWords(program.allVerbs).map(choice).joined())            )
                    _describe verb verbs && ret=0
                    ;;
                rest)
                    verb=$words[1]
        \(program.families.map(seconds).joined())            case $verb in
        \(program.allVerbs.map(row).joined())            esac
                    ;;
            esac

        """
    }

    /// The function that asks the program for words. The function passes on the options for the daemon and the requestor.
    private var asking: String {
        guard program.asks else { return "" }
        let names = program.asksWith.map(\.name)
        return """
            \(program.function)_ask() {
                local word option
                local -a where found
                for word in "${(@Q)before}"; do
                    case $word in
                        \(names.map { "\($0)=*" }.joined(separator: " | "))) where+=("$word") option= ;;
                        \(names.joined(separator: " | "))) option=$word ;;
                        *)
                            [[ -n $option ]] && where+=("$option=$word")
                            option=
                            ;;
                    esac
                done
                found=("${(@f)$(\(program.name) $where complete $1 2> /dev/null)}")
                found=(${found:#})
                (($#found)) && compadd -a found
            }


            """
    }

    private func choice(_ first: String) -> String {
        "                \(quoted("\(first):\(program.summary(of: first))"))\n"
    }

    /// The code that reads the second word of verbs that have two words.
    private func seconds(_ family: (first: String, verbs: [VerbSyntax])) -> String {
        """
                    if [[ $verb == \(family.first) ]]; then
                        if ((CURRENT == 2)); then
                            compadd \(family.verbs.map { $0.words[1] }.joined(separator: " ")) && ret=0
                            return ret
                        fi
                        shift words
                        ((CURRENT--))
                        verb="\(family.first) $words[1]"
                    fi

        """
    }

    private func row(_ verb: VerbSyntax) -> String {
        let operands = verb.operands.enumerated().map { index, operand in
            // If a repeated operand has fixed words, they are offered only at its first position.
            let isAnywhere = if case .words = operand.content { false } else { operand.repeats }
            return quoted("\(isAnywhere ? "*" : "\(index + 1)"):\(operand.name):\(action(operand.content))")
        }
        let parts = (["_arguments -S $everywhere"] + verb.options.map(spec) + operands)
        return "                \(quoted(verb.name))) \(parts.joined(separator: " ")) && ret=0 ;;\n"
    }

    private func spec(_ option: Option) -> String {
        let help = option.help.reduce(into: "") { $0 += "[]:\\".contains($1) ? "\\\($1)" : "\($1)" }
        guard let value = option.value, let content = option.content else { return quoted("\(option.name)[\(help)]") }
        let placeholder = value.split(separator: "|").joined(separator: " or ")
        return quoted("\(option.name)=[\(help)]:\(placeholder):\(action(content))")
    }

    private func action(_ content: Content) -> String {
        switch content {
        case .anything: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .known(let name): "{\(program.function)_ask \(name)}"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
