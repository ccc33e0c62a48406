// A clock that the test sets.

import PassBackend
import Synchronization

final class VirtualClock: BudgetClock {
    private struct State {
        var now = Duration.seconds(1000)
        var alarm: (moment: Duration, action: @Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock { $0.now } }
    var alarm: Duration? { state.withLock { $0.alarm?.moment } }

    /// The test may have advanced the clock since the alarm's time was computed. A time in the past is due at once, as
    /// with the box's real timers, but not within this call.
    func wake(at moment: Duration?, _ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.alarm = nil
            guard let moment else { return }
            if moment > state.now { state.alarm = (moment, action) } else { Task { action() } }
        }
    }

    /// Advances to this time, and stops at every alarm on the way.
    func advance(to end: Duration) {
        while true {
            let action: (@Sendable () -> Void)? = state.withLock { state in
                guard let alarm = state.alarm, alarm.moment <= end else {
                    state.now = max(state.now, end)
                    return nil
                }
                state.now = max(state.now, alarm.moment)
                state.alarm = nil
                return alarm.action
            }
            guard let action else { return }
            action()
        }
    }

    func advance(by step: Duration) { advance(to: now + step) }
}
