// Counts the calls that wait for an answer, for each app, for each user and in total. At a limit, no call is refused:
// nothing further is read from the connection until a call is answered, and then connections take turns, each with one
// call. A user with few waiting calls always gets room, so that others cannot lock it out by filling the total. Nor can
// one app lock out its user's other apps: an app may take only a part of what is left, and an app without waiting calls
// may go a little beyond what the user and all may have. rpc.md §2.
//
// Used on the queue of the connections only.

public final class CallRooms {
    /// The calls that each owner may have waiting even if the total is used up.
    static let alwaysGranted = 16

    private let limit: Int
    fileprivate var used = 0
    /// The connections that wait for room, in their order.
    private var paused: [ServerConnection] = []

    public init(limit: Int) { self.limit = limit }

    fileprivate var left: Int { limit - used }

    fileprivate func pause(_ connection: ServerConnection) { paused.append(connection) }

    fileprivate func forget(_ connection: ServerConnection) { paused.removeAll { $0 === connection } }

    /// Resumes the connection that has waited longest and has room now.
    fileprivate func offer() {
        guard let index = paused.firstIndex(where: \.hasRoom) else { return }
        paused.remove(at: index).resumeWithRoom()
    }
}

/// The room of one owner.
public final class CallRoom {
    private let limit: Int
    public fileprivate(set) var used = 0
    fileprivate let all: CallRooms

    public init(limit: Int, of all: CallRooms) {
        self.limit = limit
        self.all = all
    }

    fileprivate var left: Int { limit - used }
    /// The places for calls of apps that have none waiting. They go beyond the limit by its fourth part.
    fileprivate var leftForFirst: Int { left + limit / 4 }
}

/// The part of an owner's room that an app has, or that all connections without an app have together.
public final class CallShare {
    /// An app may have this many times the number of free places as waiting calls.
    static let part = 3

    private let room: CallRoom
    private let isApp: Bool
    public private(set) var used = 0

    /// Calls without an app may use the whole room: those of operators and of strangers, and those before an app is known,
    /// which do not wait.
    public init(of room: CallRoom, isApp: Bool) {
        self.room = room
        self.isApp = isApp
    }

    var hasRoom: Bool {
        if used == 0 { return room.leftForFirst > 0 }
        return fits(room.left) && (room.used < CallRooms.alwaysGranted || fits(room.all.left))
    }

    private func fits(_ left: Int) -> Bool { isApp ? used < Self.part * left : left > 0 }

    func take(_ count: Int = 1) {
        used += count
        room.used += count
        room.all.used += count
    }

    func giveBack(_ count: Int = 1) {
        used -= count
        room.used -= count
        room.all.used -= count
        room.all.offer()
    }

    /// `resumeWithRoom` is called when it is the connection's turn.
    func pause(_ connection: ServerConnection) { room.all.pause(connection) }

    func forget(_ connection: ServerConnection) { room.all.forget(connection) }

    /// To be called when a resumed connection has taken a call, or needs nothing.
    func passOn() { room.all.offer() }
}
