// One connected app: its connection, its identity as the kernel reports it, and its session in the engine.

import AccessEnabler
import PassProtocol
import PassSystem
import PassWire

@EngineActor final class ConnectedClient {
    let connection: ServerConnection
    private(set) weak var server: Server?
    /// The server's router. The reference is strong, because every call uses it and a weak reference takes more time.
    let router: Router
    let socket: SocketKind
    private(set) var process: Int32
    private(set) var group: UInt32
    /// The session. When policy ends a session, the client gets a new session with a new number.
    private(set) var session: Session
    /// The requestor that policy took away from the client; otherwise nil. Until the client sets a new requestor, policy
    /// decides about its calls as if the session still had the lost requestor.
    private(set) var lostRequestor: String?
    /// Whether the peer was a stranger when it connected.
    let isStranger: Bool
    /// Whether the client may be the web gateway and has made no other call than `passd.speakFor`. Observers do not learn of
    /// such a client.
    var isGateway: Bool
    var calls = 0
    /// What the policy says about the peer. `PolicyInForce` updates it after the policy has changed.
    var standing: PeerStanding
    let since: ServerTime
    /// The app against whose limit the client's waiting calls count. If several stanzas name the peer, it is the app of the
    /// last allowed call.
    private var app: String?
    /// The name and version from `passd.hello`. Operators see them; no decision depends on them.
    var introduction: String?
    var setup = Setup()
    /// Tells `AnswerMemory` where to look for answers for this client.
    var remembered = AnswerMemory.Place()
    /// The types of events that the client subscribed to; nil without a subscription. The set is never empty.
    var subscription: Set<EventType>?

    init(
        _ connection: ServerConnection, of server: Server, on socket: Entrance, peer: PeerCredentials,
        standing: PeerStanding, app: String?, isGateway: Bool = false, session: Session, since: ServerTime
    ) {
        self.connection = connection
        self.server = server
        router = server.router
        self.socket = socket.kind
        process = peer.process
        group = peer.group
        self.session = session
        isStranger = standing.isStranger && !isGateway
        self.isGateway = isGateway
        self.standing = standing
        self.app = app
        self.since = since
    }

    var number: Int64 { session.number }

    var facts: PeerFacts { standing.peer }

    var entrance: Entrance { Entrance(kind: socket, app: facts.socket) }

    /// The requestor of the session, or the requestor that policy took away.
    var requestor: String? { session.requestor?.rawValue ?? lostRequestor }

    /// From now on, counts the client's waiting calls against the limit of the app `next`. This is the app for which policy has
    /// allowed a call.
    func count(as next: String?) {
        guard let next, next != app else { return }
        app = next
        server?.count(self, as: next)
    }

    /// Replaces the session with one that has no requestor. The client's options are carried over.
    func beginAnew(with next: Session) {
        lostRequestor = requestor
        setup.forgetRequestor()
        _ = next.setOptions(session.options)
        session = next
    }

    /// The fields that identify the peer in the journal.
    var journalFields: [JournalField] {
        [JournalField("PEER_PID", process), JournalField("PEER_UID", facts.user)]
            + (facts.origin.map { [JournalField("ORIGIN", $0.description)] } ?? [])
    }

    /// Rebinds the gateway's connection to a web app, with a new session.
    func become(_ next: PeerStanding, app: String?, process: Int32?, session: Session) {
        isGateway = false
        standing = next
        self.app = app
        self.process = process ?? 0
        group = .max
        self.session = session
    }

    /// The peer's identity without the app, because only the policy knows the app.
    var identity: PeerIdentity {
        PeerIdentity(
            uid: facts.user, gid: group, pid: process, unit: facts.unit, socket: facts.socket,
            origin: facts.origin?.description)
    }
}
