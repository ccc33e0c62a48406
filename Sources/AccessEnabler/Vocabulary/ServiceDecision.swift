// The service's decision about one resource. Apps see a hint as `Decision`. Contract: rest-v2.md D1, D2.

public struct ServiceDecision: Sendable {
    /// Who decided. The service may add sources: an unknown one is kept under its name.
    public enum Source: Hashable, Sendable {
        case mvpd, degradation, tempPass, dummy
        case other(String)
    }

    public var resource: ResourceID
    public var isAuthorized: Bool
    public var source: Source
    /// The media token of a permit to play. It is valid for one play, passed on unchanged, and never stored.
    public var token: MediaToken?
    /// When the decision ends, if the service says so.
    public var notAfter: ServerTime?
    public var error: ServiceError?
    /// What the service tells of the viewer with the decision.
    public var metadata: [String: Profile.Attribute]

    public init(
        resource: ResourceID, isAuthorized: Bool, source: Source, token: MediaToken? = nil,
        notAfter: ServerTime? = nil, error: ServiceError? = nil, metadata: [String: Profile.Attribute] = [:]
    ) {
        self.resource = resource
        self.isAuthorized = isAuthorized
        self.source = source
        self.token = token
        self.notAfter = notAfter
        self.error = error
        self.metadata = metadata
    }
}

public struct MediaToken: Sendable {
    public var serialized: Secret
    public var notAfter: ServerTime

    public init(serialized: Secret, notAfter: ServerTime) {
        self.serialized = serialized
        self.notAfter = notAfter
    }
}
