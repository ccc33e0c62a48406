// An app as its stanza describes it: its requestors, its rules and its capabilities. operations.md §2.

package import AccessEnabler
package import PassBackend
package import PassProtocol

package struct AppStanza: Equatable, Sendable {
    package enum Statement: Equatable, Sendable {
        /// The stanza has no statement; the app brings its own.
        case absent
        case present(SoftwareStatement)
        /// The statement is unusable. `setRequestor` of this app fails with R400 and this reason. Nothing else is affected.
        case unusable(reason: String)
    }

    package let name: String
    package private(set) var place: FilePosition
    /// The app's name for screens.
    package var title: String?
    package var requestors: [String] = []
    package var statement = Statement.absent
    /// The source of the statement; nil if the stanza has none.
    package var statementSource: SoftwareStatement.Source?
    /// The rules. A process is this app if at least one rule holds. Without rules, no process is this app.
    package var allow: [AllowRule] = []
    package var may: Set<Capability> = [.entitlement]
    /// The addresses that override the addresses of [backend] for this app.
    package var site = LoginSite.none
    /// The places of the keys in the stanza.
    var places: [AppKey: FilePosition] = [:]

    package init(_ name: String, at place: FilePosition) {
        self.name = name
        self.place = place
    }

    /// Whether the stanzas are equal except for their places and the sources of their statements.
    package func meansTheSame(as other: AppStanza) -> Bool {
        var here = self
        (here.place, here.places, here.statementSource) = (other.place, other.places, other.statementSource)
        return here == other
    }

    // MARK: The expiry of the statement

    /// The beginning of messages about the statement.
    var statementTopic: String { Self.topic + name + ", " }
    fileprivate static let topic = "the software statement of app "

    /// The problem if the statement has expired or expires soon; otherwise nil.
    package func statementEnd(at now: ServerTime) -> Problem? {
        guard case .present(let statement) = statement, let end = statement.claims.end(at: now),
            end.hasCome || end.isSoon
        else { return nil }
        return Problem(
            end.hasCome ? .useless : .warning, place: places[.softwareStatement] ?? place,
            message: statementTopic + "\(statementSource?.description ?? ""), \(end.text)")
    }

}

extension Problem {
    /// The name of the app, if the problem is about a software statement; nil for other problems.
    package var appOfStatement: String? {
        guard message.hasPrefix(AppStanza.topic) else { return nil }
        return String(message.dropFirst(AppStanza.topic.count).prefix { $0 != "," })
    }
}
