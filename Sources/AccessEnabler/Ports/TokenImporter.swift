// The port to logins of an older storage layout. The engine asks for them when a requestor has no valid login. A login is
// returned at most once, and is never returned after a logout. The work does not block the engine's queue. Contract:
// access-enabler.md §6.1 item 4.

/// The logins of an older storage layout.
public protocol TokenImporter: Sendable {
    /// The logins that this requestor may use, with the logins of the oldest layout last.
    func logins(for requestor: RequestorID) async -> [ImportedLogin]
    /// From now on, `logins` returns no logins of these requestors; nil means all requestors. Call this after a logout or a
    /// storage check. Returns false if the change is not durable yet.
    @discardableResult func forget(_ requestors: Set<RequestorID>?) async -> Bool
}

/// A login as an older storage layout kept it.
public struct ImportedLogin: Hashable, Sendable {
    /// The requestor that obtained the login, or nil if all requestors shared the login.
    public var requestor: RequestorID?
    public var provider: ProviderID
    public var expires: ServerTime
    /// The device identifier to which the login was bound.
    public var fingerprint: String

    public init(requestor: RequestorID?, provider: ProviderID, expires: ServerTime, fingerprint: String) {
        self.requestor = requestor
        self.provider = provider
        self.expires = expires
        self.fingerprint = fingerprint
    }
}
