// The port through which the engine asks the service. It has the shape of REST V2; the implementation of REST V1 says
// in its traits what it cannot do. The methods may be called on the engine's queue and never block it: the work is done
// elsewhere. Each method ends by the caller's deadline, and early when its task is cancelled. A denial is an answer,
// not a `BackendFault`. Contract: rest-v2.md §21.

public protocol EntitlementBackend: Sendable {
    /// What the interface can do. It never changes while the process runs.
    var traits: BackendTraits { get }

    /// The key under which the service knows this app. It is computed, without asking the service.
    func registration(of app: AppID, statement: Secret) -> RegistrationKey

    /// Registers the app if necessary. When it returns, there is a valid access token.
    func prepare(_ caller: BackendCaller) async throws(BackendFault)
    /// The requestor's providers, including temporary passes, for a picker.
    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider]
    /// The logins as the service knows them when asked or later. A caller that asks after a logout never gets the
    /// answer to a question from before that logout.
    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile]
    /// Asks for a code, or for the address of a login page. A viewer who is already logged in needs neither.
    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep
    /// Asks whether the viewer has logged in with a code.
    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll
    /// Gives back a code that is no longer needed. The service's answer does not matter.
    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async
    /// Asks whether the resources may be played. Returns one decision for each, in the same order; a permission comes
    /// with its media token.
    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Asks which resources would be permitted. Returns one hint for each, in the same order, without media tokens.
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Ends the login at the service, and returns what the app still has to do.
    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep
    /// Asks for the request that the platform's TV account has to forward to the provider.
    func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep
    /// Turns the provider's response, as the TV account returned it, into a login.
    func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile
}

/// On whose behalf a call is made, and what is sent with it.
public struct BackendCaller: Sendable {
    public var registration: RegistrationKey
    public var softwareStatement: Secret
    public var requestor: RequestorID
    public var device: DeviceID
    /// The option `visitorID` of the app.
    public var visitorID: String?
    /// The option `deviceInfo` of the app, in Base64; it replaces what the daemon knows about the device.
    public var deviceInfo: String?
    /// The option `applicationProfile` of the app; an interface without a place for it does not send it. OQ-25.
    public var applicationProfile: String?
    /// For a promotional temporary pass: what identifies the viewer, hashed by the app. Contract: rest-v2.md §3.9.
    public var temporaryIdentity: [String: String] = [:]
    /// The company that runs the platform's TV account, if the box has one, even while the account does not answer.
    public var partner: Partner?
    /// What the TV account last reported about its viewer.
    public var partnerStatus: PartnerStatus? {
        didSet { partner = partnerStatus?.partner ?? partner }
    }
    /// Whose share of the request budget the call uses.
    public var owner = CallOwner.box
    /// The call fails if it has no answer by then.
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

/// What an interface can do. The engine branches on these traits and never on a version number.
public struct BackendTraits: Hashable, Sendable {
    /// Whether a requestor can have logins with several providers on one device. If not, a new login replaces the
    /// former one.
    public var multipleProfiles: Bool
    /// Whether a code can be given back. If not, it lives until it expires or the next one replaces it.
    public var cancellableCode: Bool
    /// Whether both sign-on tokens can be sent. If not, at most that of the box is sent, and the service finds the
    /// logins of other requestors by the device's identifier.
    public var headerSignOn: Bool
    /// Whether a temporary pass starts with `beginLogin`, like a login. If not, it starts as soon as it is chosen.
    public var temporaryPassByCall: Bool
    /// Whether no service is configured: nothing is polled, and no logout is sent.
    public var isAbsent = false

    public init(
        multipleProfiles: Bool, cancellableCode: Bool, headerSignOn: Bool, temporaryPassByCall: Bool = false
    ) {
        self.multipleProfiles = multipleProfiles
        self.cancellableCode = cancellableCode
        self.headerSignOn = headerSignOn
        self.temporaryPassByCall = temporaryPassByCall
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
    /// The param `data` of `getAuthentication`.
    public var data: [String: String]
    /// Whether a new login is wanted even if there is one. An interface that cannot do that ignores it.
    public var isForced: Bool

    public init(
        provider: ProviderID?, style: LoginStyle = .secondScreen, data: [String: String] = [:], isForced: Bool = false
    ) {
        self.provider = provider
        self.style = style
        self.data = data
        self.isForced = isForced
    }
}

/// How viewers of the app log in: with a code on a second screen, or in a browser that the app opens.
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
    /// The code has been used, replaced, or has expired.
    case gone
}

public enum LogoutStep: Hashable, Sendable {
    case finished
    case openURL(String)
    case systemSettings
    case nothingToDo
}
