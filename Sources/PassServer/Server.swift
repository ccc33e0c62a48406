// Holds all connected clients and the parts that they share: the engine, the router, the events. The server admits and removes
// clients; the router handles their calls. The daemon makes one server when the store is loaded. The server is used on the
// engine's queue.

package import AccessEnabler
import Dispatch
package import PassConfiguration
import PassJSON
package import PassProtocol
import PassSystem
package import PassWire

@EngineActor package final class Server {
    package let state: DaemonState
    package let engine: Engine
    let router: Router
    let clients = ConnectedClients()
    let reports: Reports
    let policyInForce: PolicyInForce
    let hub: EventHub
    let quotas: Quotas
    private let memoryReturn: MemoryReturn
    let parts: ServerParts
    private var door = Door()
    /// Counts the clients that the service manager keeps for the next start, and the bytes of their notes.
    var keeping = KeepingRoom()
    /// Peers that wait to be accepted, by the number of their descriptor.
    private var newcomers: [Int32: Door.Newcomer] = [:]
    /// The number of rejected connections that are still open.
    private var leaving = 0
    private static let maxLeaving = 64
    /// Called when a part of the service manager's status line may have changed.
    package var onChange: () -> Void = {}
    /// The present warnings that subscribers already know.
    private(set) var knownWarnings: Set<VaultHealth.Warning> = []

    private var journal: Journal { parts.journal }
    var limits: Configuration.Limits { state.loaded.configuration.limits }

    package init(
        _ parts: ServerParts, loaded: LoadedConfiguration, policy: Policy, startWarnings: [VaultHealth.Warning]
    ) {
        EngineActor.turns.join(EngineActor.queue)
        self.parts = parts
        engine = parts.engine
        state = DaemonState(loaded, startWarnings: startWarnings)
        policyInForce = PolicyInForce(policy)
        hub = EventHub(clock: parts.clock)
        quotas = Quotas(messageSize: loaded.configuration.limits.connection.messageSize)
        memoryReturn = MemoryReturn(clock: parts.clock)
        let counts = CallCounter()
        let log = DecisionLog(parts.resourceMarks, contact: parts.service.contact, clock: parts.clock)
        reports = Reports(
            parts: parts, state: state, clients: clients, policyInForce: policyInForce, counts: counts, log: log)
        let journal = parts.journal
        router = Router(
            Handlers.all(parts: parts, reports: reports, policyInForce: policyInForce, hub: hub, log: log),
            policyInForce: policyInForce, counts: counts,
            memory: AnswerMemory(parts.engine) { journal.keeps(.answered) },
            audit: { [hub] audit in
                journal.record(audit)
                log.note(audit)
                hub.tell(audit)
            }, answered: { journal.record($0, $1) })
        quotas.total.onShrink = { [memoryReturn] in EngineActor.assumeReading { memoryReturn.memoryFreed() } }
        engine.observe { [unowned self] event in
            let form = EventForm(event, parts.resourceMarks)
            let app = app(of: event)
            hub.tell(event, form, app: app, client: event.session.flatMap { clients[session: $0] })
            parts.meter.count { $0.note(event) }
            log.note(event, of: app)
            journal.record(form, about: identityFields(of: event, app))
            onChange()
            switch event.kind {
            case .authorization(_, .permitted): break
            case .requestorFailed, .loginFailed, .authorization:
                if let app { reports.rehearsals.noteRefusal(of: app, for: event.requestor) }
            case .store, .status: Task { @EngineActor [weak self] in await self?.lookForWarnings() }
            default: break
            }
        }
    }

    /// The app whose session caused the event. Nil if no session caused the event, or if the client may not use the event's
    /// requestor.
    private func app(of event: EngineEvent) -> String? {
        guard let client = event.session.flatMap({ clients[session: $0] }), let requestor = event.requestor else {
            return nil
        }
        return policyInForce.app(of: client, using: requestor.rawValue)
    }

    /// The fields that identify the cause of an event: the client as the kernel reports it, and the call.
    private func identityFields(of event: EngineEvent, _ app: String?) -> [JournalField] {
        if case .status = event.kind { return [] }
        guard let client = event.session.flatMap({ clients[session: $0] }) else { return [] }
        if let mark = CallMark.current { return client.journalFields + mark.fields }
        // If the event belongs to no call, the record still has the app. For example, a login ends long after its call was
        // answered.
        return client.journalFields + JournalField.app(app, policyInForce.policy.titles[app ?? ""])
    }

    /// From `.stopping` on, all calls are refused.
    package func become(_ readiness: Status.Readiness) {
        state.readiness = readiness
        if readiness == .stopping { router.readiness = .stopping }
        hub.tell(.readiness, JSONObject([("readiness", .string(readiness.rawValue))]))
    }

    /// Refuses all calls after `holdCalls(true)` until `holdCalls(false)`, because the import of a backup could otherwise undo
    /// a call that was already answered.
    package func holdCalls(_ isHeld: Bool) {
        if router.readiness != .stopping { router.readiness = isHeld ? .reloading : nil }
    }

    /// Puts a reloaded configuration into force. The new policy also applies to connected clients and their pending calls. A
    /// client that may no longer use its requestor loses its session. A client that may no longer watch events is closed,
    /// because it would otherwise wait for events forever.
    package func apply(_ loaded: LoadedConfiguration, _ policy: Policy, waiting: [Setting.Name] = []) {
        policyInForce.policy = policy
        (state.loaded, state.waiting) = (loaded, waiting)
        quotas.messageSize = limits.connection.messageSize
        for client in router.withdraw(from: clients.inOrder) { endSession(of: client) }
        hub.dismiss { !policyInForce.standing(of: $0).may(.observe) }
    }

    /// Ends the session of a client that lost its requestor. For the session, this is like a disconnect. The connection stays
    /// open, with a new session that has no requestor.
    private func endSession(of client: ConnectedClient) {
        let former = client.session
        guard clients.remove(client) else { return }
        client.beginAnew(with: openSession(client.connection, of: client.facts.user))
        clients.add(client)
        Task.immediate { @EngineActor in await former.close(givingUpCode: true) }
        tellClosed(former.number, "policy no longer allows its requestor")
        tellOpened(client)
    }

    func openSession(_ connection: ServerConnection, of user: UInt32) -> Session {
        engine.open(for: .user(user)) { if connection.isServing { connection.notify($0) } }
    }

    func tellOpened(_ client: ConnectedClient) {
        hub.tell(
            .sessionOpened,
            JSONObject([("session", .int(client.number)), ("identity", policyInForce.identity(of: client).json)]))
    }

    private func tellClosed(_ number: Int64, _ reason: String) {
        hub.tell(.sessionClosed, JSONObject([("session", .int(number)), ("reason", .string(reason))]))
    }

    /// Takes over the latest decisions of the former process. From now on, `store` keeps the decisions of this process.
    package func resumeDecisions(_ former: String?, store: any DecisionStore) {
        reports.log.resume(former, store: store)
    }

    /// Stores the latest decisions for the next process. Call this before the store is closed.
    package func saveDecisions() async { await reports.log.save(syncs: true) }

    /// Tells subscribers about the warnings that are new since the last check. rpc.md §6.
    package func lookForWarnings() async {
        let warnings = reports.warnings(await parts.storeHealth())
        for warning in warnings where !knownWarnings.contains(warning) {
            hub.tell(.warning, JSONObject([("warning", warning.json)]))
        }
        knownWarnings = Set(warnings)
        onChange()
    }

    /// Decides whether a new connection may enter. The peer's process has not been looked up yet.
    package func admit(_ number: Int32, on socket: Entrance) -> Admission {
        guard let user = try? PeerCredentials.user(of: number) else { return .refused(nil) }
        // A user who may open the admin socket may do everything, so no limit applies. At the sockets of apps the limits apply
        // even to root, because any app in a container may be root.
        let isTrusted = user == 0 || user == policyInForce.policy.ownUser
        if socket == .admin || socket == .api && isTrusted { return .enters(.user(user)) }
        let prospect = policyInForce.policy.prospect(user: user, on: socket) {
            (try? PeerCredentials.allGroups(of: number)) ?? []
        }
        let newcomer = Door.Newcomer(user: user, prospect: prospect)
        let now = BootClock.now
        let answer = door.knock(newcomer, at: now)
        guard answer == .enters else { return .refused(door.reason(answer, for: newcomer, at: now)) }
        newcomers[number] = newcomer
        return .enters(newcomer.owner)
    }

    /// Makes a client of an admitted connection. Called when it is the turn of the connection's owner.
    package func letIn(_ descriptor: consuming Descriptor, on socket: Entrance) {
        if let newcomer = newcomers.removeValue(forKey: descriptor.number) { door.hasCome(newcomer) }
        welcome(descriptor, on: socket)
    }

    /// Makes a client of a new connection and starts reading from it.
    func welcome(_ descriptor: consuming Descriptor, on socket: Entrance) {
        if let client = enter(descriptor, on: socket) { begin(client) }
    }

    /// Makes a client of a connection, but does not yet read from the connection or write to it. Returns nil if the connection
    /// is refused. `framing` is given if the client connected before a restart.
    func enter(
        _ descriptor: consuming Descriptor, on socket: Entrance, _ framing: Framing? = nil
    ) -> ConnectedClient? {
        let number = descriptor.number
        let peer: PeerCredentials
        do throws(PeerCredentials.Fault) {
            // Each socket has its own limit, so that apps of root do not lock the operator out. This check is first, because
            // the lookup of the peer's process costs more.
            guard quotas.sessions(of: try PeerCredentials.user(of: number), on: socket) < limits.sessionsPerUser else {
                turnAway(descriptor, .limit("sessions-per-user", maximum: limits.sessionsPerUser))
                return nil
            }
            peer = try PeerCredentials(of: number)
        } catch {
            // The peer was gone before its process could be looked up.
            journal.record(.peerUnknown, JournalField("REASON", error.reason))
            return nil
        }
        let standing = policyInForce.standing(of: PeerFacts(peer, on: socket), on: socket.kind)
        let isGateway = socket == .api && policyInForce.policy.isGateway(standing.peer)
        let isStranger = standing.isStranger && !isGateway
        guard !isStranger || quotas.mayTakeStranger else {
            turnAway(descriptor, .limit("sessions-of-strangers", maximum: Quotas.maxStrangers))
            return nil
        }
        let owner = isStranger ? ConnectionOwner.strangers : .user(peer.user)
        let app = policyInForce.policy.onlyApp(of: standing)
        let connection = ServerConnection(
            descriptor, queue: EngineActor.queue,
            limits: quotas.shared(isStranger ? limits.connection.forStranger : limits.connection), framing: framing,
            owner: owner, account: quotas.account(of: owner), share: quotas.calls(of: owner, on: socket, app: app))
        let client = ConnectedClient(
            connection, of: self, on: socket, peer: peer, standing: standing, app: app, isGateway: isGateway,
            session: openSession(connection, of: peer.user), since: parts.clock.wall)
        clients.add(client)
        quotas.enter(client)
        onChange()
        return client
    }

    /// Refuses a connection with a reason. Up to `maxLeaving` peers at a time get a moment to read the reason. The connections
    /// of further peers are closed immediately.
    private func turnAway(_ descriptor: consuming Descriptor, _ reason: RPCError) {
        guard leaving < Self.maxLeaving else { return RefusalLine(reason).tell(descriptor.number) }
        leaving += 1
        let connection = ServerConnection(
            descriptor, queue: EngineActor.queue, limits: quotas.shared(limits.connection.forStranger),
            owner: .strangers, account: quotas.account(of: .strangers))
        connection.start(
            onCall: { _ in }, onClose: { _, _ in },
            onDescriptorClosed: { [weak self] in EngineActor.assumeIsolated { self?.leaving -= 1 } })
        connection.refuse(reason)
    }

    func begin(_ client: ConnectedClient) {
        // The closures capture only the client, because such a closure needs no memory of its own.
        client.connection.start(
            recall: EngineActor.uncheckedReading { client.router.recall($0, for: client) },
            onCall: EngineActor.uncheckedReading { client.router.take($0, from: client) },
            onClose: { _, reason in EngineActor.assumeIsolated { client.server?.farewell(client, reason) } })
        if !client.isGateway { tellOpened(client) }
    }

    func count(_ client: ConnectedClient, as app: String) {
        let owner: ConnectionOwner = client.isStranger ? .strangers : .user(client.facts.user)
        client.connection.count(in: quotas.calls(of: owner, on: client.entrance, app: app))
    }

    /// Removes a client whose connection has ended.
    func remove(_ client: ConnectedClient) {
        guard clients.remove(client) else { return }
        quotas.leave(client)
        memoryReturn.clientLeft()
    }

    private func farewell(_ client: ConnectedClient, _ reason: CloseReason) {
        remove(client)
        onChange()
        hub.unsubscribe(client)
        if !client.isGateway { tellClosed(client.number, reason.description) }
        journal.record(client, ended: reason)
        Task { @EngineActor in await client.session.close() }
    }

    /// Lets pending calls be answered, then ends all connections. After `time`, pending calls get an error.
    package func sayFarewell(within time: Duration, by clock: any EngineClock) async {
        for client in clients.all { client.connection.finish(.requested("the daemon is stopping")) }
        await awaitFarewell(until: clock.boot.advanced(by: time), by: clock)
        router.giveUpPending()
        await awaitFarewell(until: clock.boot.advanced(by: .milliseconds(500)), by: clock)
    }

    private func awaitFarewell(until end: BootTime, by clock: any EngineClock) async {
        while !clients.isEmpty, clock.boot < end { await clock.sleep(for: .milliseconds(20)) }
    }
}
