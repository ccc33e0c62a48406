// The limits of users: sessions, waiting calls, and the memory of connections. All strangers together have only a small part of
// these limits, so that they cannot lock out apps. rpc.md §2.

package import AccessEnabler
import PassProtocol
import PassWire

@EngineActor package final class Quotas {
    /// The max number of sessions of all strangers together.
    package nonisolated static let maxStrangers = 256

    private struct UserOnSocket: Hashable {
        let user: UInt32
        let socket: Entrance
    }

    private var sessions: [UserOnSocket: Int] = [:]
    private var strangers = 0
    let total: MemoryAccount
    private let strangersAccount: MemoryAccount
    private var accounts: [UInt32: MemoryAccount] = [:]
    /// The max numbers of waiting calls: of one user's apps, of one operator on the admin socket, and of all strangers
    /// together.
    package nonisolated static let (maxCalls, maxAdminCalls, maxStrangerCalls) = (256, 64, 32)
    /// The limit of waiting calls for all users together.
    private let allCalls = CallRooms(limit: maxCalls * fullAccounts)
    private let strangersCalls: CallShare
    private var calls: [UserOnSocket: UserCalls] = [:]
    /// The max size of a message on new connections, in bytes.
    var messageSize: Int { didSet { settleLimits() } }

    init(messageSize: Int) {
        self.messageSize = messageSize
        total = MemoryAccount(limit: Self.maxMemory(messageSize: messageSize) * Self.fullAccounts)
        strangersAccount = MemoryAccount(limit: Self.maxStrangerMemory, of: total)
        strangersCalls = CallShare(of: CallRoom(limit: Self.maxStrangerCalls, of: allCalls), isApp: false)
    }

    /// The totals of memory and calls are enough for this number of users at their own limits. Even if a total is used up, a
    /// user with little memory or few calls gets room.
    package nonisolated static let fullAccounts = 2

    /// The memory of all strangers together, in bytes.
    package nonisolated static let maxStrangerMemory = 16 << 20

    /// The memory for incomplete messages, pending calls and unread answers of one user's connections, in bytes. The limit
    /// grows with the max size of messages.
    package nonisolated static func maxMemory(messageSize: Int) -> Int { max(48 << 20, messageSize * 12) }

    /// Updates the limits of all accounts. The limit of a connected user is never lowered, because the user's open connections
    /// may still send messages of the former size.
    private func settleLimits() {
        let limit = Self.maxMemory(messageSize: messageSize)
        for account in accounts.values where account.limit < limit { account.limit = limit }
        total.limit = max(limit, accounts.values.map(\.limit).max() ?? 0) * Self.fullAccounts
    }

    /// The different limits of recent connections. There are few, because most connections have equal limits.
    private var bounds: [SharedLimits] = []

    /// Returns the stored object with equal limits, so that connections share it.
    func shared(_ limits: ConnectionLimits) -> SharedLimits {
        if let known = bounds.first(where: { $0.limits == limits }) { return known }
        let new = SharedLimits(limits)
        bounds = bounds.suffix(3) + [new]
        return new
    }

    func sessions(of user: UInt32, on socket: Entrance) -> Int {
        sessions[UserOnSocket(user: user, socket: socket), default: 0]
    }

    var mayTakeStranger: Bool { strangers < Self.maxStrangers }

    func account(of owner: ConnectionOwner) -> MemoryAccount {
        guard case .user(let user) = owner else { return strangersAccount }
        if let account = accounts[user] { return account }
        let account = MemoryAccount(limit: Self.maxMemory(messageSize: messageSize), of: total)
        accounts[user] = account
        return account
    }

    /// Returns the counter for the waiting calls of a connection. The calls of a user are counted separately for each socket.
    /// On all sockets except the admin socket, they are also counted separately for each app. `app` is nil while the app of the
    /// connection is unknown.
    func calls(of owner: ConnectionOwner, on socket: Entrance, app: String?) -> CallShare {
        guard case .user(let user) = owner else { return strangersCalls }
        let limit = socket == .admin ? Self.maxAdminCalls : Self.maxCalls
        return calls[UserOnSocket(user: user, socket: socket), default: UserCalls(limit: limit, of: allCalls)]
            .share(of: socket == .admin ? nil : app)
    }

    private func place(of client: ConnectedClient) -> UserOnSocket {
        UserOnSocket(user: client.facts.user, socket: client.entrance)
    }

    func enter(_ client: ConnectedClient) {
        sessions[place(of: client), default: 0] += 1
        if client.isStranger { strangers += 1 }
    }

    func leave(_ client: ConnectedClient) {
        if client.isStranger { strangers -= 1 }
        let place = place(of: client)
        let left = sessions[place, default: 1] - 1
        sessions[place] = left > 0 ? left : nil
        if left <= 0, calls[place]?.room.used == 0 { calls[place] = nil }
        guard !sessions.keys.contains(where: { $0.user == place.user }) else { return }
        // An account with memory in use is kept. When the user connects again, this memory still counts.
        accounts = accounts.filter { $0.key != place.user || $0.value.used > 0 }
        settleLimits()
    }
}

/// The waiting calls of one user on one socket, for each app.
private struct UserCalls {
    let room: CallRoom
    private var shares: [String?: CallShare] = [:]

    init(limit: Int, of all: CallRooms) { room = CallRoom(limit: limit, of: all) }

    mutating func share(of app: String?) -> CallShare {
        if let share = shares[app] { return share }
        let share = CallShare(of: room, isApp: app != nil)
        shares[app] = share
        return share
    }
}
