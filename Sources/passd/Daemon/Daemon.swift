// The daemon's life: read the configuration, load the store, open the doors, and close them again in good order. The only
// place that knows every concrete type. Architecture §2.

import AccessEnabler
import Dispatch
import Glibc
import PassBackend
import PassJSON
import PassProtocol
import PassSystem
import PassVault
import PassWire

@EngineActor final class Daemon {
    /// Ends the start; one sentence for whoever started it.
    struct Failure: Error, CustomStringConvertible {
        let description: String
        var status = ExitStatus.failed
    }

    /// How long clients may take to read their last answers.
    private static let farewell = Duration.seconds(2)

    private let options: Invocation.Options
    let journal: Journal
    let operations: Operations
    private let credentials: Credentials
    let clock: BoxClock
    let statements: StatementBook
    /// As long as the process lives; the daemon lives by their handler.
    var signals: SignalSources?
    private var vault: Vault?
    private var house: House?
    private var listeners: [Listener] = []
    var watchdog: Watchdog?
    private var isEnding = false

    init(
        _ options: Invocation.Options, _ loaded: LoadedConfiguration, _ environment: AppEnvironment, _ journal: Journal,
        _ credentials: Credentials
    ) throws(Failure) {
        self.options = options
        self.journal = journal
        self.credentials = credentials
        operations = Operations(journal, loaded, environment)
        do throws(TimerFault) { clock = try BoxClock() } catch { throw Failure(description: "no timer: \(error)") }
        statements = StatementBook()
    }

    /// Returns when the store is loaded and both sockets accept.
    func start(_ activation: SocketActivation) async throws(Failure) {
        let configuration = operations.loaded.configuration
        for problem in operations.loaded.problems { journal.record(.configurationProblem, .init("AT", "\(problem)")) }
        // First of all, so that a second instance makes nothing that nobody needs.
        let doors = try bind(activation, configuration.daemon)
        let vault = try await open(configuration.storage)
        self.vault = vault
        operations.storeHealth = { await vault.health() }
        operations.resourceMarks = ResourceMarks(secret: vault.recordSecret)
        let contents = await vault.load().of(configuration.backend.version)
        let services = try makeServices(configuration, vault, contents, await deviceKey(configuration, vault))
        statements.fill(operations.loaded.apps, services.standard)
        let importer = importer(configuration.storage)
        // What was erased is not to come back by the other door.
        if await vault.wasErased { await importer?.forget(nil) }
        let engine = try await start(services, vault, importer, configuration)
        if let former = await vault.takenBack {
            journal.record(.storeTakenBack, .init("STORE", former.name), .init("LOGINS", former.logins))
        }
        for warning in await vault.health().warnings {
            journal.record(.storeProblem, .init("CODE", warning.code), .init("REASON", warning.message))
        }
        operations.reload = { [unowned self] in reload() }
        let house = House(engine, policy(operations.loaded), configuration.limits, operations)
        self.house = house
        await house.lookForWarnings()
        // Asked to end while it was starting.
        guard !isEnding else { return }
        takeBack(activation.kept, house)
        for (kind, listener) in doors { open(listener, kind, house) }
        try serve(house, vault, doors.map(\.1))
        operations.readiness = .ready
        ServiceNotification.ready.send()
        journal.record(
            .started, .init("VERSION", daemonVersion), .init("SOCKET", configuration.daemon.socket),
            .init("BACKEND", configuration.backend.origin ?? "none"))
    }

    func take(_ signal: ServiceSignal) {
        switch signal {
        case .stop, .interrupt: Task { @EngineActor in await stop() }
        case .reload: _ = reload()
        }
    }

    /// Answers what can be answered, commits what is to be committed, and ends the process.
    private func stop() async {
        guard !isEnding else { return }
        isEnding = true
        house?.router.readiness = .stopping
        ServiceNotification.stopping.send()
        for listener in listeners { listener.stop() }
        house?.engine.stop()
        if let house { house.become(.stopping) } else { operations.readiness = .stopping }
        if let house { handOver(house) }
        await house?.sayFarewell(within: Self.farewell, clock)
        await operations.platformHelper?.stop()
        await house?.engine.flush()
        await vault?.close()
        journal.record(.stopped)
        journal.flush()
        DescriptorStore.settle()
        exit(ExitStatus.done.rawValue)
    }

    // MARK: The parts

    private func open(_ storage: Configuration.Storage) async throws(Failure) -> Vault {
        var configuration = VaultConfiguration(
            directory: storage.directory, sealing: storage.sealing, now: { BoxClock.wall })
        configuration.integrityCheck = storage.integrityCheck
        // "none" stands for one that is missing or cannot be opened: passd.service.
        let key = try? credentials.contents(of: "passd.sealing-key")
        configuration.credential = key == Array("none".utf8) ? nil : key
        // Root's word, for one start: passd-setup(8).
        configuration.takesKeyFile =
            (try? credentials.contents(of: "passd.key-file"))?.starts(with: "take".utf8) == true
        do throws(VaultInUse) {
            return try await Vault.open(configuration)
        } catch {
            throw Failure(description: error.explanation)
        }
    }

