/// The provider that a requestor's viewers have selected. Contract: access-enabler.md §4, §12.
public struct Selection: Hashable, Codable, Sendable {
    public var provider: Provider
    /// The last login with this provider succeeded, and nobody has logged out since.
    public var canAuthenticate: Bool

    public init(provider: Provider, canAuthenticate: Bool) {
        self.provider = provider
        self.canAuthenticate = canAuthenticate
    }
}
