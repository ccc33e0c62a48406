// When and how the last exchange with the service went, for the status report.

import AccessEnabler
import Synchronization

public enum Contact: Hashable, Sendable {
    case never
    case reachable(since: BootTime, last: BootTime)
    /// The reason is short and free of secrets.
    case failing(String, since: BootTime, last: BootTime)
}

final class ContactRecord: Sendable {
    private let state = Mutex(Contact.never)

    var contact: Contact { state.withLock { $0 } }

    func reached(at now: BootTime) {
        state.withLock { contact in
            if case .reachable(let since, _) = contact {
                contact = .reachable(since: since, last: now)
            } else {
                contact = .reachable(since: now, last: now)
            }
        }
    }

    /// A new reason does not make the trouble a new one.
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
