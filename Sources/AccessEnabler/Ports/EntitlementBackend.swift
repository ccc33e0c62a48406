// The port to the service. Its shape follows the richer interface, REST V2; the older one is adapted to it, and its
// traits say what it cannot do. The engine calls every method from its own queue and does not block: each method works
// elsewhere, returns by the caller's deadline, and returns early when its task is cancelled. A denial is an answer and
// not a `BackendFault`.
// Contract: rest-v2.md §21.

public protocol EntitlementBackend: Sendable {
    /// What the interface can do. It never changes while the process runs.
    var traits: BackendTraits { get }

    /// The key of this app's registration. It is computed without a call, and is always the same for the same
    /// arguments.
    func registration(of app: AppID, statement: Secret) -> RegistrationKey

    /// Registers the app if necessary. On return there is a valid access token.
    func prepare(_ caller: BackendCaller) async throws(BackendFault)
    /// The requestor's providers, including temporary passes. The list is for a picker only.
    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider]
    /// The logins that the service knows of. The answer is never older than the call: a call after a logout does not
    /// share the answer of a request that was sent before it.
    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile]
    /// Requests a code or a login page. A viewer who is already logged in needs neither, and the step says so.
    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep
    /// Asks whether the login with this code is completed.
    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll
    /// Gives back a code that is no longer needed. Failures are ignored.
    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async
    /// Decides whether these resources may be played: one decision for each, in their order. A permit contains its
    /// media token.
    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Predicts what would be permitted: one decision for each resource, in their order, without media tokens.
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Ends the login at the service, and returns what the app still has to do.
    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep
    /// Requests what the platform's TV account has to forward to the provider.
    func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep
    /// Turns the provider's response, as the TV account returned it, into a login.
    func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile
}

/// The app, requestor and device for which a call is made, and the values that are sent with it.
public struct BackendCaller: Sendable {
    public var registration: RegistrationKey
    public var softwareStatement: Secret
    public var requestor: RequestorID
    public var device: DeviceID
    /// `visitorID` of the app's options.
    public var visitorID: String?
    /// `deviceInfo` of the app's options, in Base64. It replaces what the daemon knows about the device.
    public var deviceInfo: String?
    /// `applicationProfile` of the app's options. An interface without a field for it does not send it. OQ-25.
    public var applicationProfile: String?
    /// Identifies the viewer of a promotional temporary pass. The app has hashed the values. Contract: rest-v2.md §3.9.
    public var temporaryIdentity: [String: String] = [:]
    /// The operator of the platform's TV account, if the box has one. It is set even if the account cannot be reached.
    public var partner: Partner?
    /// The last answer of the TV account; nil if there is none.
    public var partnerStatus: PartnerStatus? {
        didSet { partner = partnerStatus?.partner ?? partner }
    }
    /// To whom the call is charged in the request budget.
    public var owner = CallOwner.box
    /// When the call fails if there is no answer yet.
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
    /// A requestor can have logins with several providers on one device. Otherwise a new login replaces the former one.
    public var multipleProfiles: Bool
    /// A code can be given back. Otherwise it stays valid until it expires or is replaced by the next one.
    public var cancellableCode: Bool
    /// Both sign-on tokens can be sent. Otherwise at most the box's token is sent, and the service finds the logins of
    /// other requestors by the device's identifier.
    public var headerSignOn: Bool
    /// A temporary pass starts with `beginLogin`, like a login. Otherwise it exists as soon as it is chosen.
    public var temporaryPassByCall: Bool
    /// There is no service: nothing is polled and no logout is sent.
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
    /// `data` of `getAuthentication`.
    public var data: [String: String]
    /// Start a new login even if there is one already. An interface that allows only one login at a time ignores this.
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
