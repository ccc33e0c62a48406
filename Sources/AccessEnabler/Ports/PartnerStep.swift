// What the service and the platform's TV account exchange through the daemon. Contract: rest-v2.md §3.8, §12.3, X1, X2;
// rest-v1.md §10.

/// The last answer of the platform. It is sent with every call that may use a login of the platform.
public struct PartnerStatus: Hashable, Sendable {
    public var partner: Partner
    public var permission: PlatformPermission
    /// The platform's own name of the provider, if somebody is signed in.
    public var providerID: String?
    public var expires: ServerTime?
    /// Whether the platform has told of its account, or of nobody's. If not, nothing is known of it.
    public var isAccountKnown: Bool

    public init(
        partner: Partner, permission: PlatformPermission, providerID: String? = nil, expires: ServerTime? = nil,
        isAccountKnown: Bool = false
    ) {
        self.isAccountKnown = isAccountKnown
        self.partner = partner
        self.permission = permission
        self.providerID = providerID
        self.expires = expires
    }

    /// Whether nobody is signed in at the platform any more. Logins that came from there have ended then. Contract:
    /// access-enabler.md §17.7.
    func hasEnded(at now: ServerTime) -> Bool {
        isAccountKnown && !PlatformAccount(providerID: providerID, expires: expires).isSignedIn(at: now)
    }
}

/// A request of the service that the TV account forwards to the provider.
public struct PartnerRequest: Hashable, Sendable {
    public var verificationToken: [UInt8]
    /// What the service wants to know of the viewer. If empty, the provider's `requiredMetadataFields` apply.
    public var attributes: [String]

    public init(verificationToken: [UInt8], attributes: [String] = []) {
        self.verificationToken = verificationToken
        self.attributes = attributes
    }
}

/// The service's answer to the first question of a platform sign-on.
public enum PartnerStep: Hashable, Sendable {
    case forward(PartnerRequest)
    case alreadyIn(ProviderID, LoginReason)
    /// The service wants a regular login, for this reason.
    case regular(String)
}

/// The defaults, for a service that knows no platform: everybody logs in the regular way.
extension EntitlementBackend {
    public func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep {
        .regular("The service does not support sign-on through this platform.")
    }

    public func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile {
        throw BackendFault(.unusableAnswer)
    }
}
