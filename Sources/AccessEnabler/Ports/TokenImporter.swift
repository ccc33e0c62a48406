// The port to the logins that an older version left in its own storage layout. The engine asks for them when a
// requestor has no valid login. Each is returned only once: a login that was imported, or ended by a logout, does not
// come back. Contract: access-enabler.md §6.1 item 4.

public protocol TokenImporter: Sendable {
    /// Returns the logins that this requestor may use; those of the oldest layout come last.
    func logins(for requestor: RequestorID) async -> [ImportedLogin]
    /// After this, no login of these requestors (nil: of any requestor) is returned any more: they were logged out, or
    /// their storage was erased. Returns false if this could not be written to the disk yet.
    @discardableResult func forget(_ requestors: Set<RequestorID>?) async -> Bool
}

public struct ImportedLogin: Hashable, Sendable {
    /// The requestor that obtained it; nil if all requestors shared it.
    public var requestor: RequestorID?
    public var provider: ProviderID
    public var expires: ServerTime
    /// The digest of the device that the token was bound to.
    public var fingerprint: String

    public init(requestor: RequestorID?, provider: ProviderID, expires: ServerTime, fingerprint: String) {
        self.requestor = requestor
        self.provider = provider
        self.expires = expires
        self.fingerprint = fingerprint
    }
}
