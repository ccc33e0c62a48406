// A source of tokens for single sign-on. If the source fails, passd works without the token, and reports the failure once.

package import AccessEnabler
import Synchronization

package protocol TokenSource: Sendable {
    /// The present token; nil if there is none. `time` is the time of the service's clock. May be called from any thread.
    func token(at time: ServerTime) async -> Secret?
}

extension DeviceKey: TokenSource {
    package func token(at time: ServerTime) async -> Secret? { identityToken(at: time) }
}

/// Reports the problem of one source, and each change of it. May be called from any thread.
final class TokenTrouble: Sendable {
    private let known = Mutex<String?>(nil)
    private let report: @Sendable (String) -> Void

    init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

    /// Notes the present problem; nil if the source works.
    func now(_ reason: String?) {
        let isNews = known.withLock { known in
            defer { known = reason }
            return known != reason
        }
        if isNews, let reason { report(reason) }
    }
}
