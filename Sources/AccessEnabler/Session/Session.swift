// One app's AccessEnabler: its requestor, its options, and its conversation with the viewer about a login. Parameters
// come in, results and callbacks go out; everything else is shared with other sessions through the engine's rooms, and
// they reach this one as its `LoginListener`. Contract: access-enabler.md §2, §4; rpc.md §3.

import PassJSON
import PassProtocol

@EngineActor public final class Session: LoginListener {
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

    enum RequestorSetup {
        /// `setRequestor` was never called, or it failed for this requestor.
        case unset(failed: LoginKey?)
        /// Calls wait until it is done.
        case configuring(Asker)
        case ready(Asker)
    }

    public let number: Int64
    let engine: Engine
    /// Who is connected.
    let owner: CallOwner
    private let write: (Callback) -> Void
    var options = SessionOptions()
    var conversation = Conversation()
    var setup = RequestorSetup.unset(failed: nil)
    /// The app's calls, which are answered in the order in which they came.
    let calls = TurnQueue()
    /// Rings when the login's page in the app's browser is waited for no longer.
    var browserExpiry: (any EngineAlarm)?
    /// The platform's TV account is being asked for this session.
    var platformRun: Task<PartnerSignOn.Ending, Never>?
    private(set) var isClosed = false

    init(_ number: Int64, _ engine: Engine, owner: CallOwner, write: @escaping (Callback) -> Void) {
        self.number = number
        self.engine = engine
        self.owner = owner
        self.write = write
    }

    /// Who asks, with the app's options of now. Nil while the requestor is not set, or is being set up.
    var asker: Asker? {
        guard case .ready(var asker) = setup else { return nil }
        asker.visitorID = options.visitorID
        asker.deviceInfo = options.deviceInfo
        asker.applicationProfile = options.applicationProfile
        asker.temporaryIdentity = conversation.temporaryIdentity
        return asker
    }

    /// The same, also while the requestor is being set up.
    var currentAsker: Asker? {
        switch setup {
        case .unset: nil
        case .configuring(let asker), .ready(let asker): asker
        }
    }

    /// Nothing is under way that would have to be told afterwards, and nothing is known of the viewer alone.
    public var isAtRest: Bool { conversation.isAtRest }

    var isLoggingIn: Bool { conversation.isOpen }

    /// The requestor that could not be set up.
    var failedKey: LoginKey? { if case .unset(let failed) = setup { failed } else { nil } }

    private var key: LoginKey? { currentAsker?.key }

    public var requestor: RequestorID? { key?.requestor }

    /// The app is gone. An open login is given up, unless another session shows it.
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

    /// A temporary pass is the device's, whoever watches. Contract: access-enabler.md §15.3, §16.1.
    func guid(_ profile: Profile?) -> String {
        if profile?.kind == .temporary { return engine.context.ports.digest(engine.device.rawValue) }
        guard case .string(let user)? = profile?.userID else { return "" }
        return engine.context.ports.digest(user)
    }

    private var isConfiguring: Bool { if case .configuring = setup { true } else { false } }

    /// The requestor, after a `setRequestor` that may be under way; nil if there is none. Calls get their turn in the
    /// order in which they came. Contract: §6.2.
    func settledAsker() async -> Asker? {
        await awaitTurn()
        calls.passTurnOn()
        return asker
    }

    /// Whoever has the turn keeps the others waiting until it passes it on.
    func awaitTurn() async {
        if isConfiguring || calls.isTaken { await calls.wait(at: .last) }
        while isConfiguring { await calls.wait(at: .first) }
        calls.takeTurn()
    }

    /// The calls that come after this one wait until it is done with this.
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
