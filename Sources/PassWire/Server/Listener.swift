// Accepts connections on a Unix socket. The kernel has only one queue for the waiting clients of all users, so the listener has
// to empty this queue fast. The listener comes first in each turn of the reactor, and accepts clients for a millisecond. It
// asks `admit` about each client, and closes refused clients. An accepted client waits in the reactor's fair queues, like
// connected clients. When the client's owner has the turn, the client is let in. The owner is a user, or all strangers
// together.
//
// The listener keeps a descriptor in reserve for times without free descriptors. At such a time, the listener closes the
// reserve, accepts a client, and refuses the client with the reason. After that, the listener opens the reserve again.
//
// All members are used on the listener's queue; entry points check this. The listener keeps itself alive from start() until
// stop().

public import Dispatch
import Glibc
import PassJSON
import PassProtocol

public final class Listener: @unchecked Sendable {
    /// A problem that should be logged.
    public enum Trouble: Sendable, Equatable {
        /// Clients were refused for lack of descriptors or memory.
        case exhausted(errno: Int32, turnedAway: Int)
        case failed(errno: Int32)
    }

    private static let neverStarted: Int32 = -2
    /// The max number of clients that wait to be accepted. Further clients wait in `connect`, or their `connect` fails. A
    /// larger backlog would not help against a flood of clients: all clients would only wait longer.
    public static let backlog: Int32 = 512
    private static let nanosecondsPerTurn: UInt64 = 1_000_000
    /// The max number of clients between two readings of the clock. Reading the clock takes almost as long as accepting a
    /// client.
    private static let maxBetweenClockReads = 8

    public let queue: DispatchQueue
    let system: ListenerSystem
    private let number: Int32
    private let socketFile: SocketFile?
    private var reserve = Listener.neverStarted
    private var reactor: Reactor?
    private var watched: HandledSocket?
    private var isPaused = false
    private var isStopped = false
    private var admit: ((Int32) -> Admission)?
    private var onAccept: ((consuming Descriptor, ConnectionOwner) -> Void)?
    private var onTrouble: ((Trouble) -> Void)?
    private var onStopped: (() -> Void)?
    private var questions: [() -> Void] = []

    /// Takes over a listening socket, for example from the service manager.
    public convenience init(_ descriptor: consuming Descriptor, queue: DispatchQueue) {
        self.init(descriptor, file: nil, queue: queue, system: ListenerSystem())
    }

    /// Binds a path. A socket file of a dead process is replaced. A socket file of a living process is kept.
    public convenience init(
        path: String, mode: UInt32, group: UInt32? = nil, backlog: Int32 = Listener.backlog, queue: DispatchQueue
    ) throws(SocketError) {
        let (number, file) = try SocketFile.bind(path, mode: mode, group: group, backlog: backlog)
        self.init(Descriptor(adopting: number), file: file, queue: queue, system: ListenerSystem())
    }

    /// Takes over a socket that an earlier process has bound and kept. Nil if the path has another file now.
    public convenience init?(
        _ descriptor: consuming Descriptor, at path: String, mark: [UInt8], queue: DispatchQueue
    ) {
        guard let file = SocketFile(path: path, mark: mark) else { return nil }
        self.init(descriptor, file: file, queue: queue, system: ListenerSystem())
    }

    init(_ descriptor: consuming Descriptor, file: SocketFile?, queue: DispatchQueue, system: ListenerSystem) {
        number = descriptor.release()
        socketFile = file
        self.queue = queue
        self.system = system
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    /// `admit` is called immediately after a client is accepted, so it must be cheap. `onAccept` is called later, in the owner's
    /// turn.
    public func start(
        admit: @escaping (Int32) -> Admission = { _ in .enters(.user(0)) },
        onAccept: @escaping (consuming Descriptor, ConnectionOwner) -> Void,
        onTrouble: @escaping (Trouble) -> Void = { _ in }
    ) {
        dispatchPrecondition(condition: .onQueue(queue))
        self.admit = admit
        self.onAccept = onAccept
        self.onTrouble = onTrouble
        reserve = system.openReserve()
        guard !watch() else { return }
        // Like later failures, a lack of descriptors or memory is reported after this call has returned.
        queue.async { self.onTrouble?(.failed(errno: ENOMEM)) }
        pause()
    }

    private func watch() -> Bool {
        // Keeps the reactor of the queue alive even while there are no connections.
        reactor = reactor ?? Reactor.on(queue)
        let socket = HandledSocket(number) { self.look($0) }
        guard reactor?.add(socket, wanted: .input, share: .first) == true else { return false }
        watched = socket
        return true
    }

    private func unwatch() {
        if let watched { reactor?.remove(watched) }
        watched = nil
    }

    /// Offers the socket to `keep`, with a mark of its file. A later process needs the mark to take the socket over.
    public func keep(_ keep: (Int32, [UInt8]) -> Void) { if let socketFile { keep(number, socketFile.mark) } }

    /// Whether the path still leads to this socket.
    public var isReachable: Bool { socketFile?.exists ?? true }

    /// Stops accepting, and removes the socket's file if no other process has replaced the file. `leavingFile` is for a socket
    /// that a later process takes over.
    public func stop(leavingFile: Bool = false, onStopped: @escaping () -> Void = {}) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !isStopped, reserve != Self.neverStarted else { return }
        isStopped = true
        self.onStopped = onStopped
        if !leavingFile { socketFile?.remove() }
        unwatch()
        queue.async { self.ended() }
    }

