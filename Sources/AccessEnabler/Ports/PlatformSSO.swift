// The port to what the box knows about its viewer: sign-on tokens and a TV account. Both are optional; without them
// viewers log in the ordinary way. An answer may take as long as the viewer does, and the engine's queue does not block
// on it. Dialog closures may be called from any thread; the engine moves them to its own queue.
// Contract: rest-v2.md §3.6, §3.7, §12; access-enabler.md §17; architecture §2.

public protocol PlatformSSO: Sendable {
    /// A fresh token that identifies the box; nil if the box has none.
    func identityToken(at time: ServerTime) async -> Secret?
    /// A token of the viewer's identity service; nil if there is none.
    func serviceToken(at time: ServerTime) async -> Secret?

    /// The service's names for the platform's TV account. If it is nil, the box has no TV account and the methods below
    /// are not called.
    var partner: Partner? { get }
    /// Returns whether the app may use the TV account. The viewer is asked only if `mayPrompt` is set and no decision
    /// exists yet.
    func permission(
        of app: AppID, mayPrompt: Bool, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformPermission
    /// Queries the TV account. A picker appears only if the query allows it; `dialog` is called as its dialogs open and
    /// close. Returns early when the task is cancelled.
    func account(
        _ query: PlatformQuery, _ dialog: @escaping @Sendable (PlatformDialog) -> Void
    ) async throws(PlatformFault) -> PlatformAccount
}

/// The defaults of a box without a TV account: everybody logs in the ordinary way.
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

/// The operator of the box's TV account, under the names that the service gave it. It must not be the name of another
/// vendor.
/// Contract: open-questions.md OQ-28.
public struct Partner: Hashable, Sendable {
    public var name: String
    /// The operator's name on the older interface, REST V1.
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

/// A query to the TV account.
public struct PlatformQuery: Hashable, Sendable {
    public var app: AppID
    public var requestor: RequestorID
    /// Whether the account may interrupt the viewer, with a picker or otherwise.
    public var mayInterrupt: Bool
    /// The providers of the picker, by the platform's own names.
    public var supported: [String]
    public var featured: [String]
    /// The user attributes that the service asks for, and its request to the provider, byte for byte.
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

/// The texts are for the log and the app's developer.
public enum PlatformFault: Error, Hashable, Sendable {
    /// The helper is missing, has died, does not answer or violates the protocol.
    case unavailable(String)
    /// The viewer closed the picker.
    case cancelled
    /// The viewer wants a provider that the platform does not know.
    case otherProvider
    /// The viewer chose a provider that is in the picker but not onboarded. The value is the platform's own name for
    /// it.
    case unsupportedProvider(String)
    /// The platform reported a failure.
    case failed(code: String, message: String)
}

public enum PlatformDialog: Hashable, Sendable {
    case present(String)
    case dismiss(String)
}
