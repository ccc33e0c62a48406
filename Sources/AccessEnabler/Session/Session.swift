// One app's connection to the engine: its requestor, its options, and its login flow. It turns the app's calls into results
// and callbacks. Everything else belongs to the engine and is shared by all sessions. Other sessions reach this one through
// `Audience`. The client's connection owns the session and closes it. Contract: access-enabler.md §2, §4; rpc.md §3.

public import PassJSON
public import PassProtocol

@EngineActor public final class Session {
    /// The rights that policy grants to the app that sets a requestor.
    public struct AppRights: Sendable {
        public var app: AppID
        /// The software statement from the app's stanza, if it has one.
        public var statement: Secret?
        /// The requestors that the app may use. If `setRequestor` asks for a storage check that erases data, only the data of
        /// these requestors is erased. Contract: open-questions.md OQ-16.
        public var requestors: Set<RequestorID> = []
    }

    /// The number of the session. Since the daemon started, no other session has had this number.
    public let number: Int64
    let engine: Engine
    /// The client that is charged for requests to the service.
    let owner: RequestOwner
    private let write: (Callback) -> Void
    /// The options that the app has set with `setOptions`. A call replaces the options that it contains.
    public private(set) var options = SetOptions.Params()
    /// The options that go to the service.
    var appOptions: AppOptions { AppOptions(options) }
    var conversation = Conversation()
    let setup = RequestorSetup()
    /// The alarm that ends the wait for a browser that does not return from the login page.
    var browserExpiry: (any EngineAlarm)?
    /// The sign-on with the platform's TV account that is under way.
    var platformRun = PlatformRun()
    private(set) var isClosed = false
    /// The last QR code that was drawn for the open login. It is kept because an app may ask for it repeatedly.
    @Rare var drawn: (page: String, form: QRForm, picture: QRPicture)?
    /// The outcome of a login that is being stored.
    @Rare var concluding: LoginOutcome?
    /// The sentence about the end of the viewer's last login; nil if the viewer ended it in this app or has signed in
    /// since.
    var signedOut: BoxSentence?
    /// The calls that joined the open login and wait for the service's answer to an earlier call.
    private var joined: [CheckedContinuation<Void, Never>] = []

    init(_ number: Int64, _ engine: Engine, owner: RequestOwner, write: @escaping (Callback) -> Void) {
        self.number = number
        self.engine = engine
        self.owner = owner
        self.write = write
    }

    /// The asker, with the current options of the app. Nil while no requestor is set, and while a requestor is being set up.
    var asker: Asker? {
        guard var asker = setup.ready else { return nil }
        asker.options = appOptions
        asker.options.temporaryIdentity = conversation.temporaryIdentity
        return asker
    }

    /// Like `asker`, but also set while the requestor is being set up, and without the current options.
    var currentAsker: Asker? { setup.current }

    /// Whether the session can be rebuilt after a restart of the daemon, by repeating the app's calls. This is false while work
    /// is in progress, and after the app has sent a viewer's identity for a temporary pass.
    public var isAtRest: Bool { conversation.isAtRest }

    /// Whether a login is in progress, or the viewer has chosen a provider but has not logged in.
    var isLoggingIn: Bool { conversation.isOpen || conversation.ownChoice != nil }

    private var key: LoginKey? { currentAsker?.key }

    public var requestor: RequestorID? { key?.requestor }

    /// Ends the session of an app that has disconnected, or has lost the right to its requestor. After a disconnect, passd
    /// continues to poll the session's code, because the viewer may still log in with it. If the app has lost its right, passd
    /// gives the code up.
    public func close(givingUpCode: Bool = false) async {
        guard !isClosed else { return }
        isClosed = true
        browserExpiry?.cancel()
        platformRun.task?.cancel()
        let key = key
        _ = conversation.handle(.abandoned)
        wakeJoined()
        setup.end(failing: setup.failure)
        setup.passTurnOn()
        engine.audience.leave(self)
        guard let key else { return }
        if givingUpCode {
            await engine.openLogins.hide(of: key, session: number)
        } else {
            await engine.openLogins.leave(of: key, session: number)
        }
    }

    func emit(_ callback: Callback) {
        guard options.callbacks != false, !isClosed else { return }
        write(options.language.map(callback.translated) ?? callback)
    }

