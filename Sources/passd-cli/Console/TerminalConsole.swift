// The console of the process: its standard descriptors, the wall clock and its signals.

import Dispatch
import Glibc
import Synchronization

struct TerminalConsole: Console {
    let environment: [String: String]
    let output = Self.screen(STDOUT_FILENO)
    let errors = Self.screen(STDERR_FILENO)
    let canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1

    /// If a standard descriptor is closed at the start, the connection would get its number, and output would go there.
    /// An unusable descriptor takes its place before anything is opened.
    static func occupyStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    private static func screen(_ descriptor: Int32) -> Screen {
        guard isatty(descriptor) == 1 else { return Screen(isTerminal: false) }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return Screen(isTerminal: true)
        }
        return Screen(isTerminal: true, columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    func write(_ text: String) throws(OutputLost) {
        let code = Self.write(text, to: STDOUT_FILENO)
        if code == EPIPE { throw .readerGone }
        if code != 0 { throw .failed(reason: String(cString: strerror(code))) }
    }

    func warn(_ text: String) { _ = Self.write(text, to: STDERR_FILENO) }

    /// Returns 0, or the error's number.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Another program has made the terminal or the pipe non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Reading blocks a thread of its own. If the task is cancelled, that thread is abandoned.
    func readLine() async -> String? {
        let reply = LineReply()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reply.expect(continuation)
                DispatchQueue(label: "passd-cli.input").async { reply.resume(Swift.readLine()) }
            }
        } onCancel: {
            reply.resume(nil)
        }
    }

    func output(of words: [String]) -> String? { ForeignProgram.output(of: words) }

    var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    func background() -> Background? { TerminalBackground.ask(environment) }

    func pause(for time: Duration) async throws { try await Task.sleep(for: time) }

    func ticks() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { ticks in
            let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "passd-cli.ticks"))
            timer.setEventHandler { ticks.yield() }
            timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(50))
            let running = Kept(timer)
            ticks.onTermination = { _ in running.value.cancel() }
            timer.activate()
        }
    }

    /// When this returns, the handlers are in place and no signal is lost.
    func interrupts() -> AsyncStream<Int32> {
        AsyncStream { signals in
            let queue = DispatchQueue(label: "passd-cli.signals")
            let registered = DispatchGroup()
            let sources = Kept(
                [SIGINT, SIGTERM].map { number in
                    signal(number, SIG_IGN)
                    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
                    source.setEventHandler { signals.yield(number) }
                    registered.enter()
                    source.setRegistrationHandler { registered.leave() }
                    source.activate()
                    return source
                })
            registered.wait()
            signals.onTermination = { _ in
                for source in sources.value { source.cancel() }
                // A second signal ends the program while it cleans up.
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
            }
        }
    }
}

/// Holds Dispatch sources, which may be cancelled from any thread.
private final class Kept<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// The continuation of a reader. It is resumed once, by the line or by the cancellation, whichever comes first.
private final class LineReply: Sendable {
    private struct State {
        var continuation: CheckedContinuation<String?, Never>?
        var isCancelled = false
    }

    private let state = Mutex(State())

    func expect(_ continuation: CheckedContinuation<String?, Never>) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.continuation = continuation }
            return state.isCancelled
        }
        if isCancelled { continuation.resume(returning: nil) }
    }

    func resume(_ line: String?) {
        let continuation = state.withLock { state in
            state.isCancelled = true
            return state.continuation.take()
        }
        continuation?.resume(returning: line)
    }
}
