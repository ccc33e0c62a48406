// The service's decision about one resource, and the service's errors, with the codes that the service uses. Apps see a hint as
// `Decision` and an error as `EnhancedError`, with the names that apps know. Contract: rest-v2.md D1, D2, §6.1.

public import PassProtocol

/// The service's decision about one resource.
public struct ServiceDecision: Sendable {
    /// The party that decided. The service may add sources; an unknown source is kept under its name.
    public enum Source: Hashable, Sendable {
        case mvpd, degradation, tempPass, dummy
        case other(String)
    }

    public var resource: ResourceID
    public var isAuthorized: Bool
    public var source: Source
    /// The media token of a permit to play. It is valid for one play, passed on unchanged, and never stored.
    public var token: MediaToken?
    /// The date on which the decision expires, if the service reports this date.
    public var notAfter: ServerTime?
    public var error: ServiceError?
    /// The viewer's metadata that came with the decision.
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

/// An error as the service describes it.
public struct ServiceError: Error, Hashable, Codable, Sendable {
    public var status: Int
    public var code: String
    public var actionName: String
    public var message: String?
    /// A text for the viewer, from the provider or from the programmer (the company that owns the channels).
    public var details: String?
    public var helpURL: String?
    /// The trace to give to support.
    public var trace: String?

    public init(
        status: Int, code: String, actionName: String, message: String? = nil, details: String? = nil,
        helpURL: String? = nil, trace: String? = nil
    ) {
        self.status = status
        self.code = code
        self.actionName = actionName
        self.message = message
        self.details = details
        self.helpURL = helpURL
        self.trace = trace
    }

    /// The service's recommended action. The service may add actions later. If passd does not know the action, passd does not
    /// act on it.
    public var action: ErrorAction { ErrorAction(rawValue: actionName) }

    /// The code for a resource that the service's answer omits. Contract: access-enabler.md §14.2.
    public static let omittedCode = "decision_missing"

    /// Whether the error means that no viewer is logged in. Contract: rest-v2.md §6.2, P3.
    public var meansNoProfile: Bool {
        ["authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated"]
            .contains(code)
    }

    /// Whether the requestor no longer works with the provider, so that a login with this provider does not count. Contract:
    /// rest-v2.md §9.
    var meansLapsedIntegration: Bool { ["invalid_integration", "invalid_parameter_mvpd"].contains(code) }

    /// Whether a promotional temporary pass needs the viewer's identity. Only the app knows this identity. Contract: rest-v2.md
    /// §3.9.
    var needsTemporaryIdentity: Bool { code == "invalid_header_identity_for_temporary_access" }

    /// Whether the service rejects the platform's report about its TV account, and therefore a login from the platform.
    /// Contract: rest-v2.md §6.2.
    var isAboutPlatformStatus: Bool { code.hasPrefix("invalid_header_pfs_") }
}
