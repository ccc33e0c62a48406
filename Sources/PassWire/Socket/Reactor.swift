// All sockets of one queue behind one Dispatch source. libdispatch on Linux frees what it keeps of a source while its
// manager thread may still be reading it, when a peer hangs up at the moment at which the source is cancelled; with a
// source per connection, clients that come and go take the process down after some ten thousands of them. So the sockets
// are in an epoll set of our own, and libdispatch watches that set alone, which never hangs up. docs/decisions/0004.
//
// It belongs to its queue. It lives as long as somebody who listens or is connected keeps it.

import CLinux
import Dispatch
import Glibc

final class Reactor: @unchecked Sendable {
    struct Readiness: OptionSet, Sendable {
        let rawValue: UInt32

        static let input = Readiness(rawValue: UInt32(pass_epoll_in))
        static let output = Readiness(rawValue: UInt32(pass_epoll_out))
        /// Also where nothing was asked for.
        static let hangup = Readiness(rawValue: UInt32(pass_epoll_hangup) | UInt32(pass_epoll_error))
    }

    /// Never the same twice: what is still on its way for a socket that is gone finds nobody.
    struct Token: Hashable, Sendable { fileprivate let number: UInt64 }

    private final class Place { weak var reactor: Reactor? }

    /// Only a name; libdispatch compares its address.
    private nonisolated(unsafe) static let place = DispatchSpecificKey<Place>()
    private static let mostEvents = 64

    private let queue: DispatchQueue
    private let poll: Int32
    private let source: any DispatchSourceRead
    private var handlers: [UInt64: (Readiness) -> Void] = [:]
    private var lastToken: UInt64 = 0

    /// The one of the queue, on the queue. Nil if the system is out of descriptors.
    static func on(_ queue: DispatchQueue) -> Reactor? {
        dispatchPrecondition(condition: .onQueue(queue))
        let place = queue.getSpecific(key: place) ?? Place()
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
        source.setEventHandler { [weak self] in self?.turn() }
        source.setCancelHandler { Glibc.close(number) }
        source.activate()
    }

    deinit {
        nonisolated(unsafe) let source = source
        queue.async { source.cancel() }
    }

    /// Nil if the kernel does not take it.
    func add(_ number: Int32, _ wanted: Readiness, _ handler: @escaping (Readiness) -> Void) -> Token? {
        dispatchPrecondition(condition: .onQueue(queue))
        lastToken += 1
        guard pass_epoll_add(poll, number, wanted.rawValue, lastToken) == 0 else { return nil }
        handlers[lastToken] = handler
        return Token(number: lastToken)
    }

    func change(_ token: Token, _ number: Int32, _ wanted: Readiness) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard handlers[token.number] != nil else { return }
        _ = pass_epoll_change(poll, number, wanted.rawValue, token.number)
    }

    /// Before the descriptor is closed.
    func remove(_ token: Token, _ number: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard handlers.removeValue(forKey: token.number) != nil else { return }
        _ = pass_epoll_remove(poll, number)
    }

    /// A bounded number of them each time; what is left is ready the next time too.
    private func turn() {
        var tokens = [UInt64](repeating: 0, count: Self.mostEvents)
        var events = [UInt32](repeating: 0, count: Self.mostEvents)
        let count = pass_epoll_ready(poll, &tokens, &events, Int32(Self.mostEvents))
        // A handler may remove others and let go of the reactor.
        withExtendedLifetime(self) {
            for index in 0..<max(0, Int(count)) { handlers[tokens[index]]?(Readiness(rawValue: events[index])) }
        }
    }
}
