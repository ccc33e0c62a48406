// The claims of a software statement, as far as they help to find mistakes. Nothing is trusted: only the service
// checks the signature. Contract: dcr.md §2.

package import AccessEnabler
import PassJSON

package struct StatementClaims: Equatable, Sendable {
    /// When it ends; nil if it does not, which is usual.
    package var expires: ServerTime?
    /// The application that it was issued for.
    package var clientName: String?

    /// Unreadable claims are left out.
    init(_ statement: Secret) {
        let parts = statement.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decodedURL(parts[1].utf8), let claims = try? JSONReader.read(bytes)
        else {
            return
        }
        // The claim is in seconds, and may be written as a fraction.
        let seconds =
            claims["exp"]?.int64 ?? claims["exp"]?.number?.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        expires = seconds.flatMap { seconds in
            let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
            return isTooLarge ? nil : ServerTime(milliseconds: milliseconds)
        }
        clientName = claims["client_name"]?.string
    }

    /// How long ago it has ended, or how long it is until then.
    package struct End: Equatable, Sendable {
        package var hasCome: Bool
        /// Whole days.
        package var days: Int64

        /// Whether it is time to ask for a new one.
        package var isSoon: Bool { !hasCome && days < 30 }

        package var text: String {
            let verb = hasCome ? "expired" : "expires"
            if days == 0 { return "\(verb) today" }
            let span = days == 1 ? "1 day" : "\(days) days"
            return hasCome ? "\(verb) \(span) ago" : "\(verb) in \(span)"
        }
    }

    /// Nil if it does not end.
    package func end(at now: ServerTime) -> End? {
        guard let expires else { return nil }
        let (left, overflow) = expires.milliseconds.subtractingReportingOverflow(now.milliseconds)
        guard !overflow else { return nil }
        return End(hasCome: left <= 0, days: Int64(left.magnitude / (24 * 3600 * 1000)))
    }
}
