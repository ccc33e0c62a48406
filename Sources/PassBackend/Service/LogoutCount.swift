// Counts the logouts that the service has answered, so that a list of logins requested before a logout is not given to
// a caller that asks after it. May be used from any thread.

import Synchronization

final class LogoutCount: Sendable {
    private let state = Mutex<UInt64>(0)

    var count: UInt64 { state.withLock { $0 } }

    /// To be called when a logout has ended, whether it succeeded or not.
    func add() { state.withLock { $0 &+= 1 } }
}
