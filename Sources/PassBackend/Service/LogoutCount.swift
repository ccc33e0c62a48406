// Counts the logouts that the service has answered, so that a list of logins from before a logout does not answer a
// question that came after it.

import Synchronization

final class LogoutCount: Sendable {
    private let state = Mutex<UInt64>(0)

    var count: UInt64 { state.withLock { $0 } }

    /// Called when a logout call has ended, successful or not.
    func turn() { state.withLock { $0 &+= 1 } }
}
