// The waiting requests of all owners. The most urgent goes first, and owners with equally urgent ones take turns, so
// that an owner with many requests delays only itself. An owner who was passed over for two rounds is next, with
// whatever it has, so that urgent requests of one cannot block another forever. Contract: rest-v2.md §15.

import AccessEnabler

struct RequestQueue: Sendable {
    struct Entry: Sendable {
        let ticket: RequestBudget.Ticket
        let deadline: Duration
    }

    private var lines: [CallOwner: OwnerQueue] = [:]
    /// The owners that wait; the one that was served longest ago comes first.
    private var order: [CallOwner] = []
    private let turn: Int
    private(set) var count = 0

    init(turn: Int) { self.turn = turn }

    var isEmpty: Bool { count == 0 }

    var earliestDeadline: Duration? { lines.values.compactMap(\.earliestDeadline).min() }

    func count(of owner: CallOwner) -> Int { lines[owner]?.count ?? 0 }

    mutating func append(_ place: Entry, _ rank: CallRank, of owner: CallOwner) {
        if lines[owner] == nil { order.append(owner) }
        lines[owner, default: OwnerQueue(turn: turn)].append(place, rank)
        count += 1
    }

    var hasViewers: Bool { lines.values.contains { $0.rank == .viewer } }

    mutating func next() -> RequestBudget.Ticket? {
        guard let owner = nextOwner, let ticket = lines[owner]?.next() else { return nil }
        for other in order { lines[other]?.waited += 1 }
        lines[owner]?.waited = 0
        served(owner)
        return ticket
    }

    /// The next request that a viewer waits for. The turns of the others stay as they are.
    mutating func nextViewer() -> RequestBudget.Ticket? {
        guard let owner = order.first(where: { lines[$0]?.rank == .viewer }), let ticket = lines[owner]?.nextViewer()
        else { return nil }
        served(owner)
        return ticket
    }

    private mutating func served(_ owner: CallOwner) {
        count -= 1
        order.removeAll { $0 == owner }
        order.append(owner)
        forget(owner)
    }

    private var nextOwner: CallOwner? {
        let rounds = 2 * order.count
        if order.count > 1, let owner = order.first(where: { lines[$0]?.waited ?? 0 >= rounds }) { return owner }
        // `min` returns the first of several equally urgent owners.
        return order.min { lines[$0]?.rank ?? .background < lines[$1]?.rank ?? .background }
    }

    /// Moves the request up, among the others of its owner by their age.
    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) {
        for owner in order where lines[owner]?.raise(ticket, to: rank) == true { return }
    }

    mutating func remove(_ ticket: RequestBudget.Ticket) {
        for owner in order where lines[owner]?.remove(ticket) == true {
            count -= 1
            return forget(owner)
        }
    }

    mutating func removeYoungest(
        of owner: CallOwner, below rank: CallRank? = nil
    ) -> RequestBudget.Ticket? {
        guard let ticket = lines[owner]?.removeYoungest(below: rank) else { return nil }
        count -= 1
        forget(owner)
        return ticket
    }

    /// To be called if the queue is full. Takes a request from an owner with more of them than the newcomer, or else a
    /// less urgent one from the newcomer's own.
    mutating func makeRoom(for owner: CallOwner, _ rank: CallRank) -> RequestBudget.Ticket? {
        let own = count(of: owner)
        guard let longest = order.max(by: { count(of: $0) < count(of: $1) }), count(of: longest) > own else {
            return removeYoungest(of: owner, below: rank)
        }
        return longest == owner ? removeYoungest(of: owner, below: rank) : removeYoungest(of: longest)
    }

    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket] {
        var overdue: [RequestBudget.Ticket] = []
        for owner in order {
            overdue += lines[owner]?.removeOverdue(at: now) ?? []
            forget(owner)
        }
        count -= overdue.count
        return overdue
    }

    /// Removes the queue of an owner that has no waiting requests left.
    private mutating func forget(_ owner: CallOwner) {
        guard lines[owner]?.isEmpty == true else { return }
        lines[owner] = nil
        order.removeAll { $0 == owner }
    }
}
