// Counts the waiting calls of each app, of each user and in total. When a limit is reached, passd does not refuse further
// calls. Instead, passd pauses reading from the connection until a call is answered. Then the paused connections continue one
// after the other, each with one call.
//
// A user with few waiting calls always gets room, so that other users cannot lock out this user by filling the total. An app
// may take only a part of the user's free places, so that it cannot lock out the user's other apps. If an app has no waiting
// call, its first call may exceed the limits of the user and of the total a little. rpc.md §2.
//
// Used on the queue of the connections only.

public final class CallRooms {
    /// Each owner may have this number of waiting calls even if the total is used up.
    package static let alwaysGranted = 16

    private let limit: Int
    fileprivate var used = 0
    /// The connections that wait for room, in order of arrival.
    private var paused: [ServerConnection] = []

    public init(limit: Int) { self.limit = limit }

    fileprivate var left: Int { limit - used }

    fileprivate func pause(_ connection: ServerConnection) { paused.append(connection) }

    fileprivate func forget(_ connection: ServerConnection) { paused.removeAll { $0 === connection } }

    /// Resumes the connection that has waited longest, among those that have room now.
    fileprivate func offer() {
        guard let index = paused.firstIndex(where: \.hasRoom) else { return }
        paused.remove(at: index).resumeWithRoom()
    }
}

/// Counts the waiting calls of one owner, up to a limit.
public final class CallRoom {
    private let limit: Int
    public fileprivate(set) var used = 0
    fileprivate let all: CallRooms

    public init(limit: Int, of all: CallRooms) {
        self.limit = limit
        self.all = all
    }

    fileprivate var left: Int { limit - used }
    /// The free places for the first waiting call of an app. These first calls may exceed the owner's limit by a quarter.
    fileprivate var leftForFirst: Int { left + Self.excess(over: limit) }
    /// The number of first calls that may exceed this limit.
    package static func excess(over limit: Int) -> Int { limit / 4 }
}

/// Counts the waiting calls of one app, within the limit of its owner. The connections of an owner that belong to no app are
/// counted together.
public final class CallShare {
    /// An app gets room only while it has fewer waiting calls than this number times the free places.
    package static let part = 3

    private let room: CallRoom
    private let isApp: Bool
    public private(set) var used = 0

    /// Makes a share. `isApp` is false for the connections of operators, of strangers, and of apps that are not known yet. Such
    /// connections may use all places of their owner. If the app is not known yet, the connection has no waiting calls.
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

    /// Pauses the connection. When there is a free place for its next call, `resumeWithRoom` is called.
    func pause(_ connection: ServerConnection) { room.all.pause(connection) }

    func forget(_ connection: ServerConnection) { room.all.forget(connection) }

    /// Lets the next paused connection continue. Call this when a resumed connection has taken one call or has none.
    func passOn() { room.all.offer() }
}
