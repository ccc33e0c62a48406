// The daemon's life. It reads the configuration, loads the store, opens the sockets, and closes everything in order. The daemon
// owns all parts of the process. `Daemon` is the only type that knows the concrete types of all parts. Used on the engine's
// queue. architecture.md §2.

import AccessEnabler
import Dispatch
import Glibc
import PassArguments
import PassBackend
import PassConfiguration
import PassJSON
import PassPlatform
import PassProtocol
import PassQR
import PassServer
import PassSystem
import PassVault
import PassWire

@EngineActor final class Daemon: DaemonActions {
    /// The reason why a start fails, in one sentence for the person who started the daemon.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        var status = ExitCode.failed
    }

    /// The time for clients to read their last answers.
    private static let farewell = Duration.seconds(2)

    private let options: Invocation.Options
    private let loaded: LoadedConfiguration
    private let resources: StanzaResources
    private let files = FileQuestions("passd.files")
    private let reloads = ReloadTurns()
    let journal: Journal
    private let credentials: Credentials
    let clock: BoxClock
    let meter = Meter()
    let statements = StatementBook()
    let sites = LoginSites()
    let serviceTime = ServiceTimeRelay()
    /// The record of requests to the service, for an operator.
    let exchanges: ExchangeRecord
    private var platformHelper: PlatformHelper?
    /// The signal sources, kept until the process ends. Their handler has a reference to the daemon, so the daemon is kept as
    /// well.
    var signals: SignalSources?
    /// Keeps the reactor of the engine's queue alive while the daemon has no sockets.
    var turns: AnyObject?
    private(set) var vault: Vault?
    private(set) var engine: Engine?
    private(set) var server: Server?
    private var listeners: [Listener] = []
    private var appDoors: AppDoors?
    var watchdog: Watchdog?
    private var isEnding = false

    init(
        _ options: Invocation.Options, loaded: LoadedConfiguration, resources: StanzaResources, journal: Journal,
        credentials: Credentials
    ) throws(Failure) {
        self.options = options
        self.journal = journal
        self.loaded = loaded
        self.resources = resources
        self.credentials = credentials
        do throws(TimerFault) { clock = try BoxClock() } catch {
            throw Failure(description: "cannot create a timer: \(error)")
        }
        exchanges = ExchangeRecord { [clock] in clock.boot }
    }

    /// Returns when the store is loaded and both sockets accept connections.
    func start(_ activation: SocketActivation) async throws(Failure) {
        let configuration = loaded.configuration
        for problem in loaded.problems { journal.record(.configurationProblem, .init("AT", "\(problem)")) }
        // The sockets come first, so that a second daemon on the same sockets stops before it creates anything.
        let listeners = try bindSockets(activation, configuration.daemon)
        let vault = try await openVault(configuration.storage)
        self.vault = vault
        let (contents, isForeign) = await loadContents(configuration, vault)
        let deviceKey = await openDeviceKey(configuration, vault, isForeign: isForeign)
        let signOn = makeSignOn(configuration.signOn, deviceKey.key)
        platformHelper = signOn.platform?.helper
        let services = try makeServices(loaded, vault: vault, contents: contents, signOn: signOn)
        statements.fill(loaded.apps, services.book.standard)
        let importer = makeImporter(configuration.storage)
        // If the store was erased, the import from an older version must not bring back the old logins.
        if await vault.wasErased { await importer?.forget(nil) }
        let engine = try await startEngine(services.book, vault: vault, importer: importer, signOn: signOn)
        engine.tellLost(await vault.lostLogins)
        if let former = await vault.restoredStore {
            let keyUnit = "passd-sealing-key\(options.instance.map { "@\($0.text)" } ?? "")"
            journal.record(
                .storeRestored, .init("STORE", former.name), .init("LOGINS", former.logins), .init("KEY_UNIT", keyUnit))
        }
        record(await vault.health().warnings)
        let server = Server(
            parts(engine, vault: vault, service: services.view, helper: signOn.platform?.helper), loaded: loaded,
            policy: policy(loaded),
            startWarnings: deviceKey.warning.map { [$0] } ?? [])
        self.server = server
        server.resumeDecisions(await vault.decisions(), store: vault)
        await server.lookForWarnings()
        // If the daemon was asked to stop while it was starting, it accepts no connections.
        guard !isEnding else { return }
        restoreClients(activation.kept.filter { !$0.key.hasPrefix(AppDoors.prefix) }, server)
        for (entrance, listener) in listeners { accept(from: listener, entrance, server) }
        self.listeners = listeners.map(\.1)
        appDoors = AppDoors(in: configuration.daemon.appSockets, kept: activation.kept)
        settleAppDoors(loaded.apps, server)
        try reportToServiceManager(server, engine: engine, vault: vault, listeners: self.listeners)
        server.state.readiness = .ready
        ServiceNotification.ready.send()
        journal.record(
            .started, .init("VERSION", PassdVersion.text), .init("SOCKET", configuration.daemon.socket),
            .init("BACKEND", configuration.backend.origin ?? "none"))
    }

    func obey(_ signal: ServiceSignal) {
        switch signal {
        case .stop, .interrupt: Task { @EngineActor in await stop() }
        case .reload: Task { @EngineActor in _ = await reload() }
        }
    }

    /// Answers pending calls as far as possible, commits all changes, and ends the process.
    func stop(_ status: ExitCode = .done) async {
        guard !isEnding else { return }
        isEnding = true
        ServiceNotification.stopping.send()
        for listener in listeners { listener.stop() }
        appDoors?.stop()
        engine?.stop()
        server?.become(.stopping)
        // After an import, no clients are handed over, because apps must not continue with the previous logins.
        if let server, status == .done { await handOverClients(of: server) }
        await server?.sayFarewell(within: Self.farewell, by: clock)
        await platformHelper?.stop()
        await engine?.flush()
        await server?.saveDecisions()
        await vault?.close()
        journal.record(.stopped)
        journal.flush()
        DescriptorStore.settle()
        // `exit` would free data of OpenSSL and libcurl that other threads may still use or load.
        _exit(status.rawValue)
    }

    /// Ends the process, so that the next one uses the stored identity of the box. At the start, passd could not read the
    /// store, so it used a temporary identity. Now passd can read the store. The service manager starts the next process, as
    /// after an import. Contract: access-enabler.md §10.
    private func restartAsStoredDevice() async {
        let warnings = await vault?.health().warnings ?? []
        guard !isEnding else { return }
        record(warnings)
        journal.record(.deviceReturned)
        await stop(.tryLater)
    }

    private func record(_ warnings: [VaultHealth.Warning]) {
        for warning in warnings {
            journal.record(.storeProblem, .init("CODE", warning.code), .init("REASON", warning.message))
        }
    }

    // MARK: The parts

    private func openVault(_ storage: Configuration.Storage) async throws(Failure) -> Vault {
        var configuration = VaultConfiguration(
            directory: storage.directory, sealing: storage.sealing, now: { BoxClock.wall })
        configuration.integrityCheck = storage.integrityCheck
        configuration.importsLogins = storage.importFrom != nil
        configuration.onCommit = { [meter, weak self] fault in
            meter.count { $0.storeWrite(fault: fault?.kind) }
            if let fault { Task { @EngineActor [weak self] in self?.engine?.noteStoreFault(fault) } }
        }
        configuration.onOtherDevice = { [weak self] in
            Task { @EngineActor [weak self] in await self?.restartAsStoredDevice() }
        }
        // The value "none" means that the key is missing or could not be opened. See passd.service.
        let key = try? credentials.contents(of: "passd.sealing-key")
        configuration.credential = key == Array("none".utf8) ? nil : key
        // Root has allowed the key file for one start. See passd-setup(8).
        configuration.takesKeyFile =
            (try? credentials.contents(of: "passd.key-file"))?.starts(with: "take".utf8) == true
        do throws(VaultInUse) {
            return try await Vault.open(configuration)
        } catch {
            throw Failure(description: error.explanation)
        }
    }

    private func makeImporter(_ storage: Configuration.Storage) -> LayoutImporter? {
        storage.importFrom.map { directory in
            LayoutImporter(from: directory, state: storage.directory, now: { BoxClock.wall }) { [journal] reason in
                journal.record(.importProblem, .init("REASON", reason))
            }
        }
    }

    /// Loads the store's content for the configured protocol, and returns whether the store was filled on another device. If
    /// so, the registrations are left out, because they are useless on this box. The engine ends the logins of the other
    /// device. Contract: access-enabler.md §10.
    private func loadContents(
        _ configuration: Configuration, _ vault: Vault
    ) async -> (contents: VaultContents, isForeign: Bool) {
        var own = await vault.load().of(configuration.backend.version)
        guard await DeviceChangeCheck.isForeign(own, identity(configuration, vault)) else { return (own, false) }
        own.registrations = [:]
        return (own, true)
    }

    private func identity(_ configuration: Configuration, _ vault: Vault) -> BoxIdentity {
        BoxIdentity(source: configuration.device.identity, instance: options.instance, salt: vault.deviceSalt)
    }

    private func startEngine(
        _ services: ServiceBook, vault: Vault, importer: LayoutImporter?, signOn: BoxSignOn
    ) async throws(Failure) -> Engine {
        let configuration = loaded.configuration
        let ports = EnginePorts(
            services: services, vault: vault,
            identity: identity(configuration, vault), clock: clock,
            statement: { [statements] in statements.statement(of: $0) }, importer: importer,
            platform: signOn, digest: Digest.md5,
            qr: QRPicture.drawing(_:as:))
        do throws(DeviceIdentityFault) {
            let engine = try await Engine.start(ports, Self.engineSettings(loaded))
            if let problem = engine.identityProblem { journal.record(.deviceProblem, .init("REASON", problem)) }
            serviceTime.pass(on: engine)
            self.engine = engine
            return engine
        } catch {
            throw Failure(description: "this box has no identity: \(error.explanation)", status: .configuration)
        }
    }

    private func parts(
        _ engine: Engine, vault: Vault, service: ServiceView, helper: PlatformHelper?
    ) -> ServerParts {
        var parts = ServerParts(
            engine: engine, clock: clock, journal: journal, resourceMarks: ResourceMarks(secret: vault.recordSecret),
            groups: resources.groups, storeHealth: { await vault.health() }, service: service, meter: meter,
            actions: self)
        parts.recordExchanges = { [exchanges] in exchanges.turn(on: $0) }
        // passd.service writes each crash into this file.
        parts.crashes = getenv("STATE_DIRECTORY").map { CrashLog.read(String(cString: $0) + "/crashes") } ?? []
        parts.instance = options.instance
        parts.helper = helper
        return parts
    }

    private func policy(_ loaded: LoadedConfiguration) -> Policy {
        Policy(
            stanzas: loaded.apps, ownUser: geteuid(), allowsSameUser: options.allowsSameUser,
            isForDevelopers: !journal.goesToJournal, adminGroup: operators,
            gateway: loaded.configuration.daemon.webGateway.flatMap { try? AllowRule.gateway($0, user: resources.user) }
        )
    }

    private var operators: UInt32? { Accounts.group(options.instance?.account ?? "passd") }

    /// The mode of the API socket. Every user may connect. App stanzas decide which calls are allowed.
    private static let apiSocketMode: mode_t = 0o666
    /// The mode of the admin socket, for root and the operators' group. Every peer that can connect may do everything.
    private static let adminSocketMode: mode_t = 0o660

    /// Binds the sockets. The kernel queues connections until the daemon accepts them.
    private func bindSockets(
        _ activation: SocketActivation, _ daemon: Configuration.Daemon
    ) throws(Failure) -> [(Entrance, Listener)] {
        let sockets: [(Entrance, SocketActivation.Name, String, mode_t)] = [
            (.api, .api, daemon.socket, Self.apiSocketMode), (.admin, .admin, daemon.adminSocket, Self.adminSocketMode),
        ]
        var doors: [(Entrance, Listener)] = []
        for (entrance, name, path, mode) in sockets {
            if let passed = activation.descriptors[name] {
                doors.append((entrance, Listener(Descriptor(adopting: passed), queue: EngineActor.queue)))
                continue
            }
            do throws(SocketError) {
                let group = entrance == .admin && geteuid() == 0 ? operators : nil
                doors.append((entrance, try Listener(path: path, mode: mode, group: group, queue: EngineActor.queue)))
            } catch {
                throw Failure(description: "cannot listen at \(path): \(error)")
            }
        }
        return doors
    }

    private func accept(from listener: Listener, _ entrance: Entrance, _ server: Server) {
        listener.start(
            admit: { number in EngineActor.assumeIsolated { server.admit(number, on: entrance) } },
            onAccept: { descriptor, _ in
                let number = descriptor.release()
                EngineActor.assumeIsolated { server.letIn(Descriptor(adopting: number), on: entrance) }
            },
            onTrouble: { [journal] trouble in journal.record(.listenerProblem, .init("REASON", "\(trouble)")) })
    }

    private func settleAppDoors(_ apps: [AppStanza], _ server: Server) {
        let faults =
            appDoors?.settle(AppSockets(of: apps)) { accept(from: $0, $1, server) } ?? []
        for fault in faults { journal.record(.listenerProblem, .init("REASON", fault)) }
        server.state.socketFaults = faults
    }

    // MARK: Reload

    /// Reads the configuration for a reload. If a file system does not answer, the result lists only this problem.
    func readFiles() async -> LoadedConfiguration {
        var resources = resources
        resources.willAsk = { [files] path in files.goOn(to: path) }
        let read = await files.answer(by: clock) { [options, resources] in options.load(resources) }
        let silence = Problem(
            .fatal, place: FilePosition(files.path ?? "passd.conf"), message: "its file system does not answer")
        return read ?? LoadedConfiguration(values: loaded.values, apps: loaded.apps, problems: [silence])
    }

    func reload() async -> JSONValue { await reloads.run { [unowned self] in await reloadNow() } }

    private func reloadNow() async -> JSONValue {
        guard let server, !isEnding else { return Reload.result(isApplied: false) }
        ServiceNotification.reloading.send()
        server.become(.reloading)
        let new = await readFiles()
        guard !isEnding else { return Reload.result(isApplied: false) }
        defer {
            server.become(.ready)
            ServiceNotification.ready.send()
        }
        switch ReloadPlan.decide(from: server.state.loaded, to: new) {
        case .refused(let problems):
            for problem in problems { journal.record(.reloadRefused, .init("AT", "\(problem)")) }
            server.tellReload(refused: problems)
            return Reload.result(isApplied: false, problems: problems.map(\.line))
        case .accepted(let plan):
            let former = Self.sites(server.state.loaded)
            let sites = Self.sites(plan.inForce)
            server.apply(plan.inForce, policy(plan.inForce), waiting: plan.needingRestart.map(\.name))
            settleAppDoors(plan.inForce.apps, server)
            server.engine.settings = Self.engineSettings(plan.inForce)
            journal.level = plan.inForce.configuration.daemon.logLevel
            statements.fill(plan.inForce.apps)
            applySites(plan.inForce)
            if former.standard != sites.standard || former.apps != sites.apps { server.engine.addressesHaveChanged() }
            for problem in new.problems { journal.record(.configurationProblem, .init("AT", "\(problem)")) }
            // These lines have no values, because an address may contain a password.
            for change in plan.waitingLines { journal.record(.needsRestart, .init("CHANGE", change)) }
            journal.record(.reloaded, .init("CHANGES", plan.changedLines.count))
            server.tellReload()
            return Reload.result(
                isApplied: true, problems: new.problems.map(\.line), changed: plan.changedLines,
                waiting: plan.waitingLines)
        }
    }
}

extension Vault: DecisionStore {}
