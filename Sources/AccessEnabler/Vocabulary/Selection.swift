// The selected provider of a requestor.

/// The provider that a requestor's viewers use. All sessions of the requestor share it. Contract: access-enabler.md §4,
/// §12.
public struct Selection: Hashable, Codable, Sendable {
    public var provider: Provider
    /// Whether the last login with it succeeded and nobody has logged out since.
    public var canAuthenticate: Bool

    public init(provider: Provider, canAuthenticate: Bool) {
        self.provider = provider
        self.canAuthenticate = canAuthenticate
    }
}
