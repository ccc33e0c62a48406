// The messages that the service and the platform's TV account exchange through the engine.
// Contract: rest-v2.md §3.8, §12.3, X1, X2; rest-v1.md §10.

/// The last answer of the platform. It is sent with every call that may use a login of the platform.
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

/// A request to the TV account, which forwards it to the provider.
public struct PartnerRequest: Hashable, Sendable {
    public var verificationToken: [UInt8]
    /// The user attributes that the service asks for. If it is empty, those of the provider's configuration are used.
    public var attributes: [String]

    public init(verificationToken: [UInt8], attributes: [String] = []) {
        self.verificationToken = verificationToken
        self.attributes = attributes
    }
}

public enum PartnerStep: Hashable, Sendable {
    case forward(PartnerRequest)
    case alreadyIn(ProviderID, LoginReason)
    /// The service requires an ordinary login, for the given reason.
    case regular(String)
}

/// The defaults of a service without platform sign-on: everybody logs in the ordinary way.
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
