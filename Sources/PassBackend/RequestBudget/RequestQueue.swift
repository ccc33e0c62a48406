// The waiting requests of all owners. The most urgent one goes first. Among equally urgent ones the owners take turns,
// so that an owner with many requests delays only itself. An owner that was passed over for two rounds is next, however
// urgent its request is, so that no owner waits forever. Contract: rest-v2.md §15.

import AccessEnabler

struct RequestQueue: Sendable {
    struct Entry: Sendable {
        let ticket: RequestBudget.Ticket
        let deadline: Duration
    }

    private var lines: [CallOwner: OwnerQueue] = [:]
    /// The owners with waiting requests; the one that was served longest ago comes first.
    private var order: [CallOwner] = []
    private let turn: Int
    private(set) var count = 0

    init(turn: Int) { self.turn = turn }

    var isEmpty: Bool { count == 0 }

    var earliestDeadline: Duration? { lines.values.compactMap(\.earliestDeadline).min() }

    func count(of owner: CallOwner) -> Int { lines[owner]?.count ?? 0 }

    mutating func append(_ place: Entry, _ priority: RequestPriority, of owner: CallOwner) {
        if lines[owner] == nil { order.append(owner) }
        lines[owner, default: OwnerQueue(turn: turn)].append(place, priority)
        count += 1
    }

    mutating func next() -> RequestBudget.Ticket? {
        guard let owner = nextOwner, let ticket = lines[owner]?.next() else { return nil }
        count -= 1
        for other in order { lines[other]?.waited += 1 }
        lines[owner]?.waited = 0
        order.removeAll { $0 == owner }
        order.append(owner)
        forget(owner)
        return ticket
    }

    private var nextOwner: CallOwner? {
        let rounds = 2 * order.count
        if order.count > 1, let owner = order.first(where: { lines[$0]?.waited ?? 0 >= rounds }) { return owner }
        // `min` returns the first of several equally urgent owners.
        return order.min { lines[$0]?.urgency ?? .max < lines[$1]?.urgency ?? .max }
    }

    mutating func remove(_ ticket: RequestBudget.Ticket) {
        for owner in order where lines[owner]?.remove(ticket) == true {
            count -= 1
            return forget(owner)
        }
    }

    mutating func removeYoungest(
        of owner: CallOwner, below priority: RequestPriority? = nil
    ) -> RequestBudget.Ticket? {
        guard let ticket = lines[owner]?.removeYoungest(below: priority) else { return nil }
        count -= 1
        forget(owner)
        return ticket
    }

    /// Makes room in a full queue: removes a request of the longest line, if that is longer than the newcomer's;
    /// otherwise one of the newcomer's own.
    mutating func makeRoom(for owner: CallOwner, _ priority: RequestPriority) -> RequestBudget.Ticket? {
        let own = count(of: owner)
        guard let longest = order.max(by: { count(of: $0) < count(of: $1) }), count(of: longest) > own else {
            return removeYoungest(of: owner, below: priority)
        }
        return longest == owner ? removeYoungest(of: owner, below: priority) : removeYoungest(of: longest)
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

    /// Removes the line of an owner that has no waiting requests.
    private mutating func forget(_ owner: CallOwner) {
        guard lines[owner]?.isEmpty == true else { return }
        lines[owner] = nil
        order.removeAll { $0 == owner }
    }
}
