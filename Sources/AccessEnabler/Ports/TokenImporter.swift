// The port to logins that an older storage layout left. The engine asks for them when a requestor has no valid login. A
// login is returned only once: one that was imported, or erased by a logout, does not come back. The work does not
// block the engine's queue. Contract: access-enabler.md §6.1 item 4.

/// Logins that an older storage layout left.
public protocol TokenImporter: Sendable {
    /// The logins that this requestor may use, those of the oldest layout last.
    func logins(for requestor: RequestorID) async -> [ImportedLogin]
    /// Stops returning logins of these requestors, or of all if nil, after a logout or a storage check. Returns false
    /// if that is not durable yet.
    @discardableResult func forget(_ requestors: Set<RequestorID>?) async -> Bool
}

/// A login as an older storage layout kept it.
public struct ImportedLogin: Hashable, Sendable {
    /// The requestor that obtained it, or nil if all requestors shared it.
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
