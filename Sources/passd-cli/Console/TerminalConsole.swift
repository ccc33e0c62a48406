// The console of the process: its standard descriptors, the wall clock and its signals.

import Dispatch
import Glibc
import PassArguments

struct TerminalConsole: Console {
    let environment: [String: String]
    let output = Self.screen(STDOUT_FILENO)
    let errors = Self.screen(STDERR_FILENO)
    var isASCII: Bool { !Charset.isUTF8(environment) }
    let canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1

    private static func screen(_ descriptor: Int32) -> Screen {
        guard isatty(descriptor) == 1 else { return Screen(isTerminal: false) }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Screen(isTerminal: true)
        }
        return Screen(isTerminal: true, columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    func put(_ text: String) throws(OutputLost) {
        guard let error = Descriptors.write(text, to: STDOUT_FILENO) else { return }
        throw error == EPIPE ? .readerGone : .failed(reason: String(cString: strerror(error)))
    }

    func putError(_ text: String) { _ = Descriptors.write(text, to: STDERR_FILENO) }

    /// Reads on a separate thread, because reading blocks. If the task is cancelled, this thread is abandoned.
    func readLine() async -> String? {
        let lines = AsyncStream<String> { lines in
            DispatchQueue(label: "passd-cli.input").async {
                if let line = Swift.readLine() { lines.yield(line) }
                lines.finish()
            }
        }
        for await line in lines { return line }
        return nil
    }

    func output(of words: [String]) -> String? { ForeignProgram.output(of: words) }

    var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    func pause(for time: Duration) async throws { try await Task.sleep(for: time) }

    func ticks() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { ticks in
            let timer = Task { while (try? await Task.sleep(for: .seconds(1))) != nil { ticks.yield() } }
            ticks.onTermination = { _ in timer.cancel() }
        }
    }

    /// Installs the handlers before it returns, so that no later signal is lost. A signal that arrives before the handlers are
    /// installed ends the program, because this is the default action.
    func interrupts() -> AsyncStream<Int32> {
        AsyncStream { signals in
            let queue = DispatchQueue(label: "passd-cli.signals")
            let registered = DispatchGroup()
            nonisolated(unsafe) let sources = [SIGINT, SIGTERM].map { number in
                let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                source.setEventHandler { signals.yield(number) }
                registered.enter()
                source.setRegistrationHandler { registered.leave() }
                source.activate()
                return source
            }
            registered.wait()
            signals.onTermination = { _ in
                for source in sources { source.cancel() }
                // During the cleanup, a second signal ends the program.
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
            }
        }
    }
}
