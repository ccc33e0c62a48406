// Asks all parts of the daemon whether they are alive. When all parts have answered, feeds the service manager's watchdog. A
// part without an answer is reported. If this part does not answer before the watchdog's time is over, the service manager ends
// the daemon. Contract: operations.md §3 `WatchdogSec=`.

import Dispatch

public final class Watchdog: @unchecked Sendable {
    /// Asks a part. The part calls the closure as soon as possible, from any thread. A second call of the closure has no
    /// effect.
    public typealias Question = @Sendable (Heartbeats.Part, @escaping @Sendable () -> Void) -> Void

    public enum News: Equatable, Sendable {
        case stuck(Heartbeats.Part)
        case recovered(Heartbeats.Part)
    }

    /// Not the engine's queue, because a stuck engine would block the watchdog.
    let queue = ServiceQueue.shared
    private let pause: Duration
    private let ask: Question
    private let feed: @Sendable () -> Void
    private let tell: @Sendable (News) -> Void
    // Owned by the queue.
    private var timers: BootTimers?
    private var beats = Heartbeats()

    /// `limit` is the longest time that the service manager allows between two messages. `turn` is called after each third of
    /// this time. The first turn asks the parts. The second turn reports the parts that have not answered. These parts may
    /// still answer before `limit` is over.
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
