// The waiting requests of one app. The most urgent go first, and equally urgent ones in their order. From time to time
// the oldest gets a turn. A request that times out leaves its place to the app's next request, so that a repeated call
// keeps its position. Contract: rest-v2.md §15.

import AccessEnabler

struct OwnerQueue: RequestLine {
    struct Entry: Sendable {
        let ticket: RequestBudget.Ticket
        /// Its place among the requests of the app: its own number, or the place that it has taken over.
        var place: UInt64
        let deadline: Duration
    }

    /// How long a place is kept, and the maximum number of kept places.
    static let keepingTime = Duration.seconds(30)
    private static let maxKept = 32

    private var places = [[Entry]](repeating: [], count: CallRank.allCases.count)
    private var kept: [(place: UInt64, ends: Duration)] = []
    private let turn: Int
    /// The number of grants in a row that passed over a longer wait.
    private var passedOver = 0
    private(set) var count = 0
    var waited = 0

    init(turn: Int) { self.turn = turn }

    var isUnused: Bool { count == 0 && kept.isEmpty }

    var rank: CallRank? { places.firstIndex { !$0.isEmpty }.flatMap(CallRank.init) }

    var earliestDeadline: Duration? { places.lazy.joined().map(\.deadline).min() }

    func has(_ rank: CallRank) -> Bool { !places[rank.rawValue].isEmpty }

    mutating func append(_ entry: Entry, _ rank: CallRank) {
        var entry = entry
        if let oldest = kept.indices.min(by: { kept[$0].place < kept[$1].place }) {
            entry.place = kept.remove(at: oldest).place
        }
        insert(entry, rank.rawValue)
        count += 1
    }

    private mutating func insert(_ entry: Entry, _ line: Int) {
        let next = places[line].firstIndex { $0.place > entry.place }
        places[line].insert(entry, at: next ?? places[line].endIndex)
    }

    mutating func next() -> RequestBudget.Ticket? {
        guard let first = rank?.rawValue,
            let oldest = places.indices.filter({ !places[$0].isEmpty })
                .min(by: { places[$0][0].place < places[$1][0].place })
        else { return nil }
        count -= 1
        passedOver = oldest == first ? 0 : passedOver + 1
        guard passedOver >= turn else { return places[first].removeFirst().ticket }
        passedOver = 0
        return places[oldest].removeFirst().ticket
    }

    mutating func next(of rank: CallRank) -> RequestBudget.Ticket? {
        guard has(rank) else { return nil }
        count -= 1
        return places[rank.rawValue].removeFirst().ticket
    }

    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) -> Bool {
        for line in places.indices {
            guard let index = places[line].firstIndex(where: { $0.ticket == ticket }) else { continue }
            guard rank.rawValue < line else { return true }
            insert(places[line].remove(at: index), rank.rawValue)
            return true
        }
        return false
    }

    mutating func remove(_ ticket: RequestBudget.Ticket) -> Bool {
        for line in places.indices {
            guard let index = places[line].firstIndex(where: { $0.ticket == ticket }) else { continue }
            places[line].remove(at: index)
            count -= 1
            return true
        }
        return false
    }

    mutating func removeYoungest() -> RequestBudget.Ticket? { removeYoungest(below: nil) }

    /// Removes the newest of the least urgent requests, if they are less urgent than `rank`.
    mutating func removeYoungest(below rank: CallRank?) -> RequestBudget.Ticket? {
        guard let line = places.lastIndex(where: { !$0.isEmpty }), line > rank?.rawValue ?? -1 else { return nil }
        count -= 1
        return places[line].removeLast().ticket
    }

    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket] {
        kept.removeAll { $0.ends <= now }
        var overdue: [Entry] = []
        for line in places.indices where places[line].contains(where: { $0.deadline <= now }) {
            overdue += places[line].filter { $0.deadline <= now }
            places[line].removeAll { $0.deadline <= now }
        }
        guard !overdue.isEmpty else { return [] }
        count -= overdue.count
        kept = (kept + overdue.map { ($0.place, now + Self.keepingTime) }).sorted { $0.place < $1.place }
        kept.removeLast(max(0, kept.count - Self.maxKept))
        return overdue.map(\.ticket)
    }
}
