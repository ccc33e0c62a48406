// The port by which the engine asks a service. The richer interface shapes it; an older one is fitted to it and says in
// its traits what it cannot do. The engine's queue does not wait for the work: each method does it elsewhere, ends by
// the caller's deadline, and ends early when its task is cancelled. A denial is an answer and no `BackendFault`.
// Contract: rest-v2.md §21.

public protocol EntitlementBackend: Sendable {
    /// What the interface can do; the same for as long as the process lives.
    var traits: BackendTraits { get }

    /// By what the service knows this app. No call is made, and the answer is always the same.
    func registration(of app: AppID, statement: Secret) -> RegistrationKey

    /// Registers the app if need be; when it returns, there is a valid access token.
    func prepare(_ caller: BackendCaller) async throws(BackendFault)
    /// The requestor's providers, temporary passes included, for a picker only.
    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider]
    /// As the service knows it now or later: no answer to a question that was asked before a logout is handed to one
    /// that came after it.
    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile]
    /// Asks for a code, or for the page of a login; a viewer who is logged in already needs neither.
    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep
    /// What has become of a code.
    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll
    /// A code that nobody wants any more. What the service says to it is nobody's business.
    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async
    /// May these be played? One decision for each resource, in their order; a permit brings its media token along.
    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Hints of what would be permitted, one for each resource, in their order; without media tokens.
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Ends the login at the service, and says what the app has left to do.
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
    /// Who runs the platform's TV account, if the box has one: also while nothing can be heard of it.
    public var partner: Partner?
    /// What is heard of it.
    public var partnerStatus: PartnerStatus? {
        didSet { partner = partnerStatus?.partner ?? partner }
    }
    /// Whose turn at the service it takes.
    public var owner = CallOwner.box
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
    /// A requestor's viewers can be logged in with several providers on one device; else a new login replaces the
    /// former.
    public var multipleProfiles: Bool
    /// A code can be taken back; else it lives until it runs out or the next one takes its place.
    public var cancellableCode: Bool
    /// Both sign-on tokens can be sent; else that of the box at most, and by the device's identifier the service itself
    /// finds the logins of other requestors.
    public var headerSignOn: Bool
    /// A temporary pass begins with `beginLogin`, like a login; else it is there as soon as it is chosen.
    public var temporaryPassByCall: Bool
    /// No service is there: nothing is polled, and no logout is sent.
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
    /// A new login is wanted even if there is one. An interface that lets nobody in twice does not heed it.
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
