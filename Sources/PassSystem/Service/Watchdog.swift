// Asks all parts of the daemon whether they are alive and feeds the service manager's watchdog when they are. A part that
// does not answer is named; ending the daemon is then left to the service manager, which can do it in any case, and which
// the part may still forestall by answering. Contract: operations.md §3 `WatchdogSec=`.

import Dispatch

public final class Watchdog: @unchecked Sendable {
    /// Calls the closure it is given as soon as the part gets to it, from any thread, any number of times.
    public typealias Question = @Sendable (Heartbeats.Part, @escaping @Sendable () -> Void) -> Void

    public enum News: Equatable, Sendable {
        case stuck(Heartbeats.Part)
        case recovered(Heartbeats.Part)
    }

    /// Of nobody else: this one must not be held up by what it watches.
    let queue = DispatchQueue(label: "passd.watchdog")
    private let pause: Duration
    private let ask: Question
    private let feed: @Sendable () -> Void
    private let tell: @Sendable (News) -> Void
    // Owned by the queue.
    private var timers: BootTimers?
    private var beats = Heartbeats()

    /// Three turns within the limit: one to ask, one to name who has not answered, and one until the end.
    public init(
        limit: Duration, ask: @escaping Question,
        feed: @escaping @Sendable () -> Void = ServiceNotification.watchdog.send,
        tell: @escaping @Sendable (News) -> Void
    ) {
        pause = limit / 3
        self.ask = ask
        self.feed = feed
        self.tell = tell
    }

    public func start() throws(TimerFault) {
        let timers = try queue.sync { Result { () throws(TimerFault) in try BootTimers(queue: queue) } }.get()
        queue.async { [self] in
            self.timers = timers
            go()
        }
    }

    private func go() {
        turn()
        timers?.schedule(at: BootClock.now + pause) { [weak self] in self?.go() }
    }

    func turn() {
        dispatchPrecondition(condition: .onQueue(queue))
        switch beats.turn() {
        case .ask(let parts): for part in parts { question(part) }
        case .late(let parts, let unnamed):
            for part in unnamed { tell(.stuck(part)) }
            for part in parts { question(part) }
        }
    }

    private func question(_ part: Heartbeats.Part) {
        let round = beats.round
        ask(part) { [weak self] in
            guard let self else { return }
            queue.async { self.answered(part, round) }
        }
    }

    private func answered(_ part: Heartbeats.Part, _ round: Int) {
        guard let late = beats.answer(part, round: round) else { return }
        feed()
        for part in late { tell(.recovered(part)) }
    }
}
