// The port to authentication tokens that an older storage layout left. The engine asks for them when a requestor has no
// good login, and each is handed out only once: what was imported, or erased by a logout, does not come back.
// Contract: access-enabler.md §6.1 item 4.

public protocol TokenImporter: Sendable {
    /// Those that this requestor may use, oldest layout last.
    func logins(for requestor: RequestorID) async -> [ImportedLogin]
    /// A logout, or the erasure of these requestors' storage: nothing of theirs is handed out any more. Nil: of all.
    /// False where that is not written down yet.
    @discardableResult func forget(_ requestors: Set<RequestorID>?) async -> Bool
}

public struct ImportedLogin: Hashable, Sendable {
    /// Who obtained it; nil where it was shared by all.
    public var requestor: RequestorID?
    public var provider: ProviderID
    public var expires: ServerTime
    /// What the token was bound to.
    public var fingerprint: String

    public init(requestor: RequestorID?, provider: ProviderID, expires: ServerTime, fingerprint: String) {
        self.requestor = requestor
        self.provider = provider
        self.expires = expires
        self.fingerprint = fingerprint
    }
}
