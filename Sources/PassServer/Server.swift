// Everybody who is connected, and what they share: the engine, the router, the events. It lets clients in and out; what
// becomes of their calls is the router's. Made once, when the store is loaded; it lives on the engine's queue.

import AccessEnabler
import Dispatch
import PassConfiguration
import PassJSON
import PassProtocol
import PassSystem
import PassWire

@EngineActor package final class Server {
    package let state: DaemonState
    package let engine: Engine
    let router: Router
    let clients = ConnectedClients()
    let reports: Reports
    let policyInForce: PolicyInForce
    let hub: EventHub
    let quotas: Quotas
    private let parts: ServerParts
    private var door = Door()
    /// Those who wait for their turn, by their descriptors.
    private var newcomers: [Int32: Door.Newcomer] = [:]
    /// Connections that were turned away and are not closed yet.
    private var leaving = 0
    private static let mostLeaving = 64
    /// Something may have changed that the service manager's status line shows.
    package var onChange: () -> Void = {}
    /// What subscribers were told of, and is still so.
    private(set) var knownWarnings: Set<VaultHealth.Warning> = []

    private var journal: Journal { parts.journal }
    /// Of connections that come.
    private var limits: Configuration.Limits { state.loaded.configuration.limits }

    package init(
        _ parts: ServerParts, loaded: LoadedConfiguration, policy: Policy, startWarnings: [VaultHealth.Warning]
    ) {
        self.parts = parts
        engine = parts.engine
        state = DaemonState(loaded, startWarnings: startWarnings)
        policyInForce = PolicyInForce(policy)
        hub = EventHub(clock: parts.clock)
        quotas = Quotas(messageSize: loaded.configuration.limits.messageSize)
        let counts = CallCounter()
        reports = Reports(parts: parts, state: state, clients: clients, policyInForce: policyInForce, counts: counts)
        let journal = parts.journal
        router = Router(
            Handlers.all(parts: parts, reports: reports, policyInForce: policyInForce, hub: hub),
            policyInForce: policyInForce, counts: counts,
            audit: { journal.record($0) }, answered: { journal.record($0, $1) })
        engine.observe { [unowned self] event in
            hub.tell(event)
            journal.record(event, about: identityFields(of: event), parts.resourceMarks)
            onChange()
            switch event {
            case .store, .status: Task { @EngineActor [weak self] in await self?.lookForWarnings() }
            default: break
            }
        }
    }

    /// Whose decision that was, for the audit: the client by the kernel's word, and the call that asked.
    private func identityFields(of event: EngineEvent) -> [JournalField] {
        let (session, requestor): (Int64, RequestorID)
        switch event {
        case .authorization(let number, let id, _, _, _), .preauthorization(let number, let id, _, _):
            (session, requestor) = (number, id)
        default: return []
        }
        guard let client = clients[session: session] else { return [] }
        var fields = [JournalField("PEER_PID", client.process), JournalField("PEER_UID", client.facts.user)]
        if let mark = CallMark.current { return fields + mark.fields }
        // The login was what it waited for; the call that began it is answered.
        if let app = policyInForce.app(of: client, using: requestor.rawValue) {
            fields.append(JournalField("APP", app))
        }
        return fields
    }

    /// From `.stopping` on no call is taken any more.
    package func become(_ readiness: Status.Readiness) {
        state.readiness = readiness
        if readiness == .stopping { router.readiness = .stopping }
        hub.tell(.readiness, JSONObject([("readiness", .string(readiness.rawValue))]))
    }

    /// After a reload. What clients may is decided anew, also for those that are connected and for what they have under way:
    /// who may not speak for its requestor any more loses the session, and who may watch no longer is closed, since it would
    /// wait for events for ever.
    package func apply(_ loaded: LoadedConfiguration, _ policy: Policy) {
        policyInForce.policy = policy
        state.loaded = loaded
        quotas.messageSize = limits.messageSize
        for client in router.withdraw(from: clients.inOrder) { endSession(of: client) }
        hub.dismiss { !policyInForce.standing(of: $0).may(.observe) }
    }

    /// Subscribers hear that a reload was asked for, and whether it took effect.
    package func tellReload(isApplied: Bool) {
        hub.tell(.configuration, JSONObject([("applied", .bool(isApplied))]))
    }

    /// Policy has taken its requestor away. The session ends as if the app were gone; the connection stays, with a new one
    /// that speaks for nobody.
    private func endSession(of client: ConnectedClient) {
        let former = client.session
        guard clients.remove(client) else { return }
        client.beginAnew(with: openSession(client.connection, of: client.facts.user))
        clients.add(client)
        Task.immediate { @EngineActor in await former.close() }
        tellClosed(former.number, "policy no longer allows its requestor")
        tellOpened(client)
    }

    private func openSession(_ connection: ServerConnection, of user: UInt32) -> Session {
        engine.open(for: .user(user)) { if connection.isServing { connection.notify($0) } }
    }

    private func tellOpened(_ client: ConnectedClient) {
        hub.tell(
            .sessionOpened, JSONObject([("session", .int(client.number)), ("identity", client.identity.json)]))
    }

    private func tellClosed(_ number: Int64, _ reason: String) {
        hub.tell(.sessionClosed, JSONObject([("session", .int(number)), ("reason", .string(reason))]))
    }

    /// Tells subscribers of the warnings that are new since the last look. rpc.md §6.
    package func lookForWarnings() async {
        let warnings = reports.warnings(await parts.storeHealth())
        for warning in warnings where !knownWarnings.contains(warning) {
            hub.tell(.warning, JSONObject([("warning", Status.Warning(warning).json)]))
        }
        knownWarnings = Set(warnings)
        onChange()
    }

    /// Somebody who wants in; of the process behind it nothing is asked yet.
    package func admit(_ number: Int32, on socket: SocketKind) -> Admission {
        guard let user = try? PeerCredentials.user(of: number) else { return .refused(nil) }
        // Whoever may open the admin socket is trusted with everything, and may come as often as they like.
        if socket == .admin || user == 0 || user == policyInForce.policy.ownUser { return .enters(.user(user)) }
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

    /// It was admitted, and it is its owner's turn.
    package func letIn(_ descriptor: consuming Descriptor, on socket: SocketKind) {
        if let newcomer = newcomers.removeValue(forKey: descriptor.number) { door.hasCome(newcomer) }
        welcome(descriptor, on: socket)
    }

    /// A new connection, on the engine's queue.
    func welcome(_ descriptor: consuming Descriptor, on socket: SocketKind) {
        if let client = enter(descriptor, on: socket) { begin(client) }
    }

    /// Nothing is read from it yet, and it hears nothing. Nil: it is sent away. With a framing: it has spoken before.
    func enter(_ descriptor: consuming Descriptor, on socket: SocketKind, _ framing: Framing? = nil) -> ConnectedClient?
    {
        let number = descriptor.number
        let peer: PeerCredentials
        do throws(PeerCredentials.Fault) {
            // Each socket for itself: apps of root do not lock the operator out. Before the peer's process is looked at,
            // which costs more than sending it away.
            guard quotas.sessions(of: try PeerCredentials.user(of: number), on: socket) < limits.sessionsPerUser else {
                turnAway(descriptor, .limit("sessions-per-user", maximum: limits.sessionsPerUser))
                return nil
            }
            peer = try PeerCredentials(of: number)
        } catch {
            // Gone before anybody could look.
            journal.record(.peerUnknown, JournalField("REASON", error.reason))
            return nil
        }
        let standing = policyInForce.policy.standing(of: PeerFacts(peer), on: socket)
        let isStranger = standing.isStranger
        guard !isStranger || quotas.mayTakeStranger else {
            turnAway(descriptor, .limit("sessions-of-strangers", maximum: Quotas.mostStrangers))
            return nil
        }
        let owner = isStranger ? ConnectionOwner.strangers : .user(peer.user)
        let connection = ServerConnection(
            descriptor, queue: EngineActor.queue, limits: isStranger ? bounds.forStranger : bounds, framing: framing,
            owner: owner, account: quotas.account(of: owner))
        let client = ConnectedClient(
            connection, on: socket, peer: peer, standing: standing, session: openSession(connection, of: peer.user),
            since: parts.clock.wall)
        clients.add(client)
        quotas.enter(client)
        onChange()
        return client
    }

    private var bounds: ConnectionLimits {
        var bounds = ConnectionLimits()
        bounds.messageSize = limits.messageSize
        bounds.pendingCalls = limits.pendingCallsPerSession
        return bounds
    }

    /// With the reason. So many are given a moment to read it; of a flood the others are closed at once.
    private func turnAway(_ descriptor: consuming Descriptor, _ reason: RPCError) {
        guard leaving < Self.mostLeaving else { return RefusalLine(reason).tell(descriptor.number) }
        leaving += 1
        let connection = ServerConnection(
            descriptor, queue: EngineActor.queue, limits: bounds.forStranger, owner: .strangers,
            account: quotas.account(of: .strangers))
        connection.start(
            onCall: { _ in }, onClose: { _, _ in },
            onDescriptorClosed: { [weak self] in EngineActor.assumeIsolated { self?.leaving -= 1 } })
        connection.refuse(reason)
    }

    func begin(_ client: ConnectedClient) {
        client.connection.start(
            onCall: { [unowned self] call in EngineActor.assumeIsolated { self.router.take(call, from: client) } },
            onClose: { [weak self] _, reason in EngineActor.assumeIsolated { self?.farewell(client, reason) } })
        tellOpened(client)
    }

    /// It is not connected any more.
    func remove(_ client: ConnectedClient) {
        guard clients.remove(client) else { return }
        quotas.leave(client)
    }

    private func farewell(_ client: ConnectedClient, _ reason: CloseReason) {
        remove(client)
        onChange()
        hub.unsubscribe(client)
        tellClosed(client.number, reason.description)
        journal.record(client, ended: reason)
        Task { @EngineActor in await client.session.close() }
    }

    /// Lets pending calls be answered and ends all connections; the slow ones are cut off.
    package func sayFarewell(within time: Duration, by clock: any EngineClock) async {
        for client in clients.all { client.connection.finish(.requested("the daemon stops")) }
        await awaitFarewell(until: clock.boot.advanced(by: time), by: clock)
        router.giveUpPending()
        await awaitFarewell(until: clock.boot.advanced(by: .milliseconds(500)), by: clock)
    }

    private func awaitFarewell(until end: BootTime, by clock: any EngineClock) async {
        while !clients.isEmpty, clock.boot < end {
            await withCheckedContinuation { continuation in
                _ = clock.alarm(at: clock.boot.advanced(by: .milliseconds(20))) { continuation.resume() }
            }
        }
    }

    package func statusLine() -> StatusLine {
        var line = StatusLine(
            apps: clients.all.count { $0.socket == .api }, providers: engine.signedInWith,
            openLogins: engine.openLogins.count, warnings: knownWarnings.count)
        line.hasService = state.loaded.configuration.backend.origin != nil
        let now = parts.clock.boot
        line.nextPoll = engine.nextPoll.map { now.duration(to: $0) }
        return line
    }
}
