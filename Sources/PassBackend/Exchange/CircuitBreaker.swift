// Keeps requests that no viewer waits for from a service that fails. After five failures in a row, one of them goes out
// every half a minute, as a probe; a success of any request lets all of them out again. It is told the time. Contract:
// rest-v2.md §15.

import AccessEnabler

struct CircuitBreaker: Sendable {
    static let patience = 5
    static let pause = Duration.seconds(30)

    private var failures = 0
    private var nextProbe: BootTime?

    /// Whether a request of that rank may go out now. A probe that is let out keeps the others waiting for its answer.
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
