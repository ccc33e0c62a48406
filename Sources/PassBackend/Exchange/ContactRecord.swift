// Records when the service was last contacted, and with what result. It may be used from any thread.

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

    /// Records a failure. If the last contact failed, too, `since` is kept, even if the reason differs.
    func failed(_ reason: String, at now: BootTime) {
        state.withLock { contact in
            if case .failing(_, let since, _) = contact {
                contact = .failing(reason, since: since, last: now)
            } else {
                contact = .failing(reason, since: now, last: now)
            }
        }
    }
}
