// A console that records the output, with a stopped clock and the input that the test types.

import PassArguments
import PassTestKit
import Synchronization

@testable import PassCLI

final class RecordedConsole: Console {
    let output: Screen
    let errors: Screen
    let canAsk: Bool
    let now: Int64 = 1_000_000
    let written = Recorder<String>()
    let warned = Recorder<String>()
    /// The other programs that were run, with their arguments.
    let ran = Recorder<[String]>()
    let signals = AsyncStream<Int32>.makeStream()
    let clock = AsyncStream<Void>.makeStream()
    /// The output of other programs, by program name.
    let programs: [String: String]
    /// The requested pauses of the program. They end at once, or last until the task is cancelled.
    let pauses = Recorder<Duration>()
    private let never = AsyncStream<Void>.makeStream()
    private let pausesForever: Bool
    /// The input while the program runs, if the console was created for this.
    let lines = AsyncStream<String>.makeStream()
    private let typesLater: Bool
    private let typed: Mutex<[String]>
    private let lost: OutputLost?
    private let charset = Mutex(false)

    /// Whether the locale has no UTF-8.
    var isASCII: Bool {
        get { charset.withLock { $0 } }
        set { charset.withLock { $0 = newValue } }
    }

    init(
        output: Screen = Screen(isTerminal: false), errors: Screen = Screen(isTerminal: false), typed: [String]? = nil,
        programs: [String: String] = [:], losing lost: OutputLost? = nil,
        pausesForever: Bool = false, typesLater: Bool = false
    ) {
        self.output = output
        self.errors = errors
        self.lost = lost
        self.programs = programs
        self.pausesForever = pausesForever
        self.typesLater = typesLater
        canAsk = typed != nil
        self.typed = Mutex(typed ?? [])
    }

    var out: String { written.elements.joined() }
    var err: String { warned.elements.joined() }

    func put(_ text: String) throws(OutputLost) {
        if let lost { throw lost }
        written.append(text)
    }

    func putError(_ text: String) { warned.append(text) }

    func output(of words: [String]) -> String? {
        ran.append(words)
        return programs[words[0]]
    }

    func readLine() async -> String? {
        if typesLater { for await line in lines.stream { return line } }
        return typed.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func pause(for time: Duration) async throws {
        pauses.append(time)
        try Task.checkCancellation()
        if pausesForever { for await _ in never.stream {} }
        try Task.checkCancellation()
    }

    func ticks() -> AsyncStream<Void> { clock.stream }

    func interrupts() -> AsyncStream<Int32> { signals.stream }
}

/// The result of a run: output and exit code.
struct Ran: Sendable {
    let exit: ExitCode
    let out: String
    let err: String
}

/// Runs the program in this process, with a scripted daemon if there is one.
@discardableResult func run(
    _ words: [String], _ daemon: ScriptedDaemon? = nil, environment: [String: String] = [:],
    console: RecordedConsole = RecordedConsole()
) async -> Ran {
    let words = (daemon.map { ["--socket", $0.socket] } ?? []) + words
    let environment = ["LANG": "C.UTF-8"].merging(environment) { $1 }
    console.isASCII = !Charset.isUTF8(environment)
    let exit = await Program(words: words, environment: environment, console: console).run()
    return Ran(exit: exit, out: console.out, err: console.err)
}
