// Which parts of the daemon have answered since the watchdog was fed last: it is fed when all have. Pure; whoever asks the
// parts and looks at the clock is `Watchdog`. Contract: operations.md §3 `WatchdogSec=`.

public struct Heartbeats: Sendable {
    public enum Part: String, CaseIterable, Sendable {
        case engine = "engine queue"
        case acceptance = "accept path"
        case poller
        case storage = "storage queue"

        /// Without that one it cannot answer, and is not to blame.
        var basis: Part? { self == .acceptance || self == .poller ? .engine : nil }
    }

    public enum Turn: Equatable, Sendable {
        /// A round begins: all are asked.
        case ask([Part])
        /// The round is not over: these are asked again. Those that were not named before are to be named now.
        case late([Part], unnamed: [Part])
    }

    /// What the last round still waits for.
    private var missing: Set<Part> = []
    private var named: Set<Part> = []
    /// Answers of another round come too late.
    public private(set) var round = 0

    public init() {}

    /// At regular times.
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

    /// Nil while others are missing. At the end of a round the watchdog is to be fed; what was named before has answered
    /// after all.
    public mutating func answer(_ part: Part, round: Int) -> [Part]? {
        guard round == self.round, missing.remove(part) != nil, missing.isEmpty else { return nil }
        defer { named = [] }
        return named.inOrder
    }
}

extension Set<Heartbeats.Part> {
    fileprivate var inOrder: [Heartbeats.Part] { Heartbeats.Part.allCases.filter(contains) }
}
