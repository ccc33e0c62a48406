// The engine. All apps of the device share one engine, so that a login in one app can count for the others. The engine owns the
// parts below. `Logins` keeps the logins, and `OpenLogins` keeps the codes on screens. `SingleSignOn` shares logins. `Logouts`
// and `LogoutDelivery` end logins. `LoginEnds` reports expired logins. `Audience` lists the sessions. The daemon owns the
// engine. architecture.md §1, §3.

public import PassProtocol

@EngineActor public final class Engine {
    let context: EngineContext
    let memory: Memory
    let logins: Logins
    let audience: Audience
    let logoutDelivery: LogoutDelivery
    let signOn: SingleSignOn
    let openLogins: OpenLogins
    let logouts: Logouts
    let loginEnds: LoginEnds
    /// The lists of providers that apps have received.
    var offers = OfferedProviders()
    private var lastSession: Int64 = 0
    /// A problem with the device's identity, for operators: it could not be read, or it has changed. Nil if there is
    /// none.
    public let identityProblem: String?

    private init(
        _ ports: EnginePorts, _ settings: EngineSettings, memory: Memory, sanitizer: DeviceChangeCheck
    ) {
        context = EngineContext(ports, settings, device: sanitizer.device)
        self.memory = memory
        logins = Logins(context, memory, sanitized: sanitizer.requestors)
        audience = Audience(logins)
        logoutDelivery = LogoutDelivery(context, logins)
        signOn = SingleSignOn(context, logins, audience: audience, logoutDelivery: logoutDelivery)
        openLogins = OpenLogins(
            context, memory: memory, logins: logins, signOn: signOn, audience: audience, logoutDelivery: logoutDelivery)
        logouts = Logouts(context, logins, openLogins: openLogins, audience: audience, delivery: logoutDelivery)
        loginEnds = LoginEnds(context, logins, audience: audience)
        identityProblem = sanitizer.problem
        memory.onLoginChange = { [weak loginEnds] in loginEnds?.refresh() }
        context.onDateChange = { [weak loginEnds] in loginEnds?.refresh() }
        logins.onAdoption = { [weak logoutDelivery] in logoutDelivery?.callOff($0, isSettled: $1) }
        for key in sanitizer.ended { context.publish(EngineEvent(.signedOut(.anotherDevice), key)) }
        logoutDelivery.isLoginOpen = { [weak openLogins] in openLogins?.isOpen(besides: $0) == true }
    }

    /// Loads the store and continues with the logins that were open. Throws only if the device's identity cannot be read and no
    /// identity is stored.
    public static func start(
        _ ports: EnginePorts, _ settings: EngineSettings = EngineSettings()
    ) async throws(DeviceIdentityFault) -> Engine {
        let memory = Memory(await ports.vault.load(), vault: ports.vault, clock: ports.clock)
        await memory.startAskingForDisk()
        let sanitizer = try await DeviceChangeCheck.run(memory, ports.identity)
        let engine = Engine(ports, settings, memory: memory, sanitizer: sanitizer)
        engine.resumeWork()
        memory.onDiscovery = { [weak engine] in engine?.resumeWork(finding: $0) }
        return engine
    }

    /// Continues to wait for ends of logins, to poll open codes, and to report logouts that the service does not know yet. `found`
    /// are the logins of a disk that could not be read at the start.
    private func resumeWork(finding found: [ProfileKey] = []) {
        for key in found where logins.profile(at: key) != nil { context.publish(EngineEvent(.signedIn(nil), key)) }
        loginEnds.refresh()
        openLogins.resumeLogins()
        logoutDelivery.sweepTombstones()
    }

    public var settings: EngineSettings {
        get { context.settings }
        set { context.settings = newValue }
    }

    public var device: DeviceID { context.device }

    /// Sets the observer, which passes each event to the subscribers and the journal. The engine calls the observer on its
    /// queue.
    public func observe(_ observer: @escaping (EngineEvent) -> Void) {
        context.observer = observer
        memory.onChange = { fault in observer(EngineEvent(kind: .store(fault?.explanation))) }
    }

    /// Opens a session for an app. The caller has to close the session. `emit` writes a callback to the app, and is called on
    /// the engine's queue.
    public func open(for owner: RequestOwner = .box, _ emit: @escaping (Callback) -> Void) -> Session {
        lastSession += 1
        let session = Session(lastSession, self, owner: owner, write: emit)
        audience.join(session)
        return session
    }

    /// Notes the service's date, from the `Date` header of an answer. Call this as soon as the answer arrives. `asked` is the
    /// time of the question.
    public func learn(_ server: ServerTime, asked: BootTime? = nil) { context.learn(server, asked: asked) }

    /// Ends some or all logins for an operator, or for a viewer in the app `app`. If `tellingService` is true, also reports the
    /// logouts to the service. Returns the number of logins that have ended, and whether their end is durable.
    @discardableResult public func logout(
        requestor: RequestorID? = nil, provider: ProviderID? = nil, tellingService: Bool, by app: AppID? = nil
    ) async -> (count: Int, isDurable: Bool) {
        await logouts.logout(requestor: requestor, provider: provider, tellingService: tellingService, by: app)
    }

    /// Reports the pending logouts to the service, and takes at most as long as a call (`callDeadline`). Returns the logouts
    /// that the service has not accepted.
    public func tellLogouts() async -> [ProfileKey] {
        await logoutDelivery.deliverAll().sorted { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }
    }

    /// Publishes an event for each login that the store lost at the start, because its row was damaged.
    public func tellLost(_ keys: some Sequence<ProfileKey>) {
        for key in keys.sorted(by: { ($0.requestor, $0.provider) < ($1.requestor, $1.provider) }) {
            context.publish(EngineEvent(.signedOut(.store), key))
        }
    }

    /// Publishes an event for each login that ends because an operator has replaced the store. `profiles` are the logins of the
    /// new store. The engine has to be stopped afterwards, because its memory still has the former logins.
    public func tellReplacedStore(with profiles: [ProfileKey: Profile]) {
        logins.tellEnds(besides: profiles, by: Logouts.theOperator)
    }

    /// Stops polling. From now on a disconnect does not end the app's open login, so that the next start can resume it.
    public func stop() {
        context.isStopping = true
        openLogins.stop()
    }

    /// Call this after each failed commit of the vault. The engine writes the missing changes later, with another commit.
    public func noteStoreFault(_ fault: VaultFault) { memory.noteFault(fault) }

    /// Writes the changes that the vault does not have yet. Call this before the vault is closed.
    public func flush() async { await memory.flush() }
}
