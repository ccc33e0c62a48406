// Watches all sockets of one queue with its own epoll set, a list of descriptors that the kernel watches. Dispatch sources are
// not safe for this on Linux. If a peer hangs up while a source is being cancelled, libdispatch frees the source's data too
// early: its manager thread may still be reading the data (docs/decisions/0004). Here, a separate thread sleeps until sockets
// of the set are ready. Then this thread starts a *turn* of the reactor on the queue (docs/decisions/0017).
//
// Ready sockets wait in fair queues. The owners of the sockets are served one after the other. A turn of the reactor does about
// a millisecond of work. It also runs tasks that become ready during the turn. The end of the turn sends the output of all
// connections. After the turn, everything else on the queue runs, including timers and the watchdog.
//
// Used on its queue only. Listeners, streams and the daemon own the reactor. It lives as long as one of them.

import CLinux
public import Dispatch
import Glibc

final class Reactor: @unchecked Sendable {
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: UInt32(pass_epoll_in))
        static let output = Readiness(rawValue: UInt32(pass_epoll_out))
        /// The events that epoll always reports, requested or not.
        static let hangup = hungUp.union(Readiness(rawValue: UInt32(pass_epoll_error)))
        /// The connection has ended in both directions.
        static let hungUp = Readiness(rawValue: UInt32(pass_epoll_hangup))
    }

    /// The place of a socket's work within a turn.
    enum Share {
        /// The socket waits in a fair queue until its owner is served.
        case fair(ConnectionOwner)
        /// The socket comes first in every turn. It limits its own work.
        case first
    }

    enum Work {
        case socket(WatchedSocket)
        case piece(() -> Void)
    }

    /// The length of a turn. After this time, no further work begins. A single piece of work may take longer.
    private static let nanosecondsPerTurn: UInt64 = 1_000_000
    /// The buffer for reading. All sockets use it, one after the other.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    /// Buffers for pending input and output. An idle connection has none.
    var spares = SpareBuffers()

    private let queue: DispatchQueue
    private let watch: SocketWatch
    private let tasks: (any TurnTasks)?
    private var watched: [UInt64: WatchedSocket] = [:]
    private var lastToken: UInt64 = 0
    private var waitingWork = WorkQueues<Work>()
    /// Work for the next turn, with its owners. Blocks that are already on the queue run before this work.
    private var forNextTurn: [(ConnectionOwner, Work)] = []
    private var forEndOfTurn: [() -> Void] = []
    /// The work that is being done at the end of a turn.
    private var ending: [() -> Void] = []
    private var isInTurn = false

    /// Returns the reactor of the queue; call this on that queue. Nil if no descriptor or thread is left.
    static func on(_ queue: DispatchQueue) -> Reactor? {
        dispatchPrecondition(condition: .onQueue(queue))
        let place = ReactorPlace.of(queue)
        if let reactor = place.reactor { return reactor }
        guard let watch = SocketWatch() else { return nil }
        let reactor = Reactor(watch, on: queue, tasks: place.tasks)
        let isStarted = watch.start(on: queue) { [weak reactor] in reactor?.turn($0) ?? .end }
        guard isStarted else { return nil }
        place.reactor = reactor
        return reactor
    }

    private init(_ watch: SocketWatch, on queue: DispatchQueue, tasks: (any TurnTasks)?) {
        self.watch = watch
        self.queue = queue
        self.tasks = tasks
        tasks?.wake { watch.ring() }
    }

    deinit {
        // The check runs on the queue, because only there it is known whether another reactor has replaced this reactor.
        if let tasks {
            let place = ReactorPlace.of(queue)
            queue.async { if place.reactor == nil { tasks.wake(by: nil) } }
        }
        // Wakes the thread. The thread then finds that the reactor is gone.
        watch.ring()
        buffer.deallocate()
    }

    /// Watches a socket. Returns false if the kernel refuses the descriptor.
    func add(_ socket: WatchedSocket, wanted: Readiness, share: Share) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        lastToken += 1
        guard pass_epoll_add(watch.poll, socket.number, wanted.rawValue, lastToken) == 0 else { return false }
        socket.token = lastToken
        if case .fair(let owner) = share { socket.ownersWork = waitingWork.join(owner) }
        watched[lastToken] = socket
        return true
    }

    func change(_ socket: WatchedSocket, wanted: Readiness) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard socket.isWatched else { return }
        _ = pass_epoll_change(watch.poll, socket.number, wanted.rawValue, socket.token)
    }

    /// Gives the socket another owner. Waiting work keeps its place.
    func move(_ socket: WatchedSocket, to owner: ConnectionOwner) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard socket.isWatched, let former = socket.ownersWork else { return }
        socket.ownersWork = waitingWork.join(owner)
        waitingWork.leave(former)
    }

    /// Stops watching. Call this before the descriptor is closed.
    func remove(_ socket: WatchedSocket) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard watched.removeValue(forKey: socket.token) != nil else { return }
        socket.token = 0
        if let owned = socket.ownersWork { waitingWork.leave(owned) }
        _ = pass_epoll_remove(watch.poll, socket.number)
    }

    /// Does the work when the owner is served. Blocks that are already on the queue run before this work.
    func later(_ owner: ConnectionOwner, _ work: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        forNextTurn.append((owner, .piece(work)))
        wakeUp()
    }

    /// Does the work for a new client when its owner is served.
    func letIn(_ owner: ConnectionOwner, _ work: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        waitingWork.add(newcomer: .piece(work), of: owner)
        wakeUp()
    }

    /// Does the work at the end of the present turn. Outside of a turn, does the work with the queue's next block.
    func atEndOfTurn(_ work: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        forEndOfTurn.append(work)
        guard !isInTurn, forEndOfTurn.count == 1 else { return }
        queue.async { self.endTurn() }
    }

    private func wakeUp() { if !isInTurn { watch.ring() } }

    // MARK: A turn

    private func turn(_ events: [SocketWatch.Event]) -> SocketWatch.Next {
        dispatchPrecondition(condition: .onQueue(queue))
        isInTurn = true
        tasks?.begin()
        // The events come first, so that ready sockets are served before work that continues from an earlier turn.
        for event in events { enqueue(event.token, Readiness(rawValue: event.readiness)) }
        // The time of listeners is not counted, so that a flood of new clients takes no time from connected clients.
        var end = TurnClock.nanoseconds &+ Self.nanosecondsPerTurn
        if let tasks {
            // Tasks that are left from the last turn, or that other threads have made ready, get a separate part of the time.
            tasks.runReady { TurnClock.nanoseconds >= end }
            end = TurnClock.nanoseconds &+ Self.nanosecondsPerTurn
        }
        for (owner, work) in forNextTurn { waitingWork.add(work, of: owner) }
        forNextTurn.removeAll(keepingCapacity: true)
        while let work = waitingWork.next() {
            switch work {
            case .socket(let socket): deliver(socket)
            case .piece(let piece): piece()
            }
            tasks?.runReady { TurnClock.nanoseconds >= end }
            guard TurnClock.nanoseconds < end else { break }
        }
        endTurn()
        let areTasksLeft = tasks?.end() ?? false
        isInTurn = false
        return waitingWork.isEmpty && forNextTurn.isEmpty && !areTasksLeft ? .sleep : .anotherTurn
    }

    private func endTurn() {
        // Sending output may cause further work.
        while !forEndOfTurn.isEmpty {
            swap(&forEndOfTurn, &ending)
            for index in ending.indices { ending[index]() }
            ending.removeAll(keepingCapacity: true)
        }
    }

    private func enqueue(_ token: UInt64, _ readiness: Readiness) {
        guard let socket = watched[token] else { return }
        guard let owned = socket.ownersWork else { return socket.becameReady(readiness) }
        if socket.pendingReadiness.isEmpty { waitingWork.add(.socket(socket), to: owned) }
        socket.pendingReadiness.formUnion(readiness)
    }

    private func deliver(_ socket: WatchedSocket) {
        let ready = socket.pendingReadiness
        socket.pendingReadiness = []
        if socket.isWatched { socket.becameReady(ready) }
    }
}

