// The port to what the box itself can say about its viewer: tokens for sign-on, and a TV account. Each is optional, and
// without it viewers log in the ordinary way. Answers may take as long as a viewer does; the engine's queue does not
// wait for them. Dialogs may be told from any thread, and the engine takes them to its own queue.
// Contract: rest-v2.md §3.6, §3.7, §12; access-enabler.md §17; architecture §2.

public protocol PlatformSSO: Sendable {
    /// A fresh token that names the box.
    func identityToken(at time: ServerTime) async -> Secret?
    /// A token of the viewer's identity service.
    func serviceToken(at time: ServerTime) async -> Secret?

    /// The name by which the service knows the platform's TV account. Nil: there is none, and it is not asked.
    var partner: Partner? { get }
    /// May the app use the TV account? Only with `mayPrompt` is the viewer asked, if nobody has decided yet.
    func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission
    /// What the TV account says of its viewer. A picker shows only if the query allows it, and its dialogs are told as
    /// they come and go. Ends early when the task is cancelled.
    func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount
}

/// A box without a TV account: everybody logs in the ordinary way.
extension PlatformSSO {
    public var partner: Partner? { nil }

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

public struct NoPlatform: PlatformSSO {
    public init() {}
    public func identityToken(at time: ServerTime) async -> Secret? { nil }
    public func serviceToken(at time: ServerTime) async -> Secret? { nil }
}

/// Whoever runs the box's TV account, in the words that the service has for it. Never another vendor's.
/// Contract: open-questions.md OQ-28.
public struct Partner: Hashable, Sendable {
    public var name: String
    /// On the older interface.
    public var deviceType: String

    public init(name: String, deviceType: String) {
        self.name = name
        self.deviceType = deviceType
    }
}

/// Contract: access-enabler.md §17.2; the words are those of rest-v2.md §3.8.
public enum PlatformPermission: String, Hashable, Sendable, CaseIterable {
    case granted, denied, restricted, notDetermined
}

/// What is asked of the TV account.
public struct PlatformQuery: Hashable, Sendable {
    public var app: AppID
    public var requestor: RequestorID
    /// The viewer may be shown a picker, or whatever else the account needs.
    public var mayInterrupt: Bool
    /// Providers by the platform's own names, for the picker.
    public var supported: [String]
    public var featured: [String]
    /// What the service wants to know of the viewer, and its request to the provider, byte for byte.
    public var attributes: [String]
    public var verificationToken: [UInt8]?

    public init(
        app: AppID, requestor: RequestorID, mayInterrupt: Bool, supported: [String] = [], featured: [String] = [],
        attributes: [String] = [], verificationToken: [UInt8]? = nil
    ) {
        self.app = app
        self.requestor = requestor
        self.mayInterrupt = mayInterrupt
        self.supported = supported
        self.featured = featured
        self.attributes = attributes
        self.verificationToken = verificationToken
    }
}

public struct PlatformAccount: Sendable {
    /// The platform's own name of the provider. Nil: nobody is signed in.
    public var providerID: String?
    public var expires: ServerTime?
    /// The provider's answer to the verification token: its text, not encoded.
    public var samlResponse: Secret?

    public init(providerID: String? = nil, expires: ServerTime? = nil, samlResponse: Secret? = nil) {
        self.providerID = providerID
        self.expires = expires
        self.samlResponse = samlResponse
    }
}

/// The texts are for the log and the app's developer.
public enum PlatformFault: Error, Hashable, Sendable {
    /// There is no helper, or it died, hung or talks rubbish.
    case unavailable(String)
    /// The viewer closed the picker.
    case cancelled
    /// The viewer wants a provider that the platform does not know.
    case otherProvider
    /// The viewer chose a provider of the picker that is not onboarded: the platform's own name of it.
    case unsupportedProvider(String)
    /// The platform's own failure.
    case failed(code: String, message: String)
}

public enum PlatformDialog: Hashable, Sendable {
    case present(String)
    case dismiss(String)
}
