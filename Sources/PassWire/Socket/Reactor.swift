// Watches all sockets of one queue with one Dispatch source. libdispatch on Linux frees the state of a source while its
// manager thread may still be reading it, if a peer hangs up at the moment when the source is cancelled. With one
// source per connection, clients that come and go crash the process after some ten thousand connections. Therefore the
// sockets are in an epoll set of our own; libdispatch watches only that set, which never hangs up. docs/decisions/0004.
//
// Ready sockets wait in fair lines. One turn of the queue handles them for a millisecond; then other work of the queue
// has its turn, including timers and the watchdog.
//
// It belongs to its queue, and lives as long as a listener or connection refers to it.

import CLinux
import Dispatch
import Glibc

final class Reactor: @unchecked Sendable {
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: UInt32(pass_epoll_in))
        static let output = Readiness(rawValue: UInt32(pass_epoll_out))
        /// Reported even if it was not requested.
        static let hangup = Readiness(rawValue: UInt32(pass_epoll_hangup) | UInt32(pass_epoll_error))
    }

    /// Never reused, so that a late event of a removed socket is ignored.
    struct Token: Hashable, Sendable { fileprivate let number: UInt64 }

    private final class QueueMark { weak var reactor: Reactor? }

    /// libdispatch uses the address of this object as the key.
    private nonisolated(unsafe) static let place = DispatchSpecificKey<QueueMark>()
    private static let mostEvents = 64

    private let queue: DispatchQueue
    private let poll: Int32
    private let source: any DispatchSourceRead
    /// Long enough for any one connection's work; another one begins only if time is left.
    private static let nanosecondsPerTurn: UInt64 = 1_000_000

    private struct Watched {
        let owner: ConnectionOwner
        let handler: (Readiness) -> Void
        /// What has become ready since it was put in line; nil while it is in no line.
        var ready: Readiness?
    }

    private var watched: [UInt64: Watched] = [:]
    private var lastToken: UInt64 = 0
    private var lines = WorkQueues<() -> Void>()
    private var isTurnScheduled = false

    /// The reactor of this queue, which is created if necessary. Called on the queue. Nil if the system is out of
    /// descriptors.
    static func on(_ queue: DispatchQueue) -> Reactor? {
        dispatchPrecondition(condition: .onQueue(queue))
        let place = queue.getSpecific(key: place) ?? QueueMark()
        if let reactor = place.reactor { return reactor }
        let number = epoll_create1(Int32(pass_epoll_cloexec))
        guard number >= 0 else { return nil }
        let reactor = Reactor(number, queue)
        place.reactor = reactor
        queue.setSpecific(key: Self.place, value: place)
        return reactor
    }

    private init(_ number: Int32, _ queue: DispatchQueue) {
        poll = number
        self.queue = queue
        source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
        source.setEventHandler { [weak self] in self?.look() }
        source.setCancelHandler { Glibc.close(number) }
        source.activate()
    }

    deinit {
        nonisolated(unsafe) let source = source
        queue.async { source.cancel() }
    }

    /// Starts to watch a descriptor; nil if the kernel refuses it.
    func add(
        _ number: Int32, wanted: Readiness, of owner: ConnectionOwner, handler: @escaping (Readiness) -> Void
    ) -> Token? {
        dispatchPrecondition(condition: .onQueue(queue))
        lastToken += 1
        guard pass_epoll_add(poll, number, wanted.rawValue, lastToken) == 0 else { return nil }
        watched[lastToken] = Watched(owner: owner, handler: handler)
        return Token(number: lastToken)
    }

    func change(_ token: Token, number: Int32, wanted: Readiness) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard watched[token.number] != nil else { return }
        _ = pass_epoll_change(poll, number, wanted.rawValue, token.number)
    }

    /// Stops watching a descriptor. Called before the descriptor is closed.
    func remove(_ token: Token, _ number: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard watched.removeValue(forKey: token.number) != nil else { return }
        _ = pass_epoll_remove(poll, number)
    }

    /// Does the work when it is the owner's turn, and after everything that is waiting on the queue now.
    func later(_ owner: ConnectionOwner, _ work: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        queue.async {
            self.lines.add(work, of: owner)
            if !self.isTurnScheduled { self.work() }
        }
    }

    /// Accepts a new client when it is the owner's turn for one.
    func letIn(_ owner: ConnectionOwner, _ work: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        lines.add(newcomer: work, of: owner)
        goOn()
    }

    /// Collects a bounded number of events; the others remain ready for the next time.
    private func look() {
        var tokens = [UInt64](repeating: 0, count: Self.mostEvents)
        var events = [UInt32](repeating: 0, count: Self.mostEvents)
        let count = pass_epoll_ready(poll, &tokens, &events, Int32(Self.mostEvents))
        for index in 0..<max(0, Int(count)) { line(up: tokens[index], Readiness(rawValue: events[index])) }
        if !isTurnScheduled { work() }
    }

    private func line(up token: UInt64, _ readiness: Readiness) {
        guard let entry = watched[token] else { return }
        watched[token]?.ready = entry.ready?.union(readiness) ?? readiness
        guard entry.ready == nil else { return }
        lines.add({ [unowned self] in deliver(token) }, of: entry.owner)
    }

    private func deliver(_ token: UInt64) {
        // The socket has been removed since, or its event was already handled.
        guard let entry = watched[token], let ready = entry.ready else { return }
        watched[token]?.ready = nil
        entry.handler(ready)
    }

    private func work() {
        let end = DispatchTime.now().uptimeNanoseconds &+ Self.nanosecondsPerTurn
        // The work may remove other sockets and release the reactor.
        withExtendedLifetime(self) {
            repeat {
                guard let work = lines.next() else { return }
                work()
            } while DispatchTime.now().uptimeNanoseconds < end
        }
        goOn()
    }

    private func goOn() {
        guard !lines.isEmpty, !isTurnScheduled else { return }
        isTurnScheduled = true
        queue.async {
            self.isTurnScheduled = false
            self.work()
        }
    }
}
