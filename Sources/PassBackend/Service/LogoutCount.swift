// How many logouts the service has answered, so that no list of logins from before one is handed to who asks after it.

import Synchronization

final class LogoutCount: Sendable {
    private let state = Mutex<UInt64>(0)

    var count: UInt64 { state.withLock { $0 } }

    /// A logout is over, whatever came of it.
    func turn() { state.withLock { $0 &+= 1 } }
}
