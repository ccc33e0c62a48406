// The shells with completion scripts, and what these scripts need from a program's syntax.

package import PassArguments

package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    package func script(_ program: ProgramSyntax) -> String {
        switch self {
        case .bash: BashScript(program: program).text
        case .zsh: ZshScript(program: program).text
        case .fish: FishScript(program: program).text
        }
    }
}

extension ProgramSyntax {
    /// All verbs, including `help`; none if the program has no verbs.
    var allVerbs: [VerbSyntax] { verbs.isEmpty ? [] : verbs + [help] }

    /// Groups the verbs of two words by their first word, such as `policy`.
    var families: [(first: String, verbs: [VerbSyntax])] {
        Self.firstWords(verbs).map { first in (first, verbs.filter { $0.words.count == 2 && $0.words[0] == first }) }
            .filter { !$0.1.isEmpty }
    }

    /// The summaries of the verbs that begin with the word.
    func summary(of first: String) -> String {
        allVerbs.filter { $0.words.first == first }.map(\.summary).joined(separator: "; ")
    }

    /// Whether the script asks the program for words.
    var asks: Bool { !asksWith.isEmpty }

    /// The name of the function in the shell's script.
    var function: String { "_" + String(name.map { $0 == "-" ? "_" : $0 }) }
}
