// One app's AccessEnabler: its requestor, its options, its login flow. Sessions share everything else through the
// engine. Contract: access-enabler.md §2, §4; rpc.md §3.

import PassJSON
import PassProtocol

@EngineActor public final class Session {
    /// The app on whose behalf a requestor is used, as policy found it.
    public struct Grant: Sendable {
        public var app: AppID
        /// Of the app's stanza.
        public var statement: Secret?
        /// All that the app may use: whose storage it may have erased.
        public var requestors: Set<RequestorID>
        /// Policy lets it erase everybody's. Contract: open-questions.md OQ-16.
        public var mayEraseAll: Bool

        public init(
            app: AppID, statement: Secret?, requestors: Set<RequestorID> = [], mayEraseAll: Bool = false
        ) {
            self.app = app
            self.statement = statement
            self.requestors = requestors
            self.mayEraseAll = mayEraseAll
        }
    }

    enum Standpoint {
        /// `setRequestor` was never called, or it failed.
        case unset(hasFailed: Bool)
        /// Calls wait until it is done.
        case configuring(Standing)
        case ready(Standing)
    }

    public let number: Int64
    let engine: Engine
    /// Who is connected.
    let owner: CallOwner
    private let write: (Callback) -> Void
    var options = SessionOptions()
    let turns = Turns()
    var standpoint = Standpoint.unset(hasFailed: false)
    var flow = AuthenticationFlow()
    /// Chosen outside of a flow, for the next one.
    var choice: ProviderID?
    /// `data` of the last `getAuthentication`, and the temporary pass that it was for.
    var data: [String: String] = [:]
    var temporaryIdentity: [String: String] = [:]
    var browserExpiry: (any EngineAlarm)?
    /// The platform's TV account is being asked for this session.
    var platformRun: Task<PartnerSignOn.Ending, Never>?
    /// What kept the platform from signing on when it was asked last.
    var platformObstacle: PartnerSignOn.Obstacle?
    /// The login that a flow has chosen away from: where a cancel signs nobody out, it comes back. OQ-9.
    var formerSelection: Selection?
    /// Whose page the browser shows.
    var browserLogin: OpenLogin?
    /// The requestor that could not be set up.
    var failedKey: LoginKey?
    /// How often the viewer backed out: a choice that was under way then is no choice any more.
    var cancelCount = 0
    /// Providers' own logouts, one after the other in the app's browser; the first one is on its screen.
    var logoutPages: [(provider: ProviderID, url: String)] = []
    /// A login elsewhere was faster than the one in this session's browser, which has not come back yet.
    var isOvertaken = false
    /// The requestor's list, as it was asked for last.
    var offered: [Provider] = []
    /// What viewers choose from: no temporary passes. Contract: rest-v2.md §13, §18.2.
    var picker: [Provider] { offered.filter { !$0.isTempPass } }
    private(set) var isClosed = false

    init(_ number: Int64, _ engine: Engine, _ owner: CallOwner, _ write: @escaping (Callback) -> Void) {
        self.number = number
        self.engine = engine
        self.owner = owner
        self.write = write
    }

    /// The requestor in use. Nil while it is being set up.
    var standing: Standing? {
        guard case .ready(var standing) = standpoint else { return nil }
        standing.visitorID = options.visitorID
        standing.deviceInfo = options.deviceInfo
        standing.applicationProfile = options.applicationProfile
        standing.temporaryIdentity = temporaryIdentity
        return standing
    }

    /// In use, or being set up.
    var currentStanding: Standing? {
        switch standpoint {
        case .unset: nil
        case .configuring(let standing), .ready(let standing): standing
        }
    }

    /// Nothing is under way that would have to be told afterwards, and nothing is known of the viewer alone.
    public var isAtRest: Bool {
        !flow.isOpen && logoutPages.isEmpty && browserLogin == nil && temporaryIdentity.isEmpty
    }

    private var key: LoginKey? { currentStanding?.key }

    public var requestor: RequestorID? { key?.requestor }

    /// The app is gone. An open login is given up, unless another session shows it.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        browserExpiry?.cancel()
        platformRun?.cancel()
        let (key, standing) = (key, currentStanding)
        _ = flow.handle(.abandoned)
        standpoint = .unset(hasFailed: false)
        turns.passOn()
        engine.forget(self)
        if let standing, let login = browserLogin { engine.takeBack(login, standing) }
        if let key { await engine.hide(key, from: self) }
    }

    func emit(_ callback: Callback) {
        guard options.wantsCallbacks, !isClosed else { return }
        write(callback)
    }

    func report(_ status: SDKStatus, _ message: String? = nil, extras: JSONObject = JSONObject()) {
        emit(.status(StatusMessage(status, message: message, extras: extras)))
        if status.level != .info, status != .REGCODE { engine.tell(.status(session: number, requestor, status)) }
    }

    func track(_ tracking: Tracking) { emit(.sendTrackingData(tracking.event, tracking.data)) }

    /// A temporary pass is the device's, whoever watches. Contract: access-enabler.md §15.3, §16.1.
    func guid(_ profile: Profile?) -> String {
        if profile?.kind == .temporary { return engine.ports.digest(engine.device.rawValue) }
        guard case .string(let user)? = profile?.userID else { return "" }
        return engine.ports.digest(user)
    }

    private var isConfiguring: Bool { if case .configuring = standpoint { true } else { false } }

    /// The requestor, after a `setRequestor` that may be under way; nil if there is none. Calls get their turn in the
    /// order in which they came. Contract: §6.2.
    func settled() async -> Standing? {
        await turn()
        turns.passOn()
        return standing
    }

    /// Whoever has the turn keeps the others waiting until it passes it on.
    func turn() async {
        if isConfiguring || turns.areTaken { await turns.wait(.last) }
        while isConfiguring { await turns.wait(.first) }
        turns.take()
    }

    func caller(_ standing: Standing) -> BackendCaller {
        engine.caller(standing, deadline: engine.deadline(engine.settings.callDeadline))
    }

    // MARK: Calls that need no service

    public func setOptions(_ params: SetOptions.Params) -> EmptyResult {
        options.apply(params)
        return EmptyResult()
    }

    /// Contract: access-enabler.md §7.9.
    public func getSelectedProvider() throws(RPCError) -> GetSelectedProvider.Result {
        guard let requestor else {
            emit(.selectedProvider(.init(provider: nil, state: .newUser)))
            throw .requestorNotSet()
        }
        let provider = engine.memory.contents.selections[requestor]?.provider
        let isIn = standing.flatMap { engine.login(of: $0.key) } != nil
        let result = GetSelectedProvider.Result(
            provider: provider?.mvpd, state: isIn ? .authenticated : provider == nil ? .newUser : .notAuthenticated)
        emit(.selectedProvider(result))
        return result
    }
}
