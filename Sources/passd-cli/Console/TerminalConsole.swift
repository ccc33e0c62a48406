// The console of the process: its three descriptors, the wall clock and its signals.

import Dispatch
import Glibc
import Synchronization

struct TerminalConsole: Console {
    let output = Self.screen(STDOUT_FILENO)
    let errors = Self.screen(STDERR_FILENO)
    let canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1

    /// A descriptor that is closed at the start would become the connection's, and what is printed would go there. One
    /// that cannot be used takes its place, before anything is opened.
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

    /// 0, or the error's number.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody else made the terminal or the pipe non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Reading blocks a thread of its own, which is left behind when the task is cancelled.
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

    var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

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

    /// When this returns the signals come, and none is lost.
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
                // Whoever is impatient with what follows can still end it.
                for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
            }
        }
    }
}

/// Dispatch sources, which may be cancelled from anywhere.
private final class Kept<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Resumed once, by the line or by the cancellation, whichever is first.
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
