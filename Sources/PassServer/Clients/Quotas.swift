// Who may have how much: sessions of a user, and memory for what connections keep. All peers that no rule names share
// one small part, whatever number of users they are, so that strangers cannot take the place of apps. rpc.md §2.

import AccessEnabler
import PassProtocol
import PassWire

@EngineActor final class Quotas {
    /// Sessions of all strangers together.
    nonisolated static let mostStrangers = 256

    private struct UserOnSocket: Hashable {
        let user: UInt32
        let socket: SocketKind

        @EngineActor init(_ client: ConnectedClient) {
            user = client.facts.user
            socket = client.socket
        }

        init(user: UInt32, socket: SocketKind) {
            self.user = user
            self.socket = socket
        }
    }

    private var sessions: [UserOnSocket: Int] = [:]
    private var strangers = 0
    let total: MemoryAccount
    private let strangersAccount: MemoryAccount
    private var accounts: [UInt32: MemoryAccount] = [:]
    /// Of the messages of connections that come.
    var messageSize: Int { didSet { settleLimits() } }

    init(messageSize: Int) {
        self.messageSize = messageSize
        total = MemoryAccount(limit: Self.accountLimit(messageSize) * Self.fullAccounts)
        strangersAccount = MemoryAccount(limit: 16 << 20, of: total)
    }

    /// So many users may keep all that one may. Whoever keeps little finds room all the same.
    private static let fullAccounts = 2

    /// A user's connections keep half messages, calls that wait and unread answers in this memory; larger messages want more.
    private static func accountLimit(_ messageSize: Int) -> Int { max(48 << 20, messageSize * 12) }

    /// Who is connected may send messages of the former size, and keeps the room for them.
    private func settleLimits() {
        let limit = Self.accountLimit(messageSize)
        for account in accounts.values where account.limit < limit { account.limit = limit }
        total.limit = max(limit, accounts.values.map(\.limit).max() ?? 0) * Self.fullAccounts
    }

    func sessions(of user: UInt32, on socket: SocketKind) -> Int {
        sessions[UserOnSocket(user: user, socket: socket), default: 0]
    }

    var mayTakeStranger: Bool { strangers < Self.mostStrangers }

    func account(of owner: ConnectionOwner) -> MemoryAccount {
        guard case .user(let user) = owner else { return strangersAccount }
        if let account = accounts[user] { return account }
        let account = MemoryAccount(limit: Self.accountLimit(messageSize), of: total)
        accounts[user] = account
        return account
    }

    func enter(_ client: ConnectedClient) {
        sessions[UserOnSocket(client), default: 0] += 1
        if client.isStranger { strangers += 1 }
    }

    func leave(_ client: ConnectedClient) {
        if client.isStranger { strangers -= 1 }
        let place = UserOnSocket(client)
        let left = sessions[place, default: 1] - 1
        sessions[place] = left > 0 ? left : nil
        guard !sessions.keys.contains(where: { $0.user == place.user }) else { return }
        // What the user's calls still keep counts when the user comes again.
        accounts = accounts.filter { $0.key != place.user || $0.value.used > 0 }
        settleLimits()
    }
}
