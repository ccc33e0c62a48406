// Watches all sockets of one queue through one Dispatch source. On Linux, if a peer hangs up just when a source is
// cancelled, libdispatch frees the source's data while its manager thread may still be reading it; with one source per
// connection, that crashes the process after some ten thousand clients. So the sockets are in our own epoll set, which
// never hangs up, and libdispatch watches only that. docs/decisions/0004.
//
// Sockets that are ready wait in fair queues. One turn does about a millisecond of their work; then everything else on
// the queue has its turn, including timers and the watchdog.
//
// Used on its queue only. It is owned by the listeners and streams that use it, and lives as long as one of them.

import CLinux
import Dispatch
import Glibc

final class Reactor: @unchecked Sendable {
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: UInt32(pass_epoll_in))
        static let output = Readiness(rawValue: UInt32(pass_epoll_out))
        /// epoll reports these even if they were not asked for.
        static let hangup = Readiness(rawValue: UInt32(pass_epoll_hangup) | UInt32(pass_epoll_error))
    }

    /// A token is never used again, so an event that arrives after its socket is gone does not reach another one.
    struct Token: Hashable, Sendable { fileprivate let number: UInt64 }

    private final class QueueMark { weak var reactor: Reactor? }

    /// Serves as a key only; libdispatch compares its address.
    private nonisolated(unsafe) static let place = DispatchSpecificKey<QueueMark>()
    private static let mostEvents = 64

    private let queue: DispatchQueue
    private let poll: Int32
    private let source: any DispatchSourceRead
    /// The length of a turn, after which no further work begins. A single piece of work may take longer.
    private static let nanosecondsPerTurn: UInt64 = 1_000_000

    private struct Watched {
        let owner: ConnectionOwner
        let handler: (Readiness) -> Void
        /// The readiness since it was queued; nil while it is not queued.
        var ready: Readiness?
    }

    private var watched: [UInt64: Watched] = [:]
    private var lastToken: UInt64 = 0
    private var lines = WorkQueues<() -> Void>()
    private var isTurnScheduled = false

    /// Returns the reactor of the queue, on which it has to be called. Nil if there are no descriptors left.
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

    /// Returns nil if the kernel refuses the descriptor.
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

    /// To be called before the descriptor is closed.
    func remove(_ token: Token, _ number: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard watched.removeValue(forKey: token.number) != nil else { return }
        _ = pass_epoll_remove(poll, number)
    }

    /// Does the work when it is the owner's turn, and not before whatever waits on the queue now.
    func later(_ owner: ConnectionOwner, _ work: @escaping @Sendable () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        queue.async {
            self.lines.add(work, of: owner)
            if !self.isTurnScheduled { self.work() }
        }
    }

    /// Does the work for a new client when it is its owner's turn.
    func letIn(_ owner: ConnectionOwner, _ work: @escaping () -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        lines.add(newcomer: work, of: owner)
        goOn()
    }

    /// Takes a limited number of events; the rest is still ready the next time.
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
        // The socket has been removed, or its event was delivered already.
        guard let entry = watched[token], let ready = entry.ready else { return }
        watched[token]?.ready = nil
        entry.handler(ready)
    }

    private func work() {
        let end = DispatchTime.now().uptimeNanoseconds &+ Self.nanosecondsPerTurn
        // The work may remove sockets and drop the last reference to the reactor.
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
