// Holds back background requests while the service fails. After five failures in a row, only one goes out every half
// minute, as a probe. A success of any request admits all of them again. The time is passed in. Contract: rest-v2.md
// §15.

import AccessEnabler

struct CircuitBreaker: Sendable {
    static let patience = 5
    static let pause = Duration.seconds(30)

    private var failures = 0
    private var nextProbe: BootTime?

    /// Whether a request of that rank may go out now. An admitted probe delays the next one.
    mutating func admits(_ rank: CallRank, at now: BootTime) -> Bool {
        guard rank == .background, let next = nextProbe else { return true }
        guard now >= next else { return false }
        nextProbe = now.advanced(by: Self.pause)
        return true
    }

    /// Whether a request of that rank may be repeated now.
    func letsRepeat(_ rank: CallRank) -> Bool { rank != .background || nextProbe == nil }

    mutating func succeeded() { self = CircuitBreaker() }

    mutating func failed(at now: BootTime) {
        failures = min(failures + 1, Self.patience)
        if failures == Self.patience { nextProbe = now.advanced(by: Self.pause) }
    }
}