/// A socket that a reactor may watch. Used on the reactor's queue only. It is a superclass and not a closure, so that a ready
/// socket costs no look-up and no additional memory.
class WatchedSocket: @unchecked Sendable {
    /// The token of the socket in the epoll set; 0 while the socket is not watched. Tokens are never reused, so that a late
    /// event of a removed socket does not reach another socket.
    fileprivate final var token: UInt64 = 0
    /// The work of its owner; nil if the socket comes first in every turn.
    fileprivate final var ownersWork: FairQueue<Reactor.Work>.OwnersWork?
    final let number: Int32
    /// The events since the socket began to wait in a fair queue. Empty if the socket does not wait.
    fileprivate final var pendingReadiness: Reactor.Readiness = []

    init(_ number: Int32) { self.number = number }

    final var isWatched: Bool { token != 0 }

    func becameReady(_ readiness: Reactor.Readiness) { preconditionFailure("a subclass does the work") }
}

/// Watches a socket for an object that is not itself a `WatchedSocket`, such as a listener. A listener makes a new
/// `HandledSocket` after each pause.
final class HandledSocket: WatchedSocket, @unchecked Sendable {
    private let handler: (Reactor.Readiness) -> Void

    init(_ number: Int32, handler: @escaping (Reactor.Readiness) -> Void) {
        self.handler = handler
        super.init(number)
    }

    override func becameReady(_ readiness: Reactor.Readiness) { handler(readiness) }
}

/// Runs the tasks of the queue's actor within turns, because they would otherwise run on the queue only after the turn. All
/// members are used on the queue.
public protocol TurnTasks: Sendable {
    /// Sets how to start a turn. From now on, tasks that become ready on other threads wait for a turn and call `wake`. Nil
    /// means that there will be no more turns.
    func wake(by wake: (@Sendable () -> Void)?)
    /// Begins a turn. Tasks that become ready on the queue wait from now on.
    func begin()
    /// Runs the waiting tasks, each until it has to wait again. Stops when `isOver` returns true.
    func runReady(until isOver: () -> Bool)
    /// Ends the turn. Returns whether tasks are left for the next turn.
    func end() -> Bool
}

extension TurnTasks {
    /// Makes the turns of the queue run these tasks. Call this on the queue, before the queue has sockets.
    public func join(_ queue: DispatchQueue) {
        dispatchPrecondition(condition: .onQueue(queue))
        ReactorPlace.of(queue).tasks = self
    }

    /// Does the same as `join`, and starts the turns before the queue has sockets. Keep the returned object until the queue has
    /// a socket, because libdispatch would otherwise start threads for the tasks. Nil if no descriptor or thread is left.
    public func startTurns(of queue: DispatchQueue) -> AnyObject? {
        join(queue)
        return Reactor.on(queue)
    }
}

/// The data of a queue: its reactor, which is nil without sockets, and the tasks for its turns.
private final class ReactorPlace: @unchecked Sendable {
    weak var reactor: Reactor?
    var tasks: (any TurnTasks)?

    /// The key of this data in the queue. libdispatch compares only the address of the key.
    private static let key = DispatchSpecificKey<ReactorPlace>()

    static func of(_ queue: DispatchQueue) -> ReactorPlace {
        if let place = queue.getSpecific(key: key) { return place }
        let place = ReactorPlace()
        queue.setSpecific(key: key, value: place)
        return place
    }
}
