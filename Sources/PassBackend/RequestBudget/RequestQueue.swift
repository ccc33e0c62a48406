// The waiting requests of all users and of their apps. Contract: rest-v2.md §15.

import AccessEnabler

typealias RequestQueue = Turns<UInt32?, Turns<AppID?, OwnerQueue>>

extension RequestQueue {
    var isEmpty: Bool { rank == nil }

    /// The apps that have a waiting request of this rank.
    func apps(waitingFor rank: CallRank) -> Set<AppID?> {
        Set(lines.values.flatMap { $0.lines.filter { $0.value.has(rank) }.keys })
    }

    mutating func append(_ ticket: RequestBudget.Ticket, _ rank: CallRank, of owner: RequestOwner, deadline: Duration) {
        let entry = OwnerQueue.Entry(ticket: ticket, place: ticket.number, deadline: deadline)
        change(owner.user) { $0.change(owner.app) { $0.append(entry, rank) } }
    }

    /// To be called if the queue is full. The user with the most requests loses a request, from the app with the most requests.
    /// If that is the caller's own app, only a less urgent request is evicted. Returns the evicted request; nil if there is
    /// none.
    mutating func makeRoom(for owner: RequestOwner, _ rank: CallRank) -> RequestBudget.Ticket? {
        makeRoom(for: owner.user) { Self.makeRoom(for: owner, rank, in: &$0) }
    }

    /// Makes room if the user has used up its share of the queue.
    mutating func makeOwnRoom(for owner: RequestOwner, _ rank: CallRank) -> RequestBudget.Ticket? {
        change(owner.user) { Self.makeRoom(for: owner, rank, in: &$0) }
    }

    private static func makeRoom(
        for owner: RequestOwner, _ rank: CallRank, in apps: inout Turns<AppID?, OwnerQueue>
    ) -> RequestBudget.Ticket? {
        apps.makeRoom(for: owner.app) { $0.removeYoungest(below: rank) }
    }
}

/// The waiting requests of one app. The most urgent requests go first, and equally urgent requests go in the order of their
/// arrival. From time to time the oldest request goes first, even if it is less urgent. A request that times out leaves its
/// place to the app's next request, so that a repeated call keeps its position. Contract: rest-v2.md §15.
struct OwnerQueue: RequestLine {
    struct Entry: Sendable {
        let ticket: RequestBudget.Ticket
        /// The place among the requests of the app: the request's own number, or the place of a request that timed out.
        var place: UInt64
        let deadline: Duration
    }

    static let keepingTime = Duration.seconds(30)
    private static let maxKept = 32

    private var places = [[Entry]](repeating: [], count: CallRank.allCases.count)
    private var kept: [(place: UInt64, ends: Duration)] = []
    private let turn: Int
    /// How many requests in a row were sent while an older, less urgent request had to wait.
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

// Lines of waiting requests take turns: the lines of users, and the lines of one user's apps. The line with the most urgent
// request goes first. Lines with equally urgent requests take turns. A line that was passed over for two rounds is next, even
// if its requests are less urgent. Without this rule, urgent requests of one line could block another line forever. Contract:
// rest-v2.md §15.

/// Waiting requests of one app, or several lines of waiting requests.
protocol RequestLine: Sendable {
    init(turn: Int)

    var count: Int { get }
    /// Whether the line has no waiting request, and no place that a timed-out request has left.
    var isUnused: Bool { get }
    var rank: CallRank? { get }
    var earliestDeadline: Duration? { get }
    /// How many requests other lines have sent since this line was added or last sent a request.
    var waited: Int { get set }

    func has(_ rank: CallRank) -> Bool
    mutating func next() -> RequestBudget.Ticket?
    /// The next request of this rank.
    mutating func next(of rank: CallRank) -> RequestBudget.Ticket?
    /// Makes the request more urgent. Of the app's requests with the same rank, the oldest goes first. Returns false if the
    /// ticket is not in this line.
    mutating func raise(_ ticket: RequestBudget.Ticket, to rank: CallRank) -> Bool
    mutating func remove(_ ticket: RequestBudget.Ticket) -> Bool
    /// Removes the newest of the least urgent requests.
    mutating func removeYoungest() -> RequestBudget.Ticket?
    mutating func removeOverdue(at now: Duration) -> [RequestBudget.Ticket]
}

struct Turns<Key: Hashable & Sendable, Line: RequestLine>: RequestLine {
    private(set) var lines: [Key: Line] = [:]
    /// The keys of the lines. The first line is the one that has waited longest since it sent a request.
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

    /// Changes the line of this key with `step`, and returns the result of `step`. Makes a line if there is none.
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

    /// The next request of this rank. Unlike `next()`, it does not count the other lines as passed over.
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

    /// Makes room for a request of this key. If another line is longer than this key's line, the longest line loses a request.
    /// Otherwise this key's line loses a request, which `ownWay` chooses.
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
