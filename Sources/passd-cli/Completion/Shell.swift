// The shells that completion scripts exist for.

enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    func script(_ tree: CommandTree) -> String {
        switch self {
        case .bash: BashScript(tree).text
        case .zsh: ZshScript(tree).text
        case .fish: FishScript(tree).text
        }
    }
}
