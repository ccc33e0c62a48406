// The pause after a 429: one second, doubled while the service keeps refusing, back to one second after a success.
// Contract: rest-v2.md §15.

struct TooManyRequestsPause: Sendable {
    private let first: Duration
    private let longest: Duration
    private var pause: Duration
    private(set) var end = Duration.zero
    /// The number of pauses so far. A permit has the number at the time of its grant.
    private(set) var count: UInt64 = 0
    /// Whether no request has succeeded since the last refusal.
    private(set) var isLasting = false
    /// The length of all pauses, up to `end`.
    private var total = Duration.zero

    init(_ settings: RequestBudget.Settings) {
        first = settings.firstPause
        longest = settings.longestPause
        pause = settings.firstPause
    }

    func isActive(at now: Duration) -> Bool { count > 0 && now < end }

    /// Requests that were in flight together are refused together; that counts as one pause.
    mutating func begin(_ permit: RequestBudget.Permit, at now: Duration) {
        let begin = isActive(at: now) ? end : now
        if permit.pauses == count {
            pause = isLasting ? min(pause * 2, longest) : first
            isLasting = true
            count += 1
        }
        end = max(end, now + pause)
        total += end - begin
    }

    /// How long requests have paused until now.
    func elapsed(at now: Duration) -> Duration { isActive(at: now) ? total - (end - now) : total }

    /// Only the answer to a request sent after the last pause shows that the service accepts requests again.
    mutating func succeeded(_ permit: RequestBudget.Permit) {
        if permit.pauses == count { isLasting = false }
    }
}
