// Everything that a verb touches besides the daemon: the terminal, the clock and the signals. A port, so that tests
// play the viewer.

import PassProtocol

struct Screen: Sendable, Equatable {
    var isTerminal: Bool
    var columns = 80
    var rows = 24
}

protocol Console: Sendable {
    /// Standard output, standard error.
    var output: Screen { get }
    var errors: Screen { get }
    /// Somebody can be asked.
    var canAsk: Bool { get }

    /// The answer, at once. Throws if it is lost.
    func write(_ text: String) throws(OutputLost)
    /// Anything else. Nobody need read it.
    func warn(_ text: String)
    /// A line from the person; nil at the end of input, or when the task is cancelled.
    func readLine() async -> String?

    /// Milliseconds since the epoch.
    var now: Int64 { get }
    /// Once a second.
    func ticks() -> AsyncStream<Void>
    /// From the call on, SIGINT and SIGTERM come here instead of ending the program.
    func interrupts() -> AsyncStream<Int32>
}

enum OutputLost: Error, Equatable {
    /// The reader has seen enough and is gone.
    case readerGone
    case failed(reason: String)
}

extension Console {
    /// A message in the form that all of them have: the sentence, then what to do on a line of its own.
    func tell(_ message: String, remedy: String = "") {
        warn("passd-cli: \(message.onOneLine)\n" + (remedy.isEmpty ? "" : "\(remedy.onOneLine)\n"))
    }
}
