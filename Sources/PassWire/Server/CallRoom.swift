// Counts the calls that wait for an answer, for each owner and in total. At a limit, no call is refused: nothing further is
// read from the owner's connections until a call is answered, and then they take turns. An owner with few waiting calls
// always gets room, so that others cannot lock it out by filling the total. rpc.md §2.
//
// Used on the queue of the connections only.

public final class CallRooms {
    /// The calls that each owner may have waiting even if the total is used up.
    static let alwaysGranted = 16

    private let limit: Int
    fileprivate var used = 0
    /// The connections that wait for room, in their order.
    private var paused: [(room: CallRoom, connection: ServerConnection)] = []

    public init(limit: Int) { self.limit = limit }

    fileprivate var isFull: Bool { used >= limit }

    fileprivate func pause(_ connection: ServerConnection, for room: CallRoom) { paused.append((room, connection)) }

    fileprivate func forget(_ connection: ServerConnection) { paused.removeAll { $0.connection === connection } }

    /// Resumes the connection that has waited longest and has room now.
    fileprivate func offer() {
        guard let index = paused.firstIndex(where: { $0.room.hasRoom }) else { return }
        paused.remove(at: index).connection.resumeWithRoom()
    }
}

/// The room of one owner.
public final class CallRoom {
    private let limit: Int
    public private(set) var used = 0
    private let all: CallRooms

    public init(limit: Int, of all: CallRooms) {
        self.limit = limit
        self.all = all
    }

    var hasRoom: Bool { used < limit && (used < CallRooms.alwaysGranted || !all.isFull) }

    func take(_ count: Int = 1) {
        used += count
        all.used += count
    }

    func giveBack(_ count: Int = 1) {
        used -= count
        all.used -= count
        all.offer()
    }

    /// `resumeWithRoom` is called when it is the connection's turn.
    func pause(_ connection: ServerConnection) { all.pause(connection, for: self) }

    func forget(_ connection: ServerConnection) { all.forget(connection) }

    /// To be called when a resumed connection has taken what it needs.
    func passOn() { all.offer() }
}
