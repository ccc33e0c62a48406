// The command line's words. Swift's own list is not used, because it is empty without /proc.

import CArguments

enum ProgramArguments {
    /// All words, the program's name included.
    static var all: [String] {
        var words: [String] = []
        let list = pass_arguments()
        while let word = list?[words.count] { words.append(String(cString: word)) }
        return words
    }
}
