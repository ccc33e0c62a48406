// When to poll an open login: every five seconds at first, less often later, with growing pauses while the service
// fails, and never after the code has expired. Pure: the time is passed in. Contract: rest-v2.md §7,
// access-enabler.md §7.7.

struct PollSchedule: Sendable {
    static let interval = Duration.seconds(5)
    static let laterInterval = Duration.seconds(10)
    /// After this time the later interval applies.
    static let patience = Duration.seconds(5 * 60)
    static let shortest = Duration.seconds(3)
    static let longestPause = Duration.seconds(30)
    /// The interval varies by a tenth up or down, so that boxes do not poll in step.
    static let jitter = 0.1

    /// The result of a poll.
    enum Outcome: Sendable {
        case pending
        /// A 5xx status, no network, or an answer that cannot be used.
        case failed
        /// The service limits requests: wait a second in addition to the interval.
        case throttled
    }

    enum Next: Equatable, Sendable {
        case ask(at: BootTime)
        /// The code expires before the next poll would be due.
        case expire(at: BootTime)
    }

    let begins: BootTime
    let ends: BootTime
    private var failures = 0

    init(begins: BootTime, ends: BootTime) {
        self.begins = begins
        self.ends = ends
    }

    /// The first poll, an interval after the code has been shown.
    func first(chance: Double) -> Next { next(after: begins, wait: jittered(Self.interval, chance)) }

    /// `chance` is a random number in 0..<1, for the jitter.
    mutating func next(after outcome: Outcome, at now: BootTime, chance: Double) -> Next {
        let interval = jittered(begins.duration(to: now) < Self.patience ? Self.interval : Self.laterInterval, chance)
        switch outcome {
        case .pending:
            failures = 0
            return next(after: now, wait: interval)
        case .throttled: return next(after: now, wait: .seconds(1) + interval)
        case .failed:
            failures += 1
            var pause = interval
            for _ in 0..<min(failures, 5) { pause = min(pause * 2, Self.longestPause) }
            return next(after: now, wait: pause)
        }
    }

    private func next(after now: BootTime, wait: Duration) -> Next {
        let time = now.advanced(by: wait)
        return time < ends ? .ask(at: time) : .expire(at: max(ends, now))
    }

    private func jittered(_ interval: Duration, _ chance: Double) -> Duration {
        max(Self.shortest, interval * (1 - Self.jitter + 2 * Self.jitter * chance))
    }
}
