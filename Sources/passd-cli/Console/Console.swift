// The terminal, the clock and the signals, for the verbs. A verb uses only the console and the daemon. The console is a port,
// so that tests can type in place of a viewer. May be used from any task.

import PassClient
import PassJSON
import PassProtocol

struct Screen: Sendable, Equatable {
    var isTerminal: Bool
    var columns = 80
    var rows = 24
}

protocol Console: Sendable {
    /// The properties of standard output and standard error.
    var output: Screen { get }
    var errors: Screen { get }
    /// Whether a person can be asked a question.
    var canAsk: Bool { get }
    /// Whether only ASCII may be written.
    var isASCII: Bool { get }

    /// Writes to standard output without buffering. Throws if the output is lost.
    func put(_ text: String) throws(OutputLost)
    /// Writes to standard error. Lost output is ignored.
    func putError(_ text: String)
    /// Reads a line from the person; nil at the end of input or if the task is cancelled.
    func readLine() async -> String?

    /// The output of another program; nil if it cannot be run.
    func output(of words: [String]) -> String?

    /// The present time in milliseconds since the epoch.
    var now: Int64 { get }
    func pause(for time: Duration) async throws
    /// A stream that ticks once a second.
    func ticks() -> AsyncStream<Void>
    /// A stream of SIGINT and SIGTERM. After this call, these signals no longer end the program.
    func interrupts() -> AsyncStream<Int32>
}

enum OutputLost: Error, Equatable {
    /// The reader has closed the pipe.
    case readerGone
    case failed(reason: String)

    var message: String {
        if case .failed(let reason) = self { return "Cannot write to standard output: \(reason)." }
        return "The reader closed standard output."
    }
}

extension Console {
    /// Prints the answer.
    func write(_ text: String) throws(OutputLost) {
        try put(isASCII ? Charset.ascii(text, isShown: output.isTerminal) : text)
    }

    func warn(_ text: String) { putError(isASCII ? Charset.ascii(text, isShown: errors.isTerminal) : text) }

    /// Prints one line of JSON. operations.md §1.
    func write(_ kind: String, _ data: JSONValue) throws(OutputLost) {
        let line =
            JSONText.line([
                "passd": ["format": 1, "version": .string(PassdVersion.text)], "kind": .string(kind), "data": data,
            ]) + "\n"
        try write(isASCII ? Charset.ascii(json: line) : line)
    }

    /// Prints a message in the common form: a sentence, and then the remedy on the next line.
    func tell(_ message: String, remedy: String = "") {
        warn("passd-cli: \(message.onOneLine)\n" + (remedy.isEmpty ? "" : "\(remedy.onOneLine)\n"))
    }
}

extension AsyncStream where Element: Sendable {
    /// Returns a stream with the elements of several sources. When nobody reads the stream any longer, the sources are
    /// cancelled.
    static func merged(_ sources: (@Sendable (Continuation) async -> Void)...) -> AsyncStream {
        AsyncStream { elements in
            let tasks = sources.map { source in Task { await source(elements) } }
            elements.onTermination = { _ in for task in tasks { task.cancel() } }
        }
    }
}

/// A signal has ended the work.
struct Interrupted: Error { let signal: Int32 }

extension Console {
    /// Runs the work until it ends or a signal arrives. A signal cancels the work, and is thrown as `Interrupted`.
    func untilInterrupted<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let signals = interrupts()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await number in signals { throw Interrupted(signal: number) }
                return nil
            }
            defer { group.cancelAll() }
            while let first = try await group.next() {
                if let first { return first }
            }
            throw CancellationError()
        }
    }
}
