// How long a piece of work may take, and how urgent it is: until the latest deadline of the callers that wait for it, and
// as urgent as the most urgent of them. Shared by the work and its callers; may be used from any thread.

import AccessEnabler
import Synchronization

final class TimeLimit: Sendable {
    private struct State {
        var deadline: BootTime
        var isThrottled = false
        /// The time limits of other work that waits for this work.
        var dependents: [TimeLimit] = []
    }

    let urgency: Urgency
    private let state: Mutex<State>

    init(_ deadline: BootTime, _ urgency: Urgency) {
        self.urgency = urgency
        state = Mutex(State(deadline: deadline))
    }

    var deadline: BootTime { state.withLock { $0.deadline } }

    func extend(to deadline: BootTime) { state.withLock { $0.deadline = max($0.deadline, deadline) } }

    /// Whether the work waits because the service answered with a 429. If so, that is reported, and not the deadline,
    /// when time runs out; it also applies to work that waits for this work.
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
    /// The service asks for a pause of at least a second. Contract: rest-v2.md §15.
    static var throttled: BackendFault { BackendFault(.throttled, retryAfter: .seconds(1)) }
}
