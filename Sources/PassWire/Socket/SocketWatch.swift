// The thread that sleeps until a socket is ready. Then this thread enters the reactor's queue for one turn, so that the work of
// the queue needs no other thread. A Dispatch source would wake one thread to look for events and a second thread to work.
// docs/decisions/0017.

import CLinux
import Dispatch
import Glibc
import PassThreads

final class SocketWatch: @unchecked Sendable {
    /// The next step after a turn.
    enum Next: Sendable { case sleep, anotherTurn, end }

    struct Event: Sendable {
        let token: UInt64
        let readiness: UInt32
    }

    /// The token of the bell. The sockets' tokens are larger.
    private static let bellToken: UInt64 = 0

    private let pollSet: Descriptor
    /// The bell is a descriptor. Ringing it wakes the thread for work without a socket event.
    private let bell: Descriptor

    /// Makes the epoll set and the bell. Nil if the kernel has no descriptor left.
    init?() {
        let poll = epoll_create1(Int32(pass_epoll_cloexec))
        guard poll >= 0 else { return nil }
        pollSet = Descriptor(adopting: poll)
        let bell = pass_bell()
        guard bell >= 0 else { return nil }
        self.bell = Descriptor(adopting: bell)
        guard pass_epoll_add(poll, bell, UInt32(pass_epoll_in), Self.bellToken) == 0 else { return nil }
    }

    /// The epoll set.
    var poll: Int32 { pollSet.number }

    /// Wakes the thread. Any thread may call this.
    func ring() { pass_bell_ring(bell.number) }

    /// Starts the thread. The thread calls `turn` on the queue until `turn` returns `end`. Returns false if no thread can be
    /// started.
    func start(on queue: DispatchQueue, turn: @escaping @Sendable ([Event]) -> Next) -> Bool {
        SystemThread.start("passd.sockets") { [self] in sleepAndWork(on: queue, turn) }
    }

    private func sleepAndWork(on queue: DispatchQueue, _ turn: @Sendable ([Event]) -> Next) {
        var tokens = [UInt64](repeating: 0, count: Int(pass_epoll_most))
        var readiness = [UInt32](repeating: 0, count: Int(pass_epoll_most))
        var events: [Event] = []
        events.reserveCapacity(Int(pass_epoll_most))
        var next = Next.sleep
        while next != .end {
            let count = Int(pass_epoll_ready(poll, next == .sleep ? 1 : 0, &tokens, &readiness))
            events.removeAll(keepingCapacity: true)
            for index in 0..<count {
                if tokens[index] == Self.bellToken {
                    pass_bell_hush(bell.number)
                } else {
                    events.append(Event(token: tokens[index], readiness: readiness[index]))
                }
            }
            next = queue.sync { turn(events) }
        }
    }
}
