// The line of waiting requests: by priority, first come first served inside one, and a turn for the longest wait now
// and then. Contract: rest-v2.md §15.

struct RequestQueue: Sendable {
    struct Place: Sendable {
        let ticket: RequestBudget.Ticket
        let deadline: Duration
    }

    private var lines = [[Place]](repeating: [], count: RequestPriority.allCases.count)
    private let turn: Int
    /// Grants in a row that passed over a longer wait.
    private var passedOver = 0
    private(set) var count = 0

    init(turn: Int) { self.turn = turn }

    var isEmpty: Bool { count == 0 }

    var earliestDeadline: Duration? { lines.lazy.joined().map(\.deadline).min() }

    mutating func append(_ place: Place, _ priority: RequestPriority) {
        lines[priority.rawValue].append(place)
        count += 1
    }

    mutating func next() -> RequestBudget.Ticket? {
        guard let first = lines.firstIndex(where: { !$0.isEmpty }),
            let oldest = lines.indices.filter({ !lines[$0].isEmpty })
                .min(by: { lines[$0][0].ticket.number < lines[$1][0].ticket.number })
        else { return nil }
        count -= 1
        if oldest == first {
            passedOver = 0
            return lines[first].removeFirst().ticket
        }
        passedOver += 1
        guard passedOver >= turn else { return lines[first].removeFirst().ticket }
        passedOver = 0
        return lines[oldest].removeFirst().ticket
    }

    mutating func remove(_ ticket: RequestBudget.Ticket) {
        for line in lines.indices {
            if let index = lines[line].firstIndex(where: { $0.ticket == ticket }) {
                lines[line].remove(at: index)
                count -= 1
                return
            }
        }
    }

    mutating func removeYoungest(below priority: RequestPriority) -> RequestBudget.Ticket? {
        guard let line = lines.lastIndex(where: { !$0.isEmpty }), line > priority.rawValue else { return nil }
        count -= 1
        return lines[line].removeLast().ticket
    }

    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket] {
        var overdue: [RequestBudget.Ticket] = []
        for line in lines.indices where lines[line].contains(where: { $0.deadline <= now }) {
            overdue += lines[line].filter { $0.deadline <= now }.map(\.ticket)
            lines[line].removeAll { $0.deadline <= now }
        }
        count -= overdue.count
        return overdue
    }
}
