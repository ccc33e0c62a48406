// Where a token for sign-on comes from. Whatever goes wrong there costs the token and nothing else, and is told once.

import AccessEnabler
import Synchronization

package protocol TokenSource: Sendable {
    func token(at time: ServerTime) async -> Secret?
}

extension DeviceKey: TokenSource {
    package func token(at time: ServerTime) async -> Secret? { identityToken(at: time) }
}

/// Tells what is wrong with one source when it begins or becomes something else.
final class TokenTrouble: Sendable {
    private let known = Mutex<String?>(nil)
    private let report: @Sendable (String) -> Void

    init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Nil: all is well again.
    func now(_ reason: String?) {
        let isNews = known.withLock { known in
            defer { known = reason }
            return known != reason
        }
        if isNews, let reason { report(reason) }
    }
}
