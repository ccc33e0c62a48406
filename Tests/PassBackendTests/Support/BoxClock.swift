// The box's clocks, which the test sets. The engine's clock and the budget's clock have the same time since boot.

import AccessEnabler
import PassBackend
import PassTestTools
import Synchronization
import Testing

final class BoxClock: EngineClock, BudgetClock {
    private struct State {
        var now = Duration.seconds(1000)
        /// The difference between the machine's date and the time since the boot.
        var epoch = Duration.seconds(1_795_564_800)
        var numbers = 0
        var alarms: [Int: (moment: Duration, ring: @Sendable () -> Void)] = [:]

        var next: (key: Int, moment: Duration)? {
            alarms.min { $0.value.moment < $1.value.moment }.map { ($0.key, $0.value.moment) }
        }

        /// The test may have advanced the clock since the alarm's time was computed. A time in the past is due at once,
        /// as with the box's real timers, but not within this call.
        mutating func set(_ key: Int, _ moment: Duration?, _ ring: @escaping @Sendable () -> Void) {
            alarms[key] = nil
            guard let moment else { return }
            if moment > now { alarms[key] = (moment, ring) } else { Task { ring() } }
        }
    }

    private final class Setting: EngineAlarm {
        let clock: BoxClock
        let key: Int

        init(clock: BoxClock, key: Int) {
            self.clock = clock
            self.key = key
        }

        func cancel() { clock.state.withLock { $0.alarms[key] = nil } }
    }

    private let state = Mutex(State())
    /// The gate has a single alarm. A new alarm replaces it.
    private static let budgetKey = 0

    var now: Duration { state.withLock { $0.now } }
    var boot: BootTime { BootTime(nanoseconds: UInt64(now / .nanoseconds(1))) }
    var wall: ServerTime { state.withLock { ServerTime(milliseconds: Int64(($0.epoch + $0.now) / .milliseconds(1))) } }
    var nextAlarm: Duration? { state.withLock { $0.next?.moment } }
    var alarmCount: Int { state.withLock { $0.alarms.count } }

    func isSet(for moment: Duration) -> Bool { state.withLock { $0.alarms.values.contains { $0.moment == moment } } }

    func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm {
        let action: @Sendable () -> Void = { Task { @EngineActor in ring() } }
        return state.withLock { state in
            state.numbers += 1
            state.set(state.numbers, .nanoseconds(Int64(time.nanoseconds)), action)
            return Setting(clock: self, key: state.numbers)
        }
    }

    func wake(at moment: Duration?, _ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.set(Self.budgetKey, moment, action) }
    }

    /// Advances to this time, and stops at every alarm on the way.
    func advance(to end: Duration) {
        while true {
            let ring: (@Sendable () -> Void)? = state.withLock { state in
                guard let next = state.next, next.moment <= end else {
                    state.now = max(state.now, end)
                    return nil
                }
                state.now = max(state.now, next.moment)
                return state.alarms.removeValue(forKey: next.key)?.ring
            }
            guard let ring else { return }
            ring()
        }
    }

    func advance(by step: Duration) { advance(to: now + step) }

    /// Sets the machine's date.
    func setDate(aheadBy step: Duration) { state.withLock { $0.epoch += step } }

    /// Runs the work to its end. The clock advances whenever there is an alarm within the limit.
    func run<Value: Sendable>(
        within limit: Duration = .seconds(120), _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let isOver = Mutex(false)
        let task = Task {
            defer { isOver.withLock { $0 = true } }
            return try await work()
        }
        let end = now + limit
        await eventually {
            if let next = nextAlarm, next <= end { advance(to: next) }
            return isOver.withLock { $0 }
        }
        task.cancel()
        return try await task.value
    }
}
