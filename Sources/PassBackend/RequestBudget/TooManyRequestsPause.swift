// The pause after a 429: one second, doubled while the service keeps refusing, and one second again after a success.
// Contract: rest-v2.md §15.

struct TooManyRequestsPause: Sendable {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration
    private(set) var end = Duration.zero
    /// The number of pauses so far. A permit carries the number at the time of its grant.
    private(set) var count: UInt64 = 0
    private var isEscalated = false

    init(_ settings: RequestBudget.Settings) {
        first = settings.firstPause
        longest = settings.longestPause
        pause = settings.firstPause
    }

    func isActive(at now: Duration) -> Bool { count > 0 && now < end }

    /// Begins a pause. Requests that were under way together and are refused together cause only one.
    mutating func begin(_ permit: RequestBudget.Permit, at now: Duration) {
        if permit.pauses == count {
            pause = isEscalated ? min(pause * 2, longest) : first
            isEscalated = true
            count += 1
        }
        end = max(end, now + pause)
    }

    /// Only the success of a request that was sent after the last pause shows that the service accepts requests again.
    mutating func succeeded(_ permit: RequestBudget.Permit) {
        if permit.pauses == count { isEscalated = false }
    }
}
