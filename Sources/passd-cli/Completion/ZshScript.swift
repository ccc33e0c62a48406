// Generates the completion script for zsh, which uses zsh's own _arguments.

struct ZshScript {
    private let tree: CommandTree

    init(_ tree: CommandTree) { self.tree = tree }

    var text: String {
        """
        #compdef \(tree.program)
        # Completion of \(tree.program) for zsh. Made from the program's tables.

        \(asking)\(tree.function)() {
        \(tree.asks ? "    local -a before=(\"${(@)words[1,CURRENT-1]}\")\n" : "")    local curcontext=$curcontext state line verb ret=1
            local -A opt_args
            local -a everywhere=(
        \(tree.options.map { "        \(spec($0))\n" }.joined())    )
        \(tree.verbs.isEmpty ? "    _arguments -S $everywhere && ret=0\n" : verbs)    return ret
        }

        if [[ $funcstack[1] == _\(tree.program) ]]; then
            \(tree.function) "$@"
        else
            compdef \(tree.function) \(tree.program)
        fi

        """
    }

    private var verbs: String {
        """
            _arguments -C -S $everywhere '1: :->verb' '*:: :->rest' && ret=0
            case $state in
                verb)
                    local -a verbs=(
        \(tree.firstWords.map { "                \(choice($0))\n" }.joined())            )
                    _describe verb verbs && ret=0
                    ;;
                rest)
                    verb=$words[1]
        \(tree.families.map(seconds).joined())            case $verb in
        \(tree.verbs.map(row).joined())            esac
                    ;;
            esac

        """
    }

    /// The function that asks the program for words, of the daemon and the requestor that the line names.
    private var asking: String {
        guard tree.asks else { return "" }
        return """
            \(tree.function)_ask() {
                local word option
                local -a where found
                for word in "${(@Q)before}"; do
                    case $word in
                        --socket=* | --instance=* | --requestor=*) where+=("$word") option= ;;
                        --socket | --instance | --requestor) option=$word ;;
                        *)
                            [[ -n $option ]] && where+=("$option=$word")
                            option=
                            ;;
                    esac
                done
                found=("${(@f)$(\(tree.program) $where complete $1 2> /dev/null)}")
                found=(${found:#})
                (($#found)) && compadd -a found
            }


            """
    }

    private func choice(_ first: String) -> String {
        let verbs = tree.verbs.filter { $0.words.first == first }
        return quoted("\(first):\(verbs.map(\.summary).joined(separator: "; "))")
    }

    /// The code that reads the second word of a verb as if it were the first.
    private func seconds(_ family: (first: String, verbs: [CommandTree.Verb])) -> String {
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

    private func row(_ verb: CommandTree.Verb) -> String {
        let operands = verb.operands.enumerated().map { index, operand in
            // The words of a repeated operand are offered only at its first position.
            let words =
                operand.known.map { "{\(tree.function)_ask \($0)}" }
                ?? (operand.isFile
                    ? "_files" : operand.words.isEmpty ? " " : "(\(operand.words.joined(separator: " ")))")
            return quoted("\(operand.repeats && operand.words.isEmpty ? "*" : "\(index + 1)"):\(operand.name):\(words)")
        }
        let parts = (["_arguments -S $everywhere"] + verb.options.map(spec) + operands)
        return "                \(quoted(verb.name))) \(parts.joined(separator: " ")) && ret=0 ;;\n"
    }

    private func spec(_ option: CommandTree.Option) -> String {
        let help = option.help.reduce(into: "") { $0 += "[]:\\".contains($1) ? "\\\($1)" : "\($1)" }
        let placeholder = option.placeholder?.split(separator: "|").joined(separator: " or ") ?? ""
        switch option.value {
        case nil: return quoted("\(option.name)[\(help)]")
        case .anything: return quoted("\(option.name)=[\(help)]:\(placeholder): ")
        case .files: return quoted("\(option.name)=[\(help)]:\(placeholder):_files")
        case .folders: return quoted("\(option.name)=[\(help)]:\(placeholder):_files -/")
        case .known(let name):
            return quoted("\(option.name)=[\(help)]:\(placeholder):{\(tree.function)_ask \(name)}")
        case .words(let words):
            return quoted("\(option.name)=[\(help)]:\(placeholder):(\(words.joined(separator: " ")))")
        }
    }

    private func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
