// Records when the last exchange with the service was, and whether it succeeded. May be used from any thread.

import AccessEnabler
import Synchronization

final class ContactRecord: Sendable {
    private let state = Mutex(ServiceContact.never)

    var contact: ServiceContact { state.withLock { $0 } }

    func reached(at now: BootTime) {
        state.withLock { contact in
            if case .reachable(let since, _) = contact {
                contact = .reachable(since: since, last: now)
            } else {
                contact = .reachable(since: now, last: now)
            }
        }
    }

    /// A failure for another reason continues the same trouble: `since` stays.
    func failed(_ trouble: ServiceTrouble, at now: BootTime) {
        state.withLock { contact in
            if case .failing(_, let since, _) = contact {
                contact = .failing(trouble, since: since, last: now)
            } else {
                contact = .failing(trouble, since: now, last: now)
            }
        }
    }
}
