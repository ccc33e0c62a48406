// An app as its stanza describes it: what it may be asked for, who it is, and what it may do. operations.md §2.

import PassProtocol

package struct AppStanza: Equatable, Sendable {
    package enum Statement: Equatable, Sendable {
        /// The app brings its own.
        case absent
        case present(SoftwareStatement)
        /// Calls of this app end in R400 with this reason; everything else goes on.
        case unusable(reason: String)
    }

    package let name: String
    package let place: FilePosition
    package var requestors: [String] = []
    package var statement = Statement.absent
    /// Alternatives. None: nobody may be this app.
    package var allow: [AllowRule] = []
    package var may: Set<Capability> = [.entitlement]
    /// These stand over the ones of [backend].
    package var activationURL: String?
    package var domainName: String?
    package var redirectURL: String?

    package init(_ name: String, at place: FilePosition) {
        self.name = name
        self.place = place
    }

    /// Equal but for where it stands.
    package func meansTheSame(as other: AppStanza) -> Bool {
        var here = AppStanza(name, at: other.place)
        here.requestors = requestors
        here.statement = statement
        here.allow = allow
        here.may = may
        here.activationURL = activationURL
        here.domainName = domainName
        here.redirectURL = redirectURL
        return here == other
    }
}
