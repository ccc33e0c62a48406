// The box's clocks and alarms, for the engine and the request budget. Alarms ring on the engine's queue. Any thread may set and
// cancel an alarm. architecture.md §3.

package import AccessEnabler
import Dispatch
import Glibc
package import PassBackend
package import PassSystem
import Synchronization

package struct BoxClock: EngineClock {
    private let timers: BootTimers

    package init() throws(TimerFault) { timers = try BootTimers(queue: EngineActor.queue) }

    package var boot: BootTime { BootTime(nanoseconds: UInt64(max(0, BootClock.now.inNanoseconds))) }

    package var wall: ServerTime { Self.wall }

    package static var wall: ServerTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return ServerTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    package func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm {
        let alarm = BoxAlarm(timers)
        alarm.set(.nanoseconds(Int64(clamping: time.nanoseconds))) { EngineActor.assumeIsolated { ring() } }
        return alarm
    }

    /// Makes a clock for the request budget, with one alarm, because the budget needs only one.
    package func budgetClock() -> any BudgetClock { BoxBudgetClock(timers) }
}

/// One alarm. It may be set several times. After `cancel`, it does not ring.
private final class BoxAlarm: EngineAlarm {
    private struct State {
        /// The number of times that the alarm was set. A late timer of an earlier setting has a smaller number and is ignored.
        var setting: UInt64 = 0
        var timer: BootTimers.Timer?
    }

    private let timers: BootTimers
    private let state = Mutex(State())

    init(_ timers: BootTimers) { self.timers = timers }

    func set(_ moment: Duration?, _ action: @escaping @Sendable () -> Void) {
        let setting = state.withLock { state in
            state.setting += 1
            return state.setting
        }
        timers.queue.async { [self] in
            let (isCurrent, old) = state.withLock { state in
                guard state.setting == setting else { return (false, BootTimers.Timer?.none) }
                defer { state.timer = nil }
                return (true, state.timer)
            }
            guard isCurrent else { return }
            if let old { timers.cancel(old) }
            guard let moment else { return }
            let timer = timers.schedule(at: moment) { [self] in
                let isDue = state.withLock { state in
                    guard state.setting == setting else { return false }
                    state.timer = nil
                    return true
                }
                if isDue { action() }
            }
            state.withLock { $0.timer = timer }
        }
    }

    func cancel() { set(nil) {} }
}

private struct BoxBudgetClock: BudgetClock {
    private let alarm: BoxAlarm

    init(_ timers: BootTimers) { alarm = BoxAlarm(timers) }

    var now: Duration { BootClock.now }

    func wake(at moment: Duration?, _ action: @escaping @Sendable () -> Void) { alarm.set(moment, action) }
}

extension Duration {
    fileprivate var inNanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
