// Lines of waiting requests that take turns: those of users, and within a user those of its apps. The line with the
// most urgent request goes first, and lines with equally urgent ones take turns. A line that was passed over for two
// rounds is next, regardless of its rank, so that urgent requests of one line cannot block another forever. Contract:
// rest-v2.md §15.

import AccessEnabler

/// Waiting requests: those of one app, or several such lines.
protocol RequestLine: Sendable {
    init(turn: Int)

    var count: Int { get }
    /// Whether it has no waiting request and no kept place.
    var isUnused: Bool { get }
    /// The rank of the most urgent request.
    var rank: CallRank? { get }
    var earliestDeadline: Duration? { get }
    /// The number of grants to other lines since this one came or was last served.
    var waited: Int { get set }

    func has(_ rank: CallRank) -> Bool
    mutating func next() -> RequestBudget.Ticket?
    /// The next request of this rank.
    mutating func next(of rank: CallRank) -> RequestBudget.Ticket?
    /// Returns false if the ticket is not in this line.
    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) -> Bool
    mutating func remove(_ ticket: RequestBudget.Ticket) -> Bool
    /// Removes the newest of the least urgent requests.
    mutating func removeYoungest() -> RequestBudget.Ticket?
    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket]
}

struct Turns<Key: Hashable & Sendable, Line: RequestLine>: RequestLine {
    private(set) var lines: [Key: Line] = [:]
    /// The line that was served longest ago comes first.
    private var order: [Key] = []
    private let turn: Int
    var waited = 0

    init(turn: Int) { self.turn = turn }

    var count: Int { lines.values.reduce(0) { $0 + $1.count } }
    var isUnused: Bool { lines.isEmpty }
    var rank: CallRank? { lines.values.compactMap(\.rank).min() }
    var earliestDeadline: Duration? { lines.values.compactMap(\.earliestDeadline).min() }

    func count(of key: Key) -> Int { lines[key]?.count ?? 0 }

    func has(_ rank: CallRank) -> Bool { lines.values.contains { $0.has(rank) } }

    /// Changes the line of this key. Makes one if there is none.
    mutating func change<Result>(_ key: Key, _ step: (inout Line) -> Result) -> Result {
        if lines[key] == nil { order.append(key) }
        defer { forget(key) }
        return step(&lines[key, default: Line(turn: turn)])
    }

    mutating func next() -> RequestBudget.Ticket? {
        guard let key = nextKey, let ticket = lines[key]?.next() else { return nil }
        for other in order where count(of: other) > 0 { lines[other]?.waited += 1 }
        lines[key]?.waited = 0
        served(key)
        return ticket
    }

    /// The next request of this rank. Does not change the turns of the other lines.
    mutating func next(of rank: CallRank) -> RequestBudget.Ticket? {
        guard let key = order.first(where: { lines[$0]?.has(rank) == true }), let ticket = lines[key]?.next(of: rank)
        else { return nil }
        served(key)
        return ticket
    }

    private mutating func served(_ key: Key) {
        order.removeAll { $0 == key }
        order.append(key)
        forget(key)
    }

    private var nextKey: Key? {
        let waiting = order.filter { count(of: $0) > 0 }
        let rounds = 2 * waiting.count
        if waiting.count > 1, let key = waiting.first(where: { lines[$0]?.waited ?? 0 >= rounds }) { return key }
        // `min` returns the first of several equally urgent lines.
        return waiting.min { lines[$0]?.rank ?? .background < lines[$1]?.rank ?? .background }
    }

    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) -> Bool {
        order.contains { lines[$0]?.raise(ticket, to: rank) == true }
    }

    mutating func remove(_ ticket: RequestBudget.Ticket) -> Bool {
        guard let key = order.first(where: { lines[$0]?.remove(ticket) == true }) else { return false }
        forget(key)
        return true
    }

    mutating func removeYoungest() -> RequestBudget.Ticket? {
        guard let longest = order.max(by: { count(of: $0) < count(of: $1) }) else { return nil }
        return change(longest) { $0.removeYoungest() }
    }

    /// Makes room for a request of this key. A longer line loses a request; otherwise this line does, by `ownWay`.
    mutating func makeRoom(
        for key: Key, ownWay: (inout Line) -> RequestBudget.Ticket?
    ) -> RequestBudget.Ticket? {
        let own = count(of: key)
        if let longest = order.max(by: { count(of: $0) < count(of: $1) }), longest != key, count(of: longest) > own {
            return change(longest) { $0.removeYoungest() }
        }
        return change(key, ownWay)
    }

    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket] {
        order.flatMap { key in change(key) { $0.removeOverdue(at: now) } }
    }

    private mutating func forget(_ key: Key) {
        guard lines[key]?.isUnused == true else { return }
        lines[key] = nil
        order.removeAll { $0 == key }
    }
}
