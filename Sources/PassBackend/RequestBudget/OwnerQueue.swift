// The waiting requests of one owner, by priority and within a priority in the order of arrival. Now and then the
// request that has waited longest goes first. Contract: rest-v2.md §15.

struct OwnerQueue: Sendable {
    private var places = [[RequestQueue.Entry]](repeating: [], count: RequestPriority.allCases.count)
    private let turn: Int
    /// How many grants in a row have passed over a request that waits longer.
    private var passedOver = 0
    private(set) var count = 0
    /// How many grants others have received since this owner came or was last served.
    var waited = 0

    init(turn: Int) { self.turn = turn }

    var isEmpty: Bool { count == 0 }

    var urgency: Int? { places.firstIndex { !$0.isEmpty } }

    var earliestDeadline: Duration? { places.lazy.joined().map(\.deadline).min() }

    mutating func append(_ place: RequestQueue.Entry, _ priority: RequestPriority) {
        places[priority.rawValue].append(place)
        count += 1
    }

    mutating func next() -> RequestBudget.Ticket? {
        guard let first = urgency,
            let oldest = places.indices.filter({ !places[$0].isEmpty })
                .min(by: { places[$0][0].ticket.number < places[$1][0].ticket.number })
        else { return nil }
        count -= 1
        passedOver = oldest == first ? 0 : passedOver + 1
        guard passedOver >= turn else { return places[first].removeFirst().ticket }
        passedOver = 0
        return places[oldest].removeFirst().ticket
    }

    /// Returns false if the ticket is not in this line.
    mutating func remove(_ ticket: RequestBudget.Ticket) -> Bool {
        for line in places.indices {
            guard let index = places[line].firstIndex(where: { $0.ticket == ticket }) else { continue }
            places[line].remove(at: index)
            count -= 1
            return true
        }
        return false
    }

    /// Removes the newest of the least urgent requests, if it is less urgent than `priority`.
    mutating func removeYoungest(below priority: RequestPriority? = nil) -> RequestBudget.Ticket? {
        guard let line = places.lastIndex(where: { !$0.isEmpty }), line > priority?.rawValue ?? -1 else { return nil }
        count -= 1
        return places[line].removeLast().ticket
    }

    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket] {
        var overdue: [RequestBudget.Ticket] = []
        for line in places.indices where places[line].contains(where: { $0.deadline <= now }) {
            overdue += places[line].filter { $0.deadline <= now }.map(\.ticket)
            places[line].removeAll { $0.deadline <= now }
        }
        count -= overdue.count
        return overdue
    }
}
