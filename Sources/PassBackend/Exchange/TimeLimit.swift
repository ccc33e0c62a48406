// The deadline and the urgency of a piece of work: the latest deadline and the highest urgency of its callers. Shared
// by the work and its callers. May be used from any thread.

import AccessEnabler
import Synchronization

final class TimeLimit: Sendable {
    /// What the work waits for. A timeout reports it as the reason.
    enum Wait: Sendable {
        case theService
        /// For its turn among the requests of this box.
        case itsTurn
        /// For the end of the pause that the service asked for with a 429.
        case theEndOfAPause
    }

    private struct State {
        var deadline: BootTime
        var waitsFor = Wait.theService
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

    /// Also applies to work that waits for this work.
    var waitsFor: Wait {
        get { state.withLock { $0.waitsFor } }
        set {
            let dependents = state.withLock { state in
                state.waitsFor = newValue
                return state.dependents
            }
            for dependent in dependents { dependent.waitsFor = newValue }
        }
    }

    func add(_ dependent: TimeLimit) {
        let wait = state.withLock { state in
            state.dependents.append(dependent)
            return state.waitsFor
        }
        dependent.waitsFor = wait
    }

    func remove(_ dependent: TimeLimit) { state.withLock { $0.dependents.removeAll { $0 === dependent } } }

    var exhausted: BackendFault {
        switch waitsFor {
        case .theService: BackendFault(.deadline)
        case .itsTurn: BackendFault(.overloaded, retryAfter: .seconds(2))
        case .theEndOfAPause: .throttled
        }
    }
}

extension BackendFault {
    /// The service asks for a pause of at least a second. Contract: rest-v2.md §15.
    static var throttled: BackendFault { BackendFault(.throttled, retryAfter: .seconds(1)) }
}
