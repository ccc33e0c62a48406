// The port to what the box itself knows about its viewer: tokens for sign-on, and a TV account. Both are optional;
// without them viewers log in as usual. An answer may take as long as the viewer needs, and the engine's queue does not
// wait for it. Dialogs may be reported from any thread; the engine moves them to its own queue. Contract: rest-v2.md
// §3.6, §3.7, §12; access-enabler.md §17; architecture §2.

public protocol PlatformSSO: Sendable {
    /// Returns a fresh token that identifies the box.
    func identityToken(at time: ServerTime) async -> Secret?
    /// Returns a token of the viewer's identity service.
    func serviceToken(at time: ServerTime) async -> Secret?

    /// The service's name for the platform's TV account; nil if the box has none.
    var partner: Partner? { get }
    /// Asks whether the app may use the TV account. The viewer is asked only with `mayPrompt`, and only if that has not
    /// been decided yet.
    func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission
    /// Asks the TV account about its viewer. A picker is shown only if the query allows it; its dialogs are reported
    /// when they appear and disappear. Ends early when the task is cancelled.
    func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount
}

/// The defaults are those of a box without a TV account.
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

/// The company that runs the box's TV account, under the names that the service has for it. It must not be another
/// vendor's. Contract: open-questions.md OQ-28.
public struct Partner: Hashable, Sendable {
    public var name: String
    /// The name of the company's kind of device, for REST V1.
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

/// A question to the TV account.
public struct PlatformQuery: Hashable, Sendable {
    public var app: AppID
    public var requestor: RequestorID
    /// Whether the viewer may be shown a picker, or anything else that the account needs.
    public var mayInterrupt: Bool
    /// The providers of the picker, by the platform's own names.
    public var supported: [String]
    public var featured: [String]
    /// The attributes of the viewer that the service wants to know, and its request to the provider, byte for byte.
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
    /// The platform's own name of the provider; nil if nobody is signed in.
    public var providerID: String?
    public var expires: ServerTime?
    /// The provider's answer to the verification token, as plain text and not encoded.
    public var samlResponse: Secret?

    public init(providerID: String? = nil, expires: ServerTime? = nil, samlResponse: Secret? = nil) {
        self.providerID = providerID
        self.expires = expires
        self.samlResponse = samlResponse
    }
}

/// Why the platform gave no answer. The texts are for the log and for app developers.
public enum PlatformFault: Error, Hashable, Sendable {
    /// There is no helper, or it ended, does not respond, or does not follow the protocol.
    case unavailable(String)
    /// The viewer closed the picker.
    case cancelled
    /// The viewer wants a provider that the platform does not know.
    case otherProvider
    /// The viewer chose a provider, given by the platform's own name, that does not support platform sign-on.
    case unsupportedProvider(String)
    /// The platform reported an error of its own.
    case failed(code: String, message: String)
}

public enum PlatformDialog: Hashable, Sendable {
    case present(String)
    case dismiss(String)
}
