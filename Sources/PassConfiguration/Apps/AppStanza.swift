// An app as its stanza describes it: its requestors, who may be the app, and what it may do. operations.md §2.

import PassProtocol

package struct AppStanza: Equatable, Sendable {
    package enum Statement: Equatable, Sendable {
        /// The stanza has none; the app brings its own.
        case absent
        case present(SoftwareStatement)
        /// `setRequestor` of this app fails with R400 and this reason. Nothing else is affected.
        case unusable(reason: String)
    }

    package let name: String
    package let place: FilePosition
    package var requestors: [String] = []
    package var statement = Statement.absent
    /// Where the statement was read from; nil if the stanza has none.
    package var statementSource: SoftwareStatement.Source?
    /// One of these must hold. Without any, nobody may be this app.
    package var allow: [AllowRule] = []
    package var may: Set<Capability> = [.entitlement]
    /// These three replace the values of [backend] for this app.
    package var activationURL: String?
    package var domainName: String?
    package var redirectURL: String?

    package init(_ name: String, at place: FilePosition) {
        self.name = name
        self.place = place
    }

    /// Whether the stanzas are equal except for their place and that of the statement.
    package func meansTheSame(as other: AppStanza) -> Bool {
        var here = AppStanza(name, at: other.place)
        here.requestors = requestors
        here.statement = statement
        here.statementSource = other.statementSource
        here.allow = allow
        here.may = may
        here.activationURL = activationURL
        here.domainName = domainName
        here.redirectURL = redirectURL
        return here == other
    }
}
