// A login as the service knows it. Contract: rest-v2.md §9.

public struct Profile: Hashable, Sendable {
    /// The kind of a login. The service may add kinds; an unknown one keeps its name.
    public enum Kind: Hashable, Sendable {
        case regular, platformSSO, serviceTokenSSO, appleSSO, degraded, temporary
        case other(String)
    }

    /// One value of user metadata. Encrypted values are passed on unchanged, because only the programmer has the key.
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
    /// How a login of this kind was made.
    var reason: LoginReason {
        switch self {
        case .degraded: .degraded
        case .temporary: .temporary
        case .platformSSO, .serviceTokenSSO: .signOn
        case .regular, .appleSSO, .other: .regular
        }
    }
}
