// One app's AccessEnabler. A session owns its requestor, its options and its conversation with the viewer about a
// login; everything else is shared with other sessions through the engine. The server calls its methods with parameters
// and passes its results and callbacks to the app; the rest of the engine calls it as `LoginListener`. All of it
// happens on the engine's queue. Contract: access-enabler.md §2, §4; rpc.md §3.

import PassJSON
import PassProtocol

@EngineActor public final class Session: LoginListener {
    /// The app for which a requestor is set, as policy identified it.
    public struct Grant: Sendable {
        public var app: AppID
        /// The software statement of the app's stanza; nil if the app sends its own.
        public var statement: Secret?
        /// All requestors that the app may use. `storageCheck` erases nothing of other requestors.
        public var requestors: Set<RequestorID>
        /// Whether policy lets the app erase the logins of all requestors. Contract: open-questions.md OQ-16.
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

    enum RequestorSetup {
        /// `setRequestor` was never called, or it failed for this requestor.
        case unset(failed: LoginKey?)
        /// `setRequestor` is being carried out; other calls wait for it.
        case configuring(Asker)
        case ready(Asker)
    }

    public let number: Int64
    let engine: Engine
    /// The user whose share of the service's budget the session's calls use.
    let owner: CallOwner
    private let write: (Callback) -> Void
    var options = SessionOptions()
    var conversation = Conversation()
    var setup = RequestorSetup.unset(failed: nil)
    /// The app's calls, which are answered in the order in which they came.
    let calls = TurnQueue()
    /// Fires when the session stops waiting for the login in the app's browser.
    var browserExpiry: (any EngineAlarm)?
    /// The sign-on through the platform's TV account that is in progress for this session.
    var platformRun: Task<PartnerSignOn.Ending, Never>?
    private(set) var isClosed = false

    init(_ number: Int64, _ engine: Engine, owner: CallOwner, write: @escaping (Callback) -> Void) {
        self.number = number
        self.engine = engine
        self.owner = owner
        self.write = write
    }

    /// The asker with the app's current options. Nil while the requestor is not set or is being set up.
    var asker: Asker? {
        guard case .ready(var asker) = setup else { return nil }
        asker.visitorID = options.visitorID
        asker.deviceInfo = options.deviceInfo
        asker.applicationProfile = options.applicationProfile
        asker.temporaryIdentity = conversation.temporaryIdentity
        return asker
    }

    /// The asker, also while the requestor is being set up.
    var currentAsker: Asker? {
        switch setup {
        case .unset: nil
        case .configuring(let asker), .ready(let asker): asker
        }
    }

    /// Nothing is under way that would cause later callbacks, and the session knows nothing of the viewer that is not
    /// stored.
    public var isAtRest: Bool { conversation.isAtRest }

    var isLoggingIn: Bool { conversation.isOpen }

    /// The requestor for which `setRequestor` failed last.
    var failedKey: LoginKey? { if case .unset(let failed) = setup { failed } else { nil } }

    private var key: LoginKey? { currentAsker?.key }

    public var requestor: RequestorID? { key?.requestor }

    /// The app has disconnected. An open login is given up, unless another session shows it.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        browserExpiry?.cancel()
        platformRun?.cancel()
        let (key, asker) = (key, currentAsker)
        _ = conversation.handle(.abandoned)
        setup = .unset(failed: failedKey)
        calls.passTurnOn()
        engine.audience.leave(self)
        if let asker, let login = conversation.browser.login { engine.openLogins.abandonCode(of: login, for: asker) }
        if let key { await engine.openLogins.hide(of: key, session: number) }
    }

    func emit(_ callback: Callback) {
        guard options.wantsCallbacks, !isClosed else { return }
        write(callback)
    }

    func report(_ status: SDKStatus, _ message: String? = nil, extras: JSONObject = JSONObject()) {
        emit(.status(StatusMessage(status, message: message, extras: extras)))
        if status.level != .info, status != .REGCODE {
            engine.context.publish(.status(session: number, requestor, status))
        }
    }

    func track(_ tracking: Tracking) { emit(.sendTrackingData(tracking.event, tracking.data)) }

    /// The tracking GUID of the viewer. A temporary pass belongs to the device and not to a viewer. Contract:
    /// access-enabler.md §15.3, §16.1.
    func guid(_ profile: Profile?) -> String {
        if profile?.kind == .temporary { return engine.context.ports.digest(engine.device.rawValue) }
        guard case .string(let user)? = profile?.userID else { return "" }
        return engine.context.ports.digest(user)
    }

    private var isConfiguring: Bool { if case .configuring = setup { true } else { false } }

    /// The asker, after any `setRequestor` that is under way; nil if no requestor is set. Calls get their turn in the
    /// order of their arrival. Contract: §6.2.
    func settledAsker() async -> Asker? {
        await awaitTurn()
        calls.passTurnOn()
        return asker
    }

    /// Waits for the turn and takes it. Other calls wait until `calls.passTurnOn()`.
    func awaitTurn() async {
        if isConfiguring || calls.isTaken { await calls.wait(at: .last) }
        while isConfiguring { await calls.wait(at: .first) }
        calls.takeTurn()
    }

    /// Runs `work` while later calls of the session wait.
    func inTurn<Outcome>(
        _ work: @EngineActor () async throws(RPCError) -> Outcome
    ) async throws(RPCError) -> Outcome {
        await awaitTurn()
        defer { calls.passTurnOn() }
        return try await work()
    }

    func caller(for asker: Asker) -> BackendCaller {
        engine.context.caller(for: asker, until: engine.context.callDeadline)
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
        let provider = engine.logins.selection(of: requestor)?.provider
        let isIn = asker.flatMap { engine.logins.login(of: $0.key) } != nil
        let result = GetSelectedProvider.Result(
            provider: provider?.mvpd, state: isIn ? .authenticated : provider == nil ? .newUser : .notAuthenticated)
        emit(.selectedProvider(result))
        return result
    }
}
