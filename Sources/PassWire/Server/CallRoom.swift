// Counts the waiting calls of each app, of each user and in total. At a limit, no call is refused. Instead, reading from
// the connection pauses until a call is answered. Then connections take turns, each with one call.
//
// A user with few waiting calls always gets room, so that others cannot lock it out by filling the total. One app cannot
// lock out its user's other apps, either. An app may take only a part of the free places. An app without waiting calls may
// exceed the limits of its user and of the total a little. rpc.md §2.
//
// Used on the queue of the connections only.

public final class CallRooms {
    /// The number of waiting calls that each owner may have even if the total is used up.
    package static let alwaysGranted = 16

    private let limit: Int
    fileprivate var used = 0
    /// The connections that wait for room, in order of arrival.
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
    /// The free places for apps that have no waiting calls.
    fileprivate var leftForFirst: Int { left + Self.excess(over: limit) }
    /// The number of these calls that may exceed the limit.
    package static func excess(over limit: Int) -> Int { limit / 4 }
}

/// One app's share of its owner's room. All connections without an app have one share together.
public final class CallShare {
    /// The max ratio of an app's waiting calls to the free places.
    package static let part = 3

    private let room: CallRoom
    private let isApp: Bool
    public private(set) var used = 0

    /// Makes a share. Calls without an app may use the whole room: calls of operators and of strangers, and those made
    /// before the app is known, which do not wait.
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

    /// Pauses the connection. `resumeWithRoom` is called when its turn comes.
    func pause(_ connection: ServerConnection) { room.all.pause(connection) }

    func forget(_ connection: ServerConnection) { room.all.forget(connection) }

    /// Passes the turn on, after a resumed connection has taken a call or needs nothing.
    func passOn() { room.all.offer() }
}
