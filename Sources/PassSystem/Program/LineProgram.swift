// One run of a program that exchanges lines with the daemon. Both sides may send lines at any time, over the program's standard
// input and output. A separate thread waits for the program, so no caller waits. Lines from the program arrive as calls of a
// handler. Lines to the program are kept until the program reads them. The total size of these lines has a limit. May be used
// from any thread. The daemon's process must ignore SIGPIPE.

import CLinux
import Glibc
import PassThreads
import Synchronization

public final class LineProgram: Sendable {
    public struct Limits: Sendable {
        /// The max size of a line, in either direction.
        public var lineBytes = 64 << 10
        /// The max amount of text that the program has not read yet.
        public var unreadBytes = 256 << 10
        /// The max output of the program between two lines from the daemon. A program that prints more is ended.
        public var unaskedBytes = 256 << 10
        public var unaskedLines = 256
        /// The time for the program to end after its input is closed. After SIGTERM, the program gets the same time again.
        public var grace = Duration.seconds(1)

        public init() {}
    }

    public enum Event: Equatable, Sendable {
        /// A line without its line feed; never empty.
        case line([UInt8])
        /// The program and its process group are gone. This is the last event.
        case over(Ending)
    }

    /// The cause of the end. It contains no part of the program's lines, because lines may contain secrets.
    public enum Ending: Equatable, Sendable {
        case cannotStart(reason: Int32)
        case status(Int32)
        case signal(Int32)
        case lineTooLong(limit: Int)
        case tooMuch
    }

    enum Order { case goOn, endItself, die }

    private struct Inbox {
        var text: [UInt8] = []
        /// The number of bytes that the exchange has taken and not written yet.
        var unread = 0
        var order = Order.goOn
        /// A descriptor for waking the reader of the inbox. Nil before the start and after the end.
        var bell: Int32?
    }

    let path: String
    let limits: Limits
    let environment: [String: String]
    private let hear: @Sendable (Event) -> Void
    private let inbox = Mutex(Inbox())

    /// Starts the program immediately. `hear` is called in order, on a separate thread. The path has to be absolute. passd
    /// searches no directories and uses no shell.
    public init(
        _ path: String, limits: Limits = Limits(), environment: [String: String] = ProgramEnvironment.inherited(),
        _ hear: @escaping @Sendable (Event) -> Void
    ) {
        self.path = path
        self.limits = limits
        self.environment = environment
        self.hear = hear
        if !SystemThread.start("passd.helper", { self.run() }) { hear(.over(.cannotStart(reason: EAGAIN))) }
    }

    /// Sends a line. Returns false and drops the line if it is too long, or if the program has too much unread text.
    public func say(_ line: [UInt8]) -> Bool {
        inbox.withLock { inbox in
            guard line.count <= limits.lineBytes, inbox.text.count + inbox.unread + line.count < limits.unreadBytes
            else { return false }
            inbox.text += line
            inbox.text.append(UInt8(ascii: "\n"))
            Self.ring(inbox.bell)
            return true
        }
    }

    /// Ends the program by closing its input. Does not wait for the end. If the program takes too long, its process group gets
    /// SIGTERM, and later SIGKILL.
    public func end() { order(.endItself) }

    /// Kills the program's process group immediately.
    public func kill() { order(.die) }

    private func order(_ order: Order) {
        inbox.withLock { inbox in
            if inbox.order != .die { inbox.order = order }
            Self.ring(inbox.bell)
        }
    }

    private static func ring(_ bell: Int32?) {
        // A failed write is ignored, because it means that the pipe is full, and a full pipe also wakes the reader.
        if let bell { _ = write(bell, [1], 1) }
    }

    /// Runs on a separate thread, and blocks it until the program has ended.
    private func run() {
        var bell: [Int32] = [-1, -1]
        guard pass_pipe(&bell) == 0 else { return hear(.over(.cannotStart(reason: errno))) }
        for end in bell { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        inbox.withLock { $0.bell = bell[1] }
        let ending: Ending
        do throws(ProgramOutput.Fault) {
            let child = try ChildProgram(path, environment, isHeard: true)
            var exchange = LineExchange(child, limits, bell: bell[0]) { self.hear(.line($0)) }
            ending = exchange.run { self.news(unread: $0) }
        } catch {
            ending = .cannotStart(reason: error.reason)
        }
        inbox.withLock { inbox in
            inbox.bell = nil
            inbox.text = []
        }
        for end in bell { close(end) }
        hear(.over(ending))
    }

    /// Hands new text and the present order to the exchange.
    private func news(unread: Int) -> (text: [UInt8], order: Order) {
        inbox.withLock { inbox in
            defer {
                inbox.unread = unread + inbox.text.count
                inbox.text = []
            }
            return (inbox.text, inbox.order)
        }
    }
}

extension ProgramOutput.Fault {
    fileprivate var reason: Int32 { if case .cannotStart(let reason) = self { reason } else { ECHILD } }
}

extension LineProgram.Ending: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotStart(let reason): ProgramOutput.Fault.cannotStart(reason: reason).description
        case .status(let status): ProgramOutput.Fault.failed(status: status).description
        case .signal(let signal): ProgramOutput.Fault.killed(signal: signal).description
        case .lineTooLong(let limit): "it printed a line of more than \(limit) bytes"
        case .tooMuch: "it printed too much without being asked"
        }
    }
}
