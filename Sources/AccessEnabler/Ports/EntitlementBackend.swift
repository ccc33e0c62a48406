// The port to the service. The port has the form of REST V2. A backend for an older interface adapts to this form, and its
// `traits` say what it cannot do. The engine calls the port from its queue. The methods work on other threads and do not block
// the queue. A method returns by the caller's deadline, and earlier if its task is cancelled. A denial is an answer and not a
// `BackendFault`. Contract: rest-v2.md §21.

/// A service that knows what viewers may watch.
public protocol EntitlementBackend: Sendable {
    /// The abilities of the interface. They do not change while the process runs.
    var traits: BackendTraits { get }

    /// The key of the app's registration at this service. Makes no request, and returns the same key for the same
    /// arguments.
    func registration(of app: AppID, statement: Secret) -> RegistrationKey

    /// Registers the app if necessary. When this method returns, there is a valid access token.
    func prepare(_ caller: BackendCaller) async throws(BackendFault)
    /// The requestor's providers, including temporary passes.
    func providers(_ caller: BackendCaller) async throws(BackendFault) -> [Provider]
    /// Drops the list of providers from memory, because an answer of the service contradicts it.
    func forgetProviders(_ caller: BackendCaller)
    /// The logins that the service knows. The answer is never older than the call: after a logout, a call does not
    /// share the answer to an earlier question.
    func profiles(_ query: ProfileQuery, _ caller: BackendCaller) async throws(BackendFault) -> [Profile]
    /// Asks for a code or a login page. A viewer who is already logged in needs neither.
    func beginLogin(_ request: LoginRequest, _ caller: BackendCaller) async throws(BackendFault) -> LoginStep
    /// Asks for the outcome of a code.
    func pollLogin(_ login: OpenLogin, _ caller: BackendCaller) async throws(BackendFault) -> LoginPoll
    /// Tells the service that a code is no longer wanted. Failures are ignored.
    func abandonLogin(_ login: OpenLogin, _ caller: BackendCaller) async
    /// Asks whether the resources may be played. Returns one decision for each resource, in the order of the resources. A
    /// permit includes its media token.
    func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Asks whether the resources would probably be permitted. Returns one decision for each resource, in the order of the
    /// resources, without media tokens.
    func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision]
    /// Ends the login at the service. Returns the remaining step of the app.
    func logout(_ provider: ProviderID, _ caller: BackendCaller) async throws(BackendFault) -> LogoutStep
    /// Asks for the request that the platform's TV account has to forward to the provider.
    func partnerRequest(
        _ provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> PartnerStep
    /// Sends the provider's answer to the service, as the TV account has returned it. The service then returns a login.
    func exchange(
        _ response: Secret, at provider: ProviderID, of partner: Partner, _ caller: BackendCaller
    ) async throws(BackendFault) -> Profile
}

extension EntitlementBackend {
    /// The default, for a backend that caches no list.
    public func forgetProviders(_ caller: BackendCaller) {}
}

/// The party for which a call is made, and the data for the service.
public struct BackendCaller: Sendable {
    public var registration: RegistrationKey
    public var softwareStatement: Secret
    public var requestor: RequestorID
    public var device: DeviceID
    public var options = AppOptions()
    /// The operator of the platform's TV account, if the box has such an account. The operator is known even before the
    /// account's first answer.
    public var partner: Partner?
    /// The last answer of the TV account.
    public var partnerStatus: PartnerStatus? {
        didSet { partner = partnerStatus?.partner ?? partner }
    }
    /// Whether addresses for the app's browser may contain the device's identifier.
    public var mayShowDevice = true
    /// The user and app to which the request is charged.
    public var owner = RequestOwner.box
    public var urgency = Urgency(.background)
    /// The call returns by this time.
    public var deadline: BootTime
}

/// The abilities of an interface. The engine branches on these traits and never on a version number.
public struct BackendTraits: Hashable, Sendable {
    /// Whether a requestor can have logins with several providers on one device. If not, a new login replaces the former
    /// login.
    public var multipleProfiles: Bool
    /// Whether a code can be cancelled. If not, the code lives until it expires or the next code replaces it.
    public var cancellableCode: Bool
    /// Whether the service gets both tokens of `PlatformSSO`. If not, it gets at most the box's token, and finds the logins of
    /// other requestors by the device identifier.
    public var headerSignOn: Bool
    /// Whether a temporary pass begins with `beginLogin`, like a login. If not, it is valid as soon as it is chosen.
    public var temporaryPassByCall: Bool
    /// Whether a forced login first ends the former login with the provider.
    public var forcedLoginEndsFormer = false
    /// Whether no service is configured: nothing is polled, and no logout is sent.
    public var isAbsent = false

    public init(
        multipleProfiles: Bool, cancellableCode: Bool, headerSignOn: Bool, temporaryPassByCall: Bool = false,
        forcedLoginEndsFormer: Bool = false
    ) {
        self.multipleProfiles = multipleProfiles
        self.cancellableCode = cancellableCode
        self.headerSignOn = headerSignOn
        self.temporaryPassByCall = temporaryPassByCall
        self.forcedLoginEndsFormer = forcedLoginEndsFormer
    }
}

/// The logins that the service is asked about.
public enum ProfileQuery: Sendable {
    case all
    case provider(ProviderID)
    case login(OpenLogin)
}

/// A request to begin a login.
public struct LoginRequest: Sendable {
    /// Nil if the viewer chooses the provider on a page of the service.
    public var provider: ProviderID?
    public var style = LoginStyle.secondScreen
    /// The param `data` of `getAuthentication`.
    public var data: [String: String] = [:]
    /// Whether to make a new login even if the viewer is logged in. An interface that cannot make such a login ignores this
    /// property.
    public var isForced = false
    /// Whether the service may still have a login that has ended here. If so, the backend must not accept an earlier login.
    /// Ruling 44.
    public var isFresh = false
}

/// How the app wants its viewers to log in: with a code on another screen, or in a browser that the app opens.
public enum LoginStyle: Hashable, Sendable { case secondScreen, browser }

/// What the viewer has to do for a login.
public enum LoginStep: Sendable {
    /// Type the code on another screen.
    case showCode(OpenLogin)
    /// Log in on the page that the app opens.
    case openURL(OpenLogin)
    /// No step: the service already knows a login.
    case alreadyIn(ProviderID, LoginReason)

    var isIn: Bool { if case .alreadyIn = self { true } else { false } }
}

/// The reason why the service lets the viewer in.
public enum LoginReason: Hashable, Sendable { case regular, signOn, temporary, degraded }

/// The state of a code.
public enum LoginPoll: Sendable {
    case pending
    case done(Profile)
    /// The code can no longer be used: it was used, has expired, or was replaced.
    case gone
}

/// The app's remaining step after a logout.
public enum LogoutStep: Hashable, Sendable {
    /// The service has ended the login.
    case finished
    /// The app has to open this page of the provider.
    case openURL(String)
    /// The viewer has to sign out in the settings of the platform.
    case systemSettings
    /// The service has no such login.
    case nothingToDo
}
