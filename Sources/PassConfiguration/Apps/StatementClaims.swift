// The claims of a software statement. They help to find mistakes. passd does not trust the claims, because only the service
// checks the signature. Contract: dcr.md §2.

package import AccessEnabler
import PassJSON

package struct StatementClaims: Equatable, Sendable {
    /// The date on which the statement expires. Most statements do not expire.
    package var expires: ServerTime?
    /// The name of the application in the statement.
    package var clientName: String?

    /// Reads the claims. Unreadable claims are left out.
    init(_ statement: Secret) {
        let parts = statement.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decodedURL(parts[1].utf8), let claims = try? JSONReader.read(bytes)
        else {
            return
        }
        // The claim `exp` is in seconds and may have a fraction.
        let seconds =
            claims["exp"]?.int64 ?? claims["exp"]?.number?.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        expires = seconds.flatMap { seconds in
            let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
            return isTooLarge ? nil : ServerTime(milliseconds: milliseconds)
        }
        clientName = claims["client_name"]?.string
    }

    /// How long ago the statement expired, or how long it is still valid.
    package struct End: Equatable, Sendable {
        package var hasCome: Bool
        /// The number of whole days.
        package var days: Int64

        /// Whether it is time to ask for a new statement.
        package var isSoon: Bool { !hasCome && days < 30 }

        package var text: String {
            let verb = hasCome ? "expired" : "expires"
            if days == 0 { return "\(verb) today" }
            let span = days == 1 ? "1 day" : "\(days) days"
            return hasCome ? "\(verb) \(span) ago" : "\(verb) in \(span)"
        }
    }

    /// The expiry of the statement, relative to this date; nil if the statement does not expire.
    package func end(at now: ServerTime) -> End? {
        guard let expires else { return nil }
        let (left, overflow) = expires.milliseconds.subtractingReportingOverflow(now.milliseconds)
        guard !overflow else { return nil }
        return End(hasCome: left <= 0, days: Int64(left.magnitude / (24 * 3600 * 1000)))
    }
}
