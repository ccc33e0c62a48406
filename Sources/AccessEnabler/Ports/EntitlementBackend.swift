// What the engine asks of a service. The richer interface shapes it; an older one is fitted to it and says in its
// traits what it cannot do. Contract: rest-v2.md §21.

public protocol EntitlementBackend: Sendable {
    var traits: BackendTraits { get }

    /// Under what the service knows this app: no call, and the same answer for ever.
    func registration(of app: AppID, statement: Secret) -> RegistrationKey

    /// Registered, with a valid access token.
    func prepare(_ caller: BackendCaller) async throws(BackendFault)
    /// For a picker only.
    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider]
    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile]
    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep
    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll
    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async
    /// One decision for each resource, in their order.
    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [Decision]
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [Decision]
    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep
    /// What the platform's TV account is to forward to the provider.
    func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep
    /// The provider's answer, as the TV account gave it, becomes a login.
    func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile
}

/// On whose behalf a call is made, and what goes along with it.
public struct BackendCaller: Sendable {
    public var registration: RegistrationKey
    public var softwareStatement: Secret
    public var requestor: RequestorID
    public var device: DeviceID
    /// `visitorID` of the app's options.
    public var visitorID: String?
    /// `deviceInfo` of the app's options, Base64, in place of what the daemon knows itself.
    public var deviceInfo: String?
    /// `applicationProfile` of the app's options; interfaces that have no name for it leave it out. OQ-25.
    public var applicationProfile: String?
    /// Of a promotional temporary pass: what the viewer is known by, hashed by the app. Contract: rest-v2.md §3.9.
    public var temporaryIdentity: [String: String] = [:]
    /// Of the platform's TV account, if the box has one.
    public var partnerStatus: PartnerStatus?
    /// Nobody waits longer than until then.
    public var deadline: BootTime

    public init(
        registration: RegistrationKey, softwareStatement: Secret, requestor: RequestorID, device: DeviceID,
        visitorID: String? = nil, deviceInfo: String? = nil, deadline: BootTime
    ) {
        self.registration = registration
        self.softwareStatement = softwareStatement
        self.requestor = requestor
        self.device = device
        self.visitorID = visitorID
        self.deviceInfo = deviceInfo
        self.deadline = deadline
    }
}

/// What an interface can do. The engine branches on these and never on a version number.
public struct BackendTraits: Hashable, Sendable {
    public var multipleProfiles: Bool
    public var cancellableCode: Bool
    public var codeLifetimeSelectable: Bool
    public var providerRequired: Bool
    public var tokenWithDecision: Bool
    public var providerLogoutURL: Bool
    public var enhancedErrors: Bool
    public var headerSignOn: Bool
    public var decisionExpiryReadable: Bool

    public init(
        multipleProfiles: Bool, cancellableCode: Bool, codeLifetimeSelectable: Bool, providerRequired: Bool,
        tokenWithDecision: Bool, providerLogoutURL: Bool, enhancedErrors: Bool, headerSignOn: Bool,
        decisionExpiryReadable: Bool
    ) {
        self.multipleProfiles = multipleProfiles
        self.cancellableCode = cancellableCode
        self.codeLifetimeSelectable = codeLifetimeSelectable
        self.providerRequired = providerRequired
        self.tokenWithDecision = tokenWithDecision
        self.providerLogoutURL = providerLogoutURL
        self.enhancedErrors = enhancedErrors
        self.headerSignOn = headerSignOn
        self.decisionExpiryReadable = decisionExpiryReadable
    }
}

public enum ProfileQuery: Sendable {
    case all
    case provider(ProviderID)
    case login(OpenLogin)
}

public struct LoginRequest: Sendable {
    public var provider: ProviderID?
    public var style: LoginStyle
    /// `data` of `getAuthentication`.
    public var data: [String: String]

    public init(provider: ProviderID?, style: LoginStyle = .secondScreen, data: [String: String] = [:]) {
        self.provider = provider
        self.style = style
        self.data = data
    }
}

/// How the app wants its viewers to log in: by a code on another screen, or in a browser that the app opens.
public enum LoginStyle: Hashable, Sendable { case secondScreen, browser }

public enum LoginStep: Sendable {
    case showCode(OpenLogin)
    case openURL(OpenLogin)
    case alreadyIn(ProviderID, LoginReason)
}

public enum LoginReason: Hashable, Sendable { case regular, signOn, temporary, degraded }

public enum LoginPoll: Sendable {
    case pending
    case done(Profile)
    /// The code is dead: used up, expired or replaced.
    case gone
}

public enum LogoutStep: Hashable, Sendable {
    case finished
    case openURL(String)
    case systemSettings
    case nothingToDo
}