    private func importer(_ storage: Configuration.Storage) -> LayoutImporter? {
        storage.importFrom.map { directory in
            LayoutImporter(from: directory, state: storage.directory, now: { BoxClock.wall }) { [journal] reason in
                journal.record(.importProblem, .init("REASON", reason))
            }
        }
    }

    private func start(
        _ services: ServiceBook, _ vault: Vault, _ importer: LayoutImporter?, _ configuration: Configuration
    ) async throws(Failure) -> Engine {
        let ports = EnginePorts(
            services: services, vault: ProtocolVault(vault, configuration.backend.version),
            identity: BoxIdentity(source: configuration.device.identity),
            clock: clock, statement: { [statements] in statements.statement(of: $0) }, importer: importer,
            platform: operations.signOn, digest: Digest.md5)
        do throws(DeviceIdentityFault) {
            let engine = try await Engine.start(ports, engineSettings(configuration))
            if let problem = engine.identityProblem { journal.record(.deviceProblem, .init("REASON", problem)) }
            statements.learn = { [weak engine] time, asked in
                EngineActor.queue.async { EngineActor.assumeIsolated { engine?.learn(time, asked: asked) } }
            }
            return engine
        } catch {
            throw Failure(description: "this box has no identity: \(error.explanation)", status: .configuration)
        }
    }

    private func policy(_ loaded: LoadedConfiguration) -> Policy {
        Policy(
            stanzas: loaded.apps, ownUser: geteuid(), allowsSameUser: options.allowsSameUser,
            adminGroup: Accounts.group("passd"))
    }

    /// Nobody is let in yet; whoever connects waits.
    private func bind(
        _ activation: SocketActivation, _ daemon: Configuration.Daemon
    ) throws(Failure) -> [(SocketKind, Listener)] {
        let sockets: [(SocketKind, SocketActivation.Name, String, mode_t)] = [
            (.api, .api, daemon.socket, 0o666), (.admin, .admin, daemon.adminSocket, 0o660),
        ]
        var doors: [(SocketKind, Listener)] = []
        for (kind, name, path, mode) in sockets {
            if let passed = activation.descriptors[name] {
                doors.append((kind, Listener(Descriptor(adopting: passed), queue: EngineActor.queue)))
                continue
            }
            do throws(SocketError) {
                let group = kind == .admin && geteuid() == 0 ? Accounts.group("passd") : nil
                doors.append((kind, try Listener(path: path, mode: mode, group: group, queue: EngineActor.queue)))
            } catch {
                throw Failure(description: "cannot listen at \(path): \(error)")
            }
        }
        return doors
    }

    private func open(_ listener: Listener, _ kind: SocketKind, _ house: House) {
        listener.start(
            admit: { number in EngineActor.assumeIsolated { house.admit(number, on: kind) } },
            onAccept: { descriptor, _ in
                let number = descriptor.release()
                EngineActor.assumeIsolated { house.letIn(Descriptor(adopting: number), on: kind) }
            },
            onTrouble: { [journal] trouble in journal.record(.listenerProblem, .init("REASON", "\(trouble)")) })
        listeners.append(listener)
    }

    // MARK: Reload

    private func reload() -> (applied: Bool, problems: [Problem]) {
        guard let house, !isEnding else { return (false, []) }
        ServiceNotification.reloading.send()
        house.become(.reloading)
        defer {
            house.become(.ready)
            ServiceNotification.ready.send()
        }
        let loaded = options.load(operations.environment)
        switch ReloadPlan.decide(from: operations.loaded, to: loaded) {
        case .refused(let problems):
            for problem in problems { journal.record(.reloadRefused, .init("AT", "\(problem)")) }
            house.hub.tell(.configuration, JSONObject([("applied", false)]))
            return (false, problems)
        case .accepted(let plan):
            operations.loaded = plan.inForce
            house.take(policy(plan.inForce), plan.inForce.configuration.limits)
            house.engine.settings = engineSettings(plan.inForce.configuration)
            journal.level = plan.inForce.configuration.daemon.logLevel
            statements.fill(plan.inForce.apps)
            for problem in loaded.problems { journal.record(.configurationProblem, .init("AT", "\(problem)")) }
            for change in plan.needingRestart { journal.record(.needsRestart, .init("CHANGE", "\(change)")) }
            journal.record(.reloaded, .init("CHANGES", plan.takingEffect.count))
            house.hub.tell(.configuration, JSONObject([("applied", true)]))
            Task { @EngineActor in await house.lookForWarnings() }
            return (true, loaded.problems)
        }
    }
}
