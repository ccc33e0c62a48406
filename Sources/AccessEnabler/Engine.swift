// The one AccessEnabler of the device. It puts the rooms together and does nothing else: what is remembered of logins
// (`Logins`), the codes that are on screens (`OpenLogins`), one login for all apps (`SingleSignOn`), the end of logins
// (`Logouts`, `LogoutDelivery`), and the sessions of all connected apps (`Audience`). Single sign-on holds because
// there is only this one. architecture.md §1, §3.

import PassProtocol

@EngineActor public final class Engine {
    let context: EngineContext
    let logins: Logins
    let audience: Audience
    let logoutDelivery: LogoutDelivery
    let signOn: SingleSignOn
    let openLogins: OpenLogins
    let logouts: Logouts
    private var lastSession: Int64 = 0
    /// Explains how the device's identity differs from the stored one; nil if it does not.
    public let identityProblem: String?

    private init(
        _ ports: EnginePorts, _ settings: EngineSettings, memory: Memory, sanitizer: DeviceChangeCheck
    ) {
        context = EngineContext(ports, settings, device: sanitizer.device)
        logins = Logins(context, memory, sanitized: sanitizer.requestors)
        audience = Audience(logins)
        logoutDelivery = LogoutDelivery(context, logins)
        signOn = SingleSignOn(context, logins, audience: audience, logoutDelivery: logoutDelivery)
        openLogins = OpenLogins(context, logins, signOn: signOn, audience: audience, logoutDelivery: logoutDelivery)
        logouts = Logouts(context, logins, openLogins: openLogins, audience: audience, delivery: logoutDelivery)
        identityProblem = sanitizer.problem
        logins.onAdoption = { [weak logoutDelivery] in logoutDelivery?.callOff($0) }
        logoutDelivery.isSomebodyLoggingIn = { [weak openLogins] in openLogins?.pollers[$0] != nil }
    }

    /// Loads what is remembered and resumes the logins that were open. Throws only if the device has no identity now
    /// and none is stored.
    public static func start(
        _ ports: EnginePorts, _ settings: EngineSettings = EngineSettings()
    ) async throws(DeviceIdentityFault) -> Engine {
        let memory = Memory(await ports.vault.load(), vault: ports.vault, clock: ports.clock)
        await memory.startAskingForDisk()
        let sanitizer = try await DeviceChangeCheck.run(memory, ports.identity)
        let engine = Engine(ports, settings, memory: memory, sanitizer: sanitizer)
        engine.resumeWork()
        memory.onDiscovery = { [weak engine] in engine?.resumeWork() }
        return engine
    }

    /// Resumes open logins, and the delivery of logouts that the service has not confirmed.
    private func resumeWork() {
        openLogins.resumeLogins()
        logoutDelivery.sweepTombstones()
    }

    public var settings: EngineSettings {
        get { context.settings }
        set { context.settings = newValue }
    }

    public var device: DeviceID { context.device }

    /// Sets the one observer of events, which passes them to subscribers and the journal. It is called on the engine's
    /// queue.
    public func observe(_ observer: @escaping (EngineEvent) -> Void) {
        context.observer = observer
        logins.memory.onChange = { fault in observer(.store(fault?.explanation)) }
    }

    /// Opens a session for a connected app. `emit` writes a callback to the app; it is called on the engine's queue.
    public func open(for owner: CallOwner = .box, _ emit: @escaping (Callback) -> Void) -> Session {
        lastSession += 1
        let session = Session(lastSession, self, owner: owner, write: emit)
        audience.join(session)
        return session
    }

    /// Corrects the server time by the `Date` header of an answer that has just arrived. `asked` is when its request
    /// was sent.
    public func learn(_ server: ServerTime, asked: BootTime? = nil) { context.learn(server, asked: asked) }

    /// An operator's logout of some or all logins, with or without telling the service. Returns how many logins were
    /// ended, and whether that is durable.
    @discardableResult public func logout(
        requestor: RequestorID? = nil, provider: ProviderID? = nil, tellingService: Bool
    ) async -> (count: Int, isDurable: Bool) {
        await logouts.logout(requestor: requestor, provider: provider, tellingService: tellingService)
    }

    /// Stops polling. From now on a disconnecting app does not end its open login, so that the next start can resume
    /// it.
    public func stop() {
        context.isStopping = true
        openLogins.stop()
    }

    /// Offers the vault once more what it has not stored yet. Called before the vault is closed.
    public func flush() async { await logins.memory.flush() }
}
