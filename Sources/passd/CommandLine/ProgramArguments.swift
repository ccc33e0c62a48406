// The words that the program was started with, as the C library hands them to every function of `.init_array` before
// `main`. Swift's own list is read from /proc, and is empty where that is not mounted.

enum ProgramArguments {
    fileprivate typealias List = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// Written once, before anything else runs.
    fileprivate nonisolated(unsafe) static var list: List?

    /// With the program's name.
    static var all: [String] {
        var words: [String] = []
        while let word = list?[words.count] { words.append(String(cString: word)) }
        return words
    }
}

@section(".init_array") @used private let keepArguments: @convention(c) (Int32, ProgramArguments.List?) -> Void = {
    ProgramArguments.list = $1
}
