// Decides when an open login is polled: every three seconds at first, and every ten seconds after five minutes. Polls are rarer
// while several codes are open, and pauses grow while the service fails. There is no poll after the code has expired. The
// schedule has no clock: it gets the time and returns the time of the next poll. `LoginPoller` owns the schedule. Contract:
// rest-v2.md §7, access-enabler.md §7.7.

struct PollSchedule: Sendable {
    static let interval = Duration.seconds(3)
    static let laterInterval = Duration.seconds(10)
    /// The time for which the first interval applies.
    static let firstPhase = Duration.seconds(5 * 60)
    /// The pause between questions after a browser has returned. These questions are not part of the schedule.
    static let shortest = interval
    /// The min interval while one code is open. It is multiplied by the number of open codes, because all codes share a limited
    /// number of requests.
    static let share = Duration.seconds(2)
    /// The longest wait while the service fails.
    static let longestPause = Duration.seconds(30)
    /// The max fraction that is added to an interval. It keeps boxes from polling at the same moments.
    static let jitter = 0.1

    enum Outcome: Sendable {
        case pending
        /// The service answered with a 5xx or an unusable answer, or could not be reached.
        case failed
        /// The service has limited the rate: wait a second in addition to the interval.
        case throttled
    }

    enum Next: Equatable, Sendable {
        case ask(at: BootTime)
        /// The code expires before the next poll.
        case expire(at: BootTime)
    }

    let begins: BootTime
    let ends: BootTime
    private var failures = 0

    init(begins: BootTime, ends: BootTime) {
        self.begins = begins
        self.ends = ends
    }

    /// The first poll is one interval after the code is on the screen. `chance` is a random number in 0..<1, for the
    /// jitter. `codes` is the number of open codes.
    func first(chance: Double, codes: Int = 1) -> Next {
        next(after: begins, wait: wait(Self.interval, chance, codes: codes))
    }

    mutating func next(after outcome: Outcome, at now: BootTime, chance: Double, codes: Int = 1) -> Next {
        let isNew = begins.duration(to: now) < Self.firstPhase
        let interval = wait(isNew ? Self.interval : Self.laterInterval, chance, codes: codes)
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

    private func wait(_ interval: Duration, _ chance: Double, codes: Int) -> Duration {
        max(interval, Self.share * codes) * (1 + Self.jitter * chance)
    }
}
