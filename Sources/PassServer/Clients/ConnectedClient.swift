// One connected app: its connection, who the kernel says it is, and its session in the engine.

import AccessEnabler
import PassProtocol
import PassSystem
import PassWire

@EngineActor final class ConnectedClient {
    let connection: ServerConnection
    let socket: SocketKind
    let facts: PeerFacts
    let process: Int32
    let group: UInt32
    /// Another one, with a number of its own, after policy has ended it.
    private(set) var session: Session
    /// The requestor that policy took away; what it asks without another one is asked for that.
    private(set) var lostRequestor: String?
    /// No rule named it when it came.
    let isStranger: Bool
    /// For the router, which looks it up again when policy has changed.
    var standing: PeerStanding
    let since: ServerTime
    /// As it introduced itself; it decides nothing.
    var introduction: String?
    var setup = Setup()
    /// Nil: it does not listen to events. Empty set never occurs.
    var subscription: Set<EventType>?

    init(
        _ connection: ServerConnection, on socket: SocketKind, peer: PeerCredentials,
        standing: PeerStanding,
        session: Session, since: ServerTime
    ) {
        self.connection = connection
        self.socket = socket
        facts = standing.peer
        process = peer.process
        group = peer.group
        self.session = session
        isStranger = standing.isStranger
        self.standing = standing
        self.since = since
    }

    var number: Int64 { session.number }

    /// For whom it speaks, or spoke until policy ended that.
    var requestor: String? { session.requestor?.rawValue ?? lostRequestor }

    /// Begins anew, with nobody to speak for. How it wants to be told things stays.
    func beginAnew(with next: Session) {
        lostRequestor = requestor
        setup.forgetRequestor()
        session = next
        _ = next.setOptions(setup.options)
    }

    /// Without the app, which is policy's to say.
    var identity: PeerIdentity {
        PeerIdentity(
            uid: facts.user, gid: group, pid: process, unit: facts.unit, executable: facts.executable)
    }
}
