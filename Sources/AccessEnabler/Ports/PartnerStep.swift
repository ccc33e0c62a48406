// What the service and the platform's TV account have to say to each other.
// Contract: rest-v2.md §3.8, §12.3, X1, X2; rest-v1.md §10.

/// What the platform said last; it goes along with every call that may use a login of the platform's.
public struct PartnerStatus: Hashable, Sendable {
    public var partner: Partner
    public var permission: PlatformPermission
    public var providerID: String?
    public var expires: ServerTime?

    public init(
        partner: Partner, permission: PlatformPermission, providerID: String? = nil, expires: ServerTime? = nil
    ) {
        self.partner = partner
        self.permission = permission
        self.providerID = providerID
        self.expires = expires
    }
}

/// For the TV account, which forwards it to the provider.
public struct PartnerRequest: Hashable, Sendable {
    public var verificationToken: [UInt8]
    /// What the service wants to know of the viewer. Empty: what the provider's configuration says.
    public var attributes: [String]

    public init(verificationToken: [UInt8], attributes: [String] = []) {
        self.verificationToken = verificationToken
        self.attributes = attributes
    }
}

public enum PartnerStep: Hashable, Sendable {
    case forward(PartnerRequest)
    case alreadyIn(ProviderID, LoginReason)
    /// The service wants an ordinary login, and says why.
    case regular(String)
}

/// A service that knows no platform: everybody logs in the ordinary way.
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
