// How far a piece of work may look ahead: to the latest deadline of those who wait for it.

import AccessEnabler
import Synchronization

final class TimeLimit: Sendable {
    private struct State {
        var deadline: BootTime
        var isThrottled = false
        /// Work that waits for this work.
        var dependents: [TimeLimit] = []
    }

    private let state: Mutex<State>

    init(_ deadline: BootTime) { state = Mutex(State(deadline: deadline)) }

    var deadline: BootTime { state.withLock { $0.deadline } }

    func extend(to deadline: BootTime) { state.withLock { $0.deadline = max($0.deadline, deadline) } }

    /// Whether the work stands still because the service has asked for silence: then that, and not the deadline, is
    /// the reason when time runs out, also for what waits for it.
    var isThrottled: Bool {
        get { state.withLock { $0.isThrottled } }
        set {
            let dependents = state.withLock { state in
                state.isThrottled = newValue
                return state.dependents
            }
            for dependent in dependents { dependent.isThrottled = newValue }
        }
    }

    func add(_ dependent: TimeLimit) {
        let isThrottled = state.withLock { state in
            state.dependents.append(dependent)
            return state.isThrottled
        }
        if isThrottled { dependent.isThrottled = true }
    }

    func remove(_ dependent: TimeLimit) { state.withLock { $0.dependents.removeAll { $0 === dependent } } }

    var exhausted: BackendFault { isThrottled ? .throttled : BackendFault(.deadline) }
}

extension BackendFault {
    /// The service asks for a second of silence at least. Contract: rest-v2.md §15.
    static var throttled: BackendFault { BackendFault(.throttled, retryAfter: .seconds(1)) }
}
