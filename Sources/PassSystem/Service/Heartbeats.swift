// Records which parts of the daemon have answered since the last message to the watchdog. When all parts have answered, it
// is time for the next message. `Watchdog` asks the parts and keeps the time. Contract: operations.md §3 `WatchdogSec=`.

public struct Heartbeats: Sendable {
    public enum Part: String, CaseIterable, Sendable {
        case engine = "engine queue"
        case acceptance = "accept path"
        case poller
        case storage = "storage queue"

        /// The part that this part depends on; nil if there is none. While that part is stuck, this part cannot answer. If both
        /// parts are stuck, only the returned part is reported.
        var basis: Part? { self == .acceptance || self == .poller ? .engine : nil }
    }

    public enum Turn: Equatable, Sendable {
        /// A round begins. Ask all parts.
        case ask([Part])
        /// The round is not over, because these parts have not answered. Ask them again. `unnamed` has the stuck parts that
        /// have to be reported now.
        case late([Part], unnamed: [Part])
    }

    /// The parts that have not answered in this round.
    private var missing: Set<Part> = []
    private var named: Set<Part> = []
    /// The number of the round. Answers with another number are ignored.
    public private(set) var round = 0

    public init() {}

    /// Begins a new round if all parts have answered. Otherwise reports the silent parts. Call this at regular intervals.
    public mutating func turn() -> Turn {
        guard missing.isEmpty else {
            let stuck = missing.filter { $0.basis.map { !missing.contains($0) } ?? true }
            defer { named.formUnion(stuck) }
            return .late(missing.inOrder, unnamed: stuck.subtracting(named).inOrder)
        }
        round += 1
        missing = Set(Part.allCases)
        return .ask(Part.allCases)
    }

    /// Notes an answer. Returns nil if it belongs to an earlier round, or if other answers are missing. For the last answer of a
    /// round, returns the parts that were reported as stuck; all of them have answered now. The caller then feeds the watchdog.
    public mutating func answer(_ part: Part, round: Int) -> [Part]? {
        guard round == self.round, missing.remove(part) != nil, missing.isEmpty else { return nil }
        defer { named = [] }
        return named.inOrder
    }
}

extension Set<Heartbeats.Part> {
    fileprivate var inOrder: [Heartbeats.Part] { Heartbeats.Part.allCases.filter(contains) }
}
