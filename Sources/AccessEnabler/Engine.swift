// The one AccessEnabler of the device: it owns what is remembered, the logins that are open, and the sessions of all
// connected apps. Single sign-on holds because there is only this one. Architecture §1, §3.

import PassProtocol

@EngineActor public final class Engine {
    let ports: EnginePorts
    public var settings: EngineSettings
    let memory: Memory
    public let device: DeviceID
    private(set) var serverClock = ServerClock()
    private(set) var sessions: [Int64: Session] = [:]
    private var lastSession: Int64 = 0
    var pollers: [LoginKey: LoginPoller] = [:]
    /// Hints and remembered expirations; nothing of it outlives the process.
    var recollections: [ProfileKey: Recollection] = [:]
    /// Who may ask for a code next, for each requestor: the service knows only the last one.
    var beginnings: [LoginKey: Turns] = [:]
    let epochs = Epochs()
    let inquiries = Inquiries()
    let sweeper = Sweeper()
    /// Requestors whose logins belonged to another device, and whose apps have not heard of it yet.
    var sanitized: Set<RequestorID>
    /// What the platform said last, to each app.
    var partnerStatus: [AppID: PartnerStatus] = [:]
    private(set) var isStopping = false
    /// The device's identity differs from the one written down.
    public let identityProblem: String?
    private var observer: (EngineEvent) -> Void = { _ in }

    private init(
        _ ports: EnginePorts, _ settings: EngineSettings, _ memory: Memory, _ sanitizer: Sanitizer
    ) {
        self.ports = ports
        self.settings = settings
        self.memory = memory
        device = sanitizer.device
        identityProblem = sanitizer.problem
        sanitized = sanitizer.requestors
    }

    /// Loads what is remembered and goes on with the logins that were open. Fails only where the device has no identity
    /// and never had one.
    public static func start(
        _ ports: EnginePorts, _ settings: EngineSettings = EngineSettings()
    ) async throws(DeviceIdentityFault) -> Engine {
        let memory = Memory(await ports.vault.load(), ports.vault, ports.clock)
        await memory.begin()
        let sanitizer = try await Sanitizer.run(memory, ports.identity)
        let engine = Engine(ports, settings, memory, sanitizer)
        engine.resumeLogins()
        engine.sweepTombstones()
        memory.onDiscovery = { [weak engine] in
            engine?.resumeLogins()
            engine?.sweepTombstones()
        }
        return engine
    }

    /// Everything worth telling a subscriber or a journal.
    public func observe(_ observer: @escaping (EngineEvent) -> Void) {
        self.observer = observer
        memory.onChange = { fault in observer(.store(fault?.explanation)) }
    }

    func tell(_ event: EngineEvent) { observer(event) }

    // MARK: Sessions

    /// `emit` writes a callback to the app; it is called on the engine's queue.
    public func open(for owner: CallOwner = .box, _ emit: @escaping (Callback) -> Void) -> Session {
        lastSession += 1
        let session = Session(lastSession, self, owner, emit)
        sessions[lastSession] = session
        return session
    }

    func forget(_ session: Session) { sessions[session.number] = nil }

    /// No login is given up because its app is disconnected from now on: the next start goes on with it.
    public func stop() {
        isStopping = true
        for poller in pollers.values { poller.stop() }
        pollers = [:]
    }

    /// What the vault has not taken yet, once more: before it is closed.
    public func flush() async { await memory.flush() }

    // MARK: Time

    /// The `Date` of an answer that has just come, and when its question was asked.
    public func learn(_ server: ServerTime, asked: BootTime? = nil) {
        let boot = ports.clock.boot
        serverClock.learn(server, asked: asked ?? boot, boot: boot, wall: ports.clock.wall)
    }

    var now: ServerTime { serverClock.now(boot: ports.clock.boot, wall: ports.clock.wall) }

    func deadline(_ duration: Duration) -> BootTime { ports.clock.boot.advanced(by: duration) }

    // MARK: What is remembered

    func caller(_ standing: Standing, deadline: BootTime) -> BackendCaller {
        var caller = BackendCaller(
            registration: standing.key.registration, softwareStatement: standing.statement,
            requestor: standing.key.requestor, device: device, visitorID: standing.visitorID,
            deviceInfo: standing.deviceInfo, deadline: deadline)
        caller.owner = standing.owner
        caller.applicationProfile = standing.applicationProfile
        caller.temporaryIdentity = standing.temporaryIdentity
        caller.partner = ports.platform.partner
        caller.partnerStatus = partnerStatus[standing.key.registration.app]
        return caller
    }

    /// For work on nobody's behalf in particular.
    func background(_ key: LoginKey) -> Standing {
        Standing(
            key: key, statement: ports.statement(key.registration) ?? Secret(""),
            backend: ports.services.service(of: key.registration))
    }

    func hasService(_ registration: RegistrationKey) -> Bool {
        !ports.services.service(of: registration).traits.isAbsent
    }

    /// The login that this requestor's viewers have now, if it is good. Contract: access-enabler.md §7.1, §9.2, OQ-9.
    func login(of key: LoginKey) -> Profile? {
        guard let selection = memory.contents.selections[key.requestor] else { return nil }
        return profile(key.profile(at: selection.provider.id))
    }

    func profile(_ key: ProfileKey) -> Profile? {
        guard let profile = memory.contents.profiles[key], now < profile.notAfter else { return nil }
        return profile
    }

    /// The selected provider is a temporary pass whose time is over. Contract: access-enabler.md §7.1, §16.1.
    func hasUsedUpPass(_ key: LoginKey) -> Bool {
        guard let selection = memory.contents.selections[key.requestor], selection.provider.isTempPass else {
            return false
        }
        // The service may have dropped it already: it was good once, and nobody logged out since.
        let profile = memory.contents.profiles[key.profile(at: selection.provider.id)]
        return profile.map { $0.notAfter <= now } ?? selection.canAuthenticate
    }

    /// There is a login, and its time is over. Contract: access-enabler.md §14.2.
    func hasEndedLogin(_ key: LoginKey) -> Bool {
        guard let provider = memory.contents.selections[key.requestor]?.provider else { return false }
        return memory.contents.profiles[key.profile(at: provider.id)].map { $0.notAfter <= now } ?? false
    }

    /// All good logins of the requestor.
    func profiles(of key: LoginKey) -> [Profile] {
        memory.contents.profiles.keys.filter { $0.registration == key.registration && $0.requestor == key.requestor }
            .compactMap(profile).sorted { $0.provider < $1.provider }
    }
}

/// On whose behalf a session asks, once its requestor is set.
struct Standing: Sendable {
    var key: LoginKey
    var statement: Secret
    var backend: any EntitlementBackend
    var owner = CallOwner.box
    var visitorID: String?
    var deviceInfo: String?
    var applicationProfile: String?
    /// Of a promotional temporary pass.
    var temporaryIdentity: [String: String] = [:]
}

extension LoginKey {
    func profile(at provider: ProviderID) -> ProfileKey {
        ProfileKey(registration: registration, requestor: requestor, provider: provider)
    }
}

extension ProfileKey {
    var login: LoginKey { LoginKey(registration: registration, requestor: requestor) }
}
