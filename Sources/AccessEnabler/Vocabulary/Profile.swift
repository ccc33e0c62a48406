// A completed login, as the service describes it. Contract: rest-v2.md §9.

public struct Profile: Hashable, Sendable {
    /// How the login came about. The service may add kinds: an unknown one is kept under its name.
    public enum Kind: Hashable, Sendable {
        case regular, platformSSO, serviceTokenSSO, appleSSO, degraded, temporary
        case other(String)
    }

    /// One value of user metadata. An encrypted value is passed on unchanged, because only the programmer has the key.
    public struct Attribute: Hashable, Sendable {
        public var value: MetadataValue
        public var isEncrypted: Bool

        public init(value: MetadataValue, isEncrypted: Bool) {
            self.value = value
            self.isEncrypted = isEncrypted
        }
    }

    public var provider: ProviderID
    public var kind: Kind
    public var issuer: String
    public var notBefore: ServerTime
    public var notAfter: ServerTime
    public var attributes: [String: Attribute]

    public init(
        provider: ProviderID, kind: Kind, issuer: String, notBefore: ServerTime, notAfter: ServerTime,
        attributes: [String: Attribute]
    ) {
        self.provider = provider
        self.kind = kind
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.attributes = attributes
    }
}

extension Profile.Kind {
    /// The reason that the engine gives for a login of this kind.
    var reason: LoginReason {
        switch self {
        case .degraded: .degraded
        case .temporary: .temporary
        case .platformSSO, .serviceTokenSSO: .signOn
        case .regular, .appleSSO, .other: .regular
        }
    }
}