    func report(_ status: SDKStatus, _ message: String? = nil, extras: JSONObject = JSONObject()) {
        emit(.status(StatusMessage(status, message: message, extras: extras)))
        if status.level != .info, status != .REGCODE {
            engine.context.publish(.status(status), requestor, session: number)
        }
    }

    func track(_ tracking: Tracking) { emit(.sendTrackingData(tracking.event, tracking.data)) }

    /// The viewer's pseudonym in tracking data. For a temporary pass, it is made from the device's identifier, because the pass
    /// belongs to the device. Contract: access-enabler.md §15.3, §16.1.
    func guid(_ profile: Profile?) -> String {
        if profile?.kind == .temporary { return engine.context.ports.digest(engine.device.rawValue) }
        guard case .string(let user)? = profile?.userID else { return "" }
        return engine.context.ports.digest(user)
    }

    /// Waits for a `setRequestor` in progress, and returns the asker. If no requestor is set, throws the error that `failing`
    /// returns. Calls take turns in the order of their arrival. If a call is more urgent than the awaited setup, the setup
    /// becomes as urgent as the call. Contract: §6.2.
    func settledAsker(
        _ rank: CallRank = .start, failing: (RPCError) -> RPCError = { $0 }
    ) async throws(RPCError) -> Asker {
        let (asker, absence) = await awaitTurnAndAsker(rank)
        setup.passTurnOn()
        guard let asker else { throw failing(absence) }
        return asker
    }

    /// Does the same as `settledAsker`, for a call that later calls must not overtake. Later calls wait until the caller calls
    /// `passTurnOn`. `absence` is the error if no requestor is set. If the call waited for a `setRequestor` that failed,
    /// `absence` is the error of that `setRequestor`.
    func awaitTurnAndAsker(_ rank: CallRank) async -> (asker: Asker?, absence: RPCError) {
        let waits = setup.isBusy
        let deadline = engine.context.callDeadline
        await setup.awaitTurn(rank)
        let absence = waits ? setup.failure?.error : nil
        return (asker?.ranked(rank).due(deadline), absence ?? .requestorNotSet())
    }

    /// Waits until the code or page of the open login is known, or until the login has ended.
    func awaitOpenLogin() async {
        while conversation.waitsForService { await withCheckedContinuation { joined.append($0) } }
    }

    func wakeJoined() {
        let waiting = joined
        joined = []
        for call in waiting { call.resume() }
    }

    func caller(for asker: Asker) -> BackendCaller {
        var caller = engine.context.caller(for: asker)
        // A temporary pass keeps the identity that it began with, even after a restart and in other sessions.
        if caller.options.temporaryIdentity.isEmpty, let pass = login(for: asker), pass.kind == .temporary {
            caller.options.temporaryIdentity = pass.temporaryIdentity
        }
        return caller
    }

    /// The selection from the point of view of this app.
    func selection(for asker: Asker) -> Selection? {
        conversation.ownChoice.map { Selection(provider: $0, canAuthenticate: false) }
            ?? engine.logins.selection(of: asker.key.requestor)
    }

    /// The valid login with the provider that this app's viewer uses.
    func login(for asker: Asker) -> Profile? {
        guard let provider = conversation.ownChoice else { return engine.logins.login(of: asker.key) }
        return engine.logins.profile(at: asker.key.profileKey(at: provider.id))
    }

    /// Notes that the app uses its login now, if it has one.
    public func noteUse() {
        guard let asker = setup.ready, let login = login(for: asker) else { return }
        engine.logins.noteUse(of: asker.key.profileKey(at: login.provider))
    }

    public func setOptions(_ params: SetOptions.Params) -> JSONValue {
        options.take(over: params)
        return [:]
    }
}

extension Session.AppRights {
    public init(app: AppID) { self.init(app: app, statement: nil) }
}

// MARK: - Options

extension AppOptions {
    /// Makes the options for the service from the options that the app has set with `setOptions`. An empty text removes an
    /// option. Contract: access-enabler.md §5.3.
    fileprivate init(_ options: SetOptions.Params) {
        self.init()
        style = options.flow == .browser ? .browser : .secondScreen
        texts = options.texts.filter { !$0.value.isEmpty }
    }
}
