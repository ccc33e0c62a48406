// The waiting requests of all users and of their apps. Contract: rest-v2.md §15.

import AccessEnabler

struct RequestQueue: Sendable {
    private var users: Turns<UInt32?, Turns<AppID?, OwnerQueue>>

    init(turn: Int) { users = Turns(turn: turn) }

    var count: Int { users.count }

    var isEmpty: Bool { users.rank == nil }

    var earliestDeadline: Duration? { users.earliestDeadline }

    func has(_ rank: CallRank) -> Bool { users.has(rank) }

    /// The number of requests of the owner's user.
    func count(of owner: RequestOwner) -> Int { users.count(of: owner.user) }

    /// The apps that wait for something with this rank.
    func apps(waitingFor rank: CallRank) -> Set<AppID?> {
        Set(users.lines.values.flatMap { $0.lines.filter { $0.value.has(rank) }.keys })
    }

    mutating func append(_ ticket: RequestBudget.Ticket, _ rank: CallRank, of owner: RequestOwner, deadline: Duration) {
        let entry = OwnerQueue.Entry(ticket: ticket, place: ticket.number, deadline: deadline)
        users.change(owner.user) { $0.change(owner.app) { $0.append(entry, rank) } }
    }

    mutating func next() -> RequestBudget.Ticket? { users.next() }

    mutating func next(of rank: CallRank) -> RequestBudget.Ticket? { users.next(of: rank) }

    /// Raises the rank of the request. Among equal ranks of its app, age decides.
    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) { _ = users.raise(ticket, to: rank) }

    mutating func remove(_ ticket: RequestBudget.Ticket) { _ = users.remove(ticket) }

    /// To be called if the queue is full. The user with the most requests loses one, and of its apps the one with the
    /// most. If that is the caller's own app, only a less urgent request is evicted.
    mutating func makeRoom(for owner: RequestOwner, _ rank: CallRank) -> RequestBudget.Ticket? {
        users.makeRoom(for: owner.user) { Self.makeRoom(for: owner, rank, in: &$0) }
    }

    /// To be called if the user has its share of the queue.
    mutating func makeOwnRoom(for owner: RequestOwner, _ rank: CallRank) -> RequestBudget.Ticket? {
        users.change(owner.user) { Self.makeRoom(for: owner, rank, in: &$0) }
    }

    private static func makeRoom(
        for owner: RequestOwner, _ rank: CallRank, in apps: inout Turns<AppID?, OwnerQueue>
    ) -> RequestBudget.Ticket? {
        apps.makeRoom(for: owner.app) { $0.removeYoungest(below: rank) }
    }

    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket] { users.removeOverdue(at: now) }
}
