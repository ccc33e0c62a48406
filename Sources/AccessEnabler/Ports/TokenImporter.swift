// The port to authentication tokens of older storage layouts. The engine asks for them when a requestor has no valid
// login. Each token is returned only once: after it was imported, or erased by a logout, it does not come back.
// Contract: access-enabler.md §6.1 item 4.

public protocol TokenImporter: Sendable {
    /// The tokens that this requestor may use; those of the oldest layout come last.
    func logins(for requestor: RequestorID) async -> [ImportedLogin]
    /// Called on a logout, or when these requestors' storage is erased: none of their tokens are returned any more. Nil
    /// means all requestors. Returns false if this is not durable yet.
    @discardableResult func forget(_ requestors: Set<RequestorID>?) async -> Bool
}

public struct ImportedLogin: Hashable, Sendable {
    /// The requestor that obtained the token; nil if all requestors shared it.
    public var requestor: RequestorID?
    public var provider: ProviderID
    public var expires: ServerTime
    /// The device that the token was bound to.
    public var fingerprint: String

    public init(requestor: RequestorID?, provider: ProviderID, expires: ServerTime, fingerprint: String) {
        self.requestor = requestor
        self.provider = provider
        self.expires = expires
        self.fingerprint = fingerprint
    }
}
