// A requestor's choice of a provider.

/// The provider a requestor's viewers use. Contract: access-enabler.md §4, §12.
public struct Selection: Hashable, Codable, Sendable {
    public var provider: Provider
    /// The last login with it succeeded, and nobody logged out since.
    public var canAuthenticate: Bool

    public init(provider: Provider, canAuthenticate: Bool) {
        self.provider = provider
        self.canAuthenticate = canAuthenticate
    }
}
