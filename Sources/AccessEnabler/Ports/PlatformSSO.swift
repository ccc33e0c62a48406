// The port to the box's own knowledge of its viewer: tokens for single sign-on, and a TV account. Both are optional: without
// them, viewers log in the regular way. Backends ask for the tokens, and the engine asks for the account. An answer may wait
// for the viewer, so the methods never block the engine's queue. Dialogs may be reported from any thread; the engine moves the
// reports to its own queue. Contract: rest-v2.md §3.6, §3.7, §12; access-enabler.md §17. The exchange between service and
// account is in rest-v2.md §3.8, §12.3, X1, X2 and rest-v1.md §10.

/// The box's knowledge of its viewer.
public protocol PlatformSSO: Sendable {
    /// A fresh token that identifies the box, or nil if the box has none.
    func identityToken(at time: ServerTime) async -> Secret?
    /// A token of the viewer's identity service, or nil if there is none.
    func serviceToken(at time: ServerTime) async -> Secret?

    /// The operator of the platform's TV account, as the service knows it. If nil, there is no TV account and the
    /// methods below are not called.
    var partner: Partner? { get }
    /// Whether the app may use the TV account. The viewer is asked only if `mayPrompt` is true and there is no decision
    /// yet.
    func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission
    /// The TV account's report about its viewer. The account shows a picker only if the query allows this. `dialog` is called
    /// when a dialog opens or closes. Returns early when the task is cancelled.
    func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount
}

/// The defaults, for a box without a TV account: viewers log in the regular way.
extension PlatformSSO {
    public var partner: Partner? { nil }

    /// Fetches both tokens at the same time, so that later requests find them ready.
    func fetchTokens(at time: ServerTime) async {
        async let identity = identityToken(at: time)
        async let service = serviceToken(at: time)
        _ = await (identity, service)
    }

    public func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission {
        .restricted
    }

    public func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount {
        throw .unavailable("This box has no TV account.")
    }
}

/// A box without any knowledge of its viewer.
public struct NoPlatform: PlatformSSO {
    public init() {}
    public func identityToken(at time: ServerTime) async -> Secret? { nil }
    public func serviceToken(at time: ServerTime) async -> Secret? { nil }
}

/// The operator of the box's TV account, under the service's name for this operator. A box must not use the name of another
/// vendor. Contract: open-questions.md OQ-28.
public struct Partner: Hashable, Sendable {
    public var name: String
    /// The name of the operator in REST V1.
    public var deviceType: String

    public init(name: String, deviceType: String) {
        self.name = name
        self.deviceType = deviceType
    }
}

/// Whether the app may use the TV account. `restricted` means that the viewer cannot grant the permission. Contract:
/// access-enabler.md §17.2; the names are those of rest-v2.md §3.8.
public enum PlatformPermission: String, Hashable, Sendable, CaseIterable {
    case granted, denied, restricted, notDetermined
}

/// A question to the TV account.
public struct PlatformQuery: Hashable, Sendable {
    public var app: AppID
    public var requestor: RequestorID
    /// Whether the viewer may be shown a picker, or anything else that the account needs.
    public var mayInterrupt: Bool
    /// The providers for the picker, by the platform's own names.
    public var supported: [String] = []
    /// The supported providers that the picker shows first.
    public var featured: [String] = []
    /// The attributes of the viewer that the service requests.
    public var attributes: [String] = []
    /// The service's request to the provider, forwarded byte for byte.
    public var verificationToken: [UInt8]?
}

/// The answer of the TV account.
public struct PlatformAccount: Sendable {
    /// The platform's own name of the provider, or nil if no viewer is signed in.
    public var providerID: String?
    public var expires: ServerTime?
    /// The provider's answer to the verification token, as plain text.
    public var samlResponse: Secret?

    public init(providerID: String? = nil, expires: ServerTime? = nil, samlResponse: Secret? = nil) {
        self.providerID = providerID
        self.expires = expires
        self.samlResponse = samlResponse
    }
}

/// The reason why the TV account gave no answer. The texts are for the log and for developers of apps.
public enum PlatformFault: Error, Hashable, Sendable {
    /// There is no helper program, or it crashed, did not answer, or answered nonsense.
    case unavailable(String)
    /// The viewer closed the picker.
    case cancelled
    /// The viewer wants a provider that is not in the platform's picker.
    case otherProvider
    /// The viewer chose this provider (the platform's own name), but the platform does not handle its logins.
    case unsupportedProvider(String)
    /// The platform has failed, with its own code.
    case failed(code: String, message: String)
}

/// A dialog of the platform has opened or closed. The text identifies the dialog.
public enum PlatformDialog: Hashable, Sendable {
    case present(String)
    case dismiss(String)
}

/// The last answer of the platform. It is sent with every call that may use a login of the platform.
public struct PartnerStatus: Hashable, Sendable {
    public var partner: Partner
    public var permission: PlatformPermission
    /// The platform's own name of the provider, if a viewer is signed in.
    public var providerID: String?
    public var expires: ServerTime?
    /// Whether the platform has said which account it has, or that it has none.
    public var isAccountKnown = false

    /// Whether the platform has said that no viewer is signed in now, so that logins from the platform have ended. False if
    /// nothing is known. Contract: access-enabler.md §17.7.
    func hasEnded(at now: ServerTime) -> Bool {
        isAccountKnown && !PlatformAccount(providerID: providerID, expires: expires).isSignedIn(at: now)
    }
}

/// A request of the service that the TV account forwards to the provider.
public struct PartnerRequest: Hashable, Sendable {
    public var verificationToken: [UInt8]
    /// The attributes of the viewer that the service requests. If empty, the provider's `requiredMetadataFields` apply.
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

/// The defaults, for a service without platform sign-on: viewers log in the regular way.
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
