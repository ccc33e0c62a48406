// The command line's words, as the C library passes them to every function in `.init_array` before `main`. Swift's own
// list is read from /proc and is empty if that is not mounted.

enum ProgramArguments {
    fileprivate typealias List = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Written once, before any other code runs.
    fileprivate nonisolated(unsafe) static var list: List?

    /// All words, the program's name included.
    static var all: [String] {
        var words: [String] = []
        while let word = list?[words.count] { words.append(String(cString: word)) }
        return words
    }
}

@section(".init_array") @used private let keepArguments: @convention(c) (Int32, ProgramArguments.List?) -> Void = {
    ProgramArguments.list = $1
}
