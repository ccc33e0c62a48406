// An app as its stanza describes it: what it may be asked for, who it is, and what it may do. operations.md §2.

import PassProtocol

struct AppStanza: Equatable, Sendable {
    enum Statement: Equatable, Sendable {
        /// The app brings its own.
        case absent
        case present(SoftwareStatement)
        /// Calls of this app end in R400 with this reason; everything else goes on.
        case unusable(reason: String)
    }

    let name: String
    let place: TextPlace
    var requestors: [String] = []
    var statement = Statement.absent
    /// Alternatives. None: nobody may be this app.
    var allow: [AllowRule] = []
    var may: Set<Capability> = [.entitlement]
    /// These stand over the ones of [backend].
    var activationURL: String?
    var domainName: String?
    var redirectURL: String?

    init(_ name: String, at place: TextPlace) {
        self.name = name
        self.place = place
    }

    /// Equal but for where it stands.
    func meansTheSame(as other: AppStanza) -> Bool {
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
