// An alarm that can be set and cancelled from any thread; it uses the engine's clock on the engine's queue.

import AccessEnabler
import Synchronization

final class Alarm: Sendable {
    private enum State {
        case unset
        case set(any EngineAlarm)
        case over
    }

    private let state = Mutex(State.unset)

    /// Rings at that time or soon after, unless it is cancelled before.
    init(_ clock: any EngineClock, at time: BootTime, _ ring: @escaping @Sendable () -> Void) {
        Task { @EngineActor [self] in
            guard isWanted else { return }
            let alarm = clock.alarm(at: time) { [weak self] in
                if self?.isWanted == true { ring() }
            }
            state.withLock { state in
                if case .unset = state { state = .set(alarm) } else { alarm.cancel() }
            }
        }
    }

    func callOff() {
        let alarm: (any EngineAlarm)? = state.withLock { state in
            defer { state = .over }
            if case .set(let alarm) = state { return alarm }
            return nil
        }
        if let alarm { Task { @EngineActor in alarm.cancel() } }
    }

    private var isWanted: Bool {
        state.withLock { state in
            if case .over = state { false } else { true }
        }
    }
}
