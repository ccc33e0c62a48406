// The waiting requests of one owner. The most urgent go first, and equally urgent ones in their order; now and then the
// longest wait gets a turn. Contract: rest-v2.md §15.

import AccessEnabler

struct OwnerQueue: Sendable {
    private var places = [[RequestQueue.Entry]](repeating: [], count: CallRank.allCases.count)
    private let turn: Int
    /// The number of grants in a row that passed over a longer wait.
    private var passedOver = 0
    private(set) var count = 0
    /// The number of grants to others since this owner came or was last served.
    var waited = 0

    init(turn: Int) { self.turn = turn }

    var isEmpty: Bool { count == 0 }

    /// The rank of the most urgent request.
    var rank: CallRank? { places.firstIndex { !$0.isEmpty }.flatMap(CallRank.init) }

    var earliestDeadline: Duration? { places.lazy.joined().map(\.deadline).min() }

    mutating func append(_ place: RequestQueue.Entry, _ rank: CallRank) {
        places[rank.rawValue].append(place)
        count += 1
    }

    mutating func next() -> RequestBudget.Ticket? {
        guard let first = rank?.rawValue,
            let oldest = places.indices.filter({ !places[$0].isEmpty })
                .min(by: { places[$0][0].ticket.number < places[$1][0].ticket.number })
        else { return nil }
        count -= 1
        passedOver = oldest == first ? 0 : passedOver + 1
        guard passedOver >= turn else { return places[first].removeFirst().ticket }
        passedOver = 0
        return places[oldest].removeFirst().ticket
    }

    mutating func nextViewer() -> RequestBudget.Ticket? {
        guard !places[CallRank.viewer.rawValue].isEmpty else { return nil }
        count -= 1
        return places[CallRank.viewer.rawValue].removeFirst().ticket
    }

    /// Returns false if the ticket is not in this queue.
    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) -> Bool {
        for line in places.indices {
            guard let index = places[line].firstIndex(where: { $0.ticket == ticket }) else { continue }
            guard rank.rawValue < line else { return true }
            let entry = places[line].remove(at: index)
            let place = places[rank.rawValue].firstIndex { $0.ticket.number > ticket.number }
            places[rank.rawValue].insert(entry, at: place ?? places[rank.rawValue].endIndex)
            return true
        }
        return false
    }

    /// Returns false if the ticket is not in this queue.
    mutating func remove(_ ticket: RequestBudget.Ticket) -> Bool {
        for line in places.indices {
            guard let index = places[line].firstIndex(where: { $0.ticket == ticket }) else { continue }
            places[line].remove(at: index)
            count -= 1
            return true
        }
        return false
    }

    /// Removes the newest of the least urgent requests, if they are less urgent than `rank`.
    mutating func removeYoungest(below rank: CallRank? = nil) -> RequestBudget.Ticket? {
        guard let line = places.lastIndex(where: { !$0.isEmpty }), line > rank?.rawValue ?? -1 else { return nil }
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
