// Records when the last exchange with the service was, and whether it succeeded. May be used from any thread.

import AccessEnabler
import Synchronization

final class ContactRecord: Sendable {
    private struct State {
        var contact = ServiceContact.never
        var breaker = CircuitBreaker()
        /// The state before the last answer, in case that turns out to be unusable.
        var former: (answer: BootTime?, breaker: CircuitBreaker) = (nil, CircuitBreaker())

        /// A failure for another reason continues the same trouble: `since` stays.
        mutating func fail(_ trouble: ServiceTrouble, at now: BootTime, answered: BootTime?) {
            let start = if case .failing(_, let since, _, _) = contact { since } else { now }
            contact = .failing(trouble, since: start, last: now, answered: answered)
        }
    }

    private let state = Mutex(State())

    var contact: ServiceContact { state.withLock { $0.contact } }

    /// Whether a request of that rank may be repeated now.
    func letsRepeat(_ rank: CallRank) -> Bool { state.withLock { $0.breaker.letsRepeat(rank) } }

    /// Whether a request of that rank may go out now.
    func admits(_ rank: CallRank, at now: BootTime) -> Bool { state.withLock { $0.breaker.admits(rank, at: now) } }

    func reached(at now: BootTime) {
        state.withLock { state in
            state.former = (state.contact.lastAnswer, state.breaker)
            state.breaker.succeeded()
            if case .reachable(let since, _) = state.contact {
                state.contact = .reachable(since: since, last: now)
            } else {
                state.contact = .reachable(since: now, last: now)
            }
        }
    }

    func failed(_ trouble: ServiceTrouble, at now: BootTime) {
        state.withLock { state in
            state.breaker.failed(at: now)
            state.fail(trouble, at: now, answered: state.contact.lastAnswer)
        }
    }

    /// The last answer was unusable, so it may not have come from the service. It counts as a failure instead, unless
    /// it is counted as one already.
    func wasUnusable(_ reason: String?, at now: BootTime) {
        state.withLock { state in
            var answered = state.contact.lastAnswer
            if case .reachable = state.contact {
                (answered, state.breaker) = state.former
                state.breaker.failed(at: now)
            }
            state.fail(ServiceTrouble(unusable: reason), at: now, answered: answered)
        }
    }
}
