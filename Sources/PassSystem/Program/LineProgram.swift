// One run of a program that is spoken to by lines: it hears them on its standard input and answers on its standard output
// whenever it likes. A queue of its own waits for it, which nobody else does: what it says comes as calls of a handler, and
// what it is told waits in a bounded room until it reads. Like everything that writes to pipes it wants SIGPIPE ignored.

import CSystemd
import Dispatch
import Glibc
import Synchronization

public final class LineProgram: Sendable {
    public struct Limits: Sendable {
        /// Of one line, in either direction.
        public var lineBytes = 64 << 10
        /// What it was told and has not read.
        public var unreadBytes = 256 << 10
        /// What it may say before it is spoken to again. Who says more is not asked for it.
        public var unaskedBytes = 256 << 10
        public var unaskedLines = 256
        /// How long it may take to end once its input is closed, and once more after SIGTERM.
        public var grace = Duration.seconds(1)

        public init() {}
    }

    public enum Event: Equatable, Sendable {
        /// Without its line feed; never empty.
        case line([UInt8])
        /// Once and last: nothing is left of it.
        case over(Ending)
    }

    /// Carries nothing of what was said, which may be a secret.
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
        /// What the exchange holds of earlier texts.
        var unread = 0
        var order = Order.goOn
        /// Written to whenever something changes. Nil: it has not begun or is over.
        var bell: Int32?
    }

    let path: String
    let limits: Limits
    let environment: [String: String]
    private let hear: @Sendable (Event) -> Void
    private let queue = DispatchQueue(label: "passd.line-program")
    private let inbox = Mutex(Inbox())

    /// Begins at once; `hear` is called on a queue of its own, in order. The path is absolute: nothing is searched for, and
    /// no shell reads it.
    public init(
        _ path: String, limits: Limits = Limits(), environment: [String: String] = ProgramEnvironment.inherited(),
        _ hear: @escaping @Sendable (Event) -> Void
    ) {
        self.path = path
        self.limits = limits
        self.environment = environment
        self.hear = hear
        queue.async { self.run() }
    }

    /// False if the line is too long or too much is unread: it is then not told.
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

    /// Closes its input and gives it time to end; then SIGTERM, and SIGKILL, to its process group.
    public func end() { order(.endItself) }

    /// Ends it, and all that it has started, this moment.
    public func kill() { order(.die) }

    private func order(_ order: Order) {
        inbox.withLock { inbox in
            if inbox.order != .die { inbox.order = order }
            Self.ring(inbox.bell)
        }
    }

    private static func ring(_ bell: Int32?) {
        // A bell that has been rung often enough to be full rings.
        if let bell { _ = write(bell, [1], 1) }
    }

    /// On the queue, whose thread waits.
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

    /// What is to be told, which becomes the exchange's, and what is to become of it.
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
        case .tooMuch: "it printed too much"
        }
    }
}