    /// Calls `answer` to show that the listener is alive. This happens at once if no client waits; otherwise in the next turn.
    public func ask(_ answer: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        guard !isStopped, poll(&waiting, 1, 0) > 0 else { return answer() }
        questions.append(answer)
    }

    deinit {
        guard reserve == Self.neverStarted else { return }
        Glibc.close(number)
        socketFile?.remove()
    }

    private func ended() {
        Glibc.close(number)
        if reserve >= 0 { Glibc.close(reserve) }
        reactor = nil
        admit = nil
        onAccept = nil
        onTrouble = nil
        questions = []
        onStopped?()
        onStopped = nil
    }

    private func look(_ readiness: Reactor.Readiness) {
        // A hangup means that another process that shares the socket has shut the socket down. `accept` does not report this.
        guard readiness.isDisjoint(with: .hangup) else {
            onTrouble?(.failed(errno: ESHUTDOWN))
            return pause()
        }
        acceptSome()
    }

    /// Accepts clients for a limited time, so that many new clients do not delay connected clients. The next turn accepts the
    /// rest.
    private func acceptSome() {
        let asked = questions
        questions = []
        for answer in asked { answer() }
        let end = TurnClock.nanoseconds &+ Self.nanosecondsPerTurn
        repeat {
            for _ in 0..<Self.maxBetweenClockReads where !isStopped {
                switch system.accept(number) {
                case .accepted(let client): take(client)
                case .none: return
                case .again: continue
                case .exhausted(let errno): return turnAway(errno)
                case .failed(let errno):
                    onTrouble?(.failed(errno: errno))
                    return pause()
                }
            }
        } while !isStopped && TurnClock.nanoseconds < end
    }

    private func take(_ client: Int32) {
        switch admit?(client) {
        case .enters(let owner):
            guard let reactor else { return enter(client, owner) }
            // The reactor has to live until this closure runs, because nothing else would serve or close the client.
            reactor.letIn(owner) { [self] in withExtendedLifetime(reactor) { enter(client, owner) } }
        case .refused(let reason):
            reason?.tell(client)
            Glibc.close(client)
        case nil: Glibc.close(client)
        }
    }

    private func enter(_ client: Int32, _ owner: ConnectionOwner) {
        let client = Descriptor(adopting: client)
        // If the listener has stopped in the meantime, the client is closed.
        if !isStopped { onAccept?(client, owner) }
    }

    private func turnAway(_ reason: Int32) {
        var count = 0
        while reserve >= 0, count < 16 {
            Glibc.close(reserve)
            reserve = -1
            if case .accepted(let client) = system.accept(number) {
                count += 1
                Self.full.tell(client)
                Glibc.close(client)
            } else {
                reserve = system.openReserve()
                break
            }
            reserve = system.openReserve()
        }
        onTrouble?(.exhausted(errno: reason, turnedAway: count))
        if count == 0 { pause() }
    }

    private static let full = RefusalLine(
        RPCError(
            .limit, "The daemon has no file descriptors left.", remedy: "Try again later.", action: .retry,
            details: ["limit": "descriptors"]))

    /// Stops accepting for some time, because an immediate second attempt would also fail. In the meantime, clients stay in the
    /// kernel's queue. The socket leaves the epoll set, because epoll reports a shutdown of the socket even if passd asks for
    /// no events.
    private func pause() {
        guard !isStopped, !isPaused else { return }
        isPaused = true
        unwatch()
        queue.asyncAfter(deadline: .now() + system.pause) { [weak self] in
            guard let self, !isStopped else { return }
            if reserve < 0 { reserve = system.openReserve() }
            isPaused = false
            if !watch() { pause() }
        }
    }
}
