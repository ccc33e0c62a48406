// Counts how many requests the service accepts from this box now. In the long run, the service accepts one request a second. A
// *burst* is several requests at once. While the box sends fewer requests, the allowed number grows by one a second, up to a
// whole burst. If the service refuses a request of a burst, the burst counts as one-time and does not refill for a day. A part
// of the burst is reserved for requests that a viewer waits for. This part and the other part refill evenly. At the first start
// of a box, half of the reserved part is free for other requests. This type reads no clock: times are passed in. Contract:
// rest-v2.md §15.

struct RequestAllowance: Sendable {
    /// After a refused request of a burst, passd assumes for this time that the burst does not refill.
    static let oneTimeLife = Duration.seconds(24 * 3600)

    private let interval: Duration
    private let burst: Int
    private let maxKept: Int
    /// The number of requests of any urgency that may be sent at once, besides those in `oneTimeBurst`.
    private var stock: Int
    /// The number of remaining requests of a burst that does not refill.
    private var oneTimeBurst: Int
    /// The number of requests that are reserved for viewers. These requests are allowed only when `stock` and `oneTimeBurst`
    /// are used up.
    private var kept: Int
    /// The time up to which the refills are already in `stock` and `kept`.
    private var counted: Duration
    /// Whether the burst refills, according to the settings.
    private let refills: Bool
    /// The time until which the burst counts as one-time. Nil if the burst refills.
    private var learnedEnds: Duration?
    private var lastGrant: Duration?

    init(_ settings: RequestBudget.Settings, at now: Duration) {
        interval = settings.interval
        burst = max(1, settings.burst)
        maxKept = min(max(0, settings.viewersBurst), burst - 1)
        refills = settings.burstRefills
        if refills, let remains = settings.oneTimeBurstRemains, burst > 1 {
            learnedEnds = now + min(remains, Self.oneTimeLife)
            (stock, oneTimeBurst, kept, counted) = (1, 0, 0, now)
            return
        }
        kept = settings.isNewBox ? maxKept / 2 : maxKept
        stock = refills ? burst - maxKept : 1
        oneTimeBurst = burst - kept - stock
        counted = now
    }

    private var hasBurst: Bool { refills && learnedEnds == nil }
    private var capacity: Int { hasBurst ? burst - maxKept : 1 }
    private var keptCapacity: Int { hasBurst ? maxKept : 0 }

    /// When the next request may be sent if nothing changes.
    func nextMoment(after now: Duration, forViewer: Bool) -> Duration {
        var settled = self
        settled.settle(now)
        let isThere = settled.stock > 0 || settled.oneTimeBurst > 0 || forViewer && settled.kept > 0
        return isThere ? now : settled.counted + interval
    }

    /// How many requests of any urgency may be sent at once, and how many more for viewers.
    func left(at now: Duration) -> (forAnybody: Int, forViewers: Int) {
        var settled = self
        settled.settle(now)
        return (settled.stock + settled.oneTimeBurst, settled.kept)
    }

    /// Whether a request that is sent now follows the last request sooner than the long-run rate allows.
    func isBurst(at now: Duration) -> Bool { lastGrant.map { now < $0 + interval } ?? false }

    mutating func take(at now: Duration) -> Bool {
        settle(now)
        if stock > 0 { stock -= 1 } else if oneTimeBurst > 0 { oneTimeBurst -= 1 } else { return false }
        lastGrant = now
        return true
    }

    func hasAllKept(at now: Duration) -> Bool { left(at: now).forViewers == maxKept }

    /// Takes one request from the reserve for viewers. Returns false if the reserve is used up. To be called if `take` has
    /// failed.
    mutating func takeKept(at now: Duration) -> Bool {
        settle(now)
        guard kept > 0 else { return false }
        kept -= 1
        lastGrant = now
        return true
    }

    /// To be called when the service has refused a request. After this call, no request may be sent before `thaw`, and only one
    /// request at that time.
    mutating func forfeit(until thaw: Duration) {
        oneTimeBurst = 0
        stock = 0
        kept = 0
        counted = thaw - interval
    }

    /// To be called when the service has refused a request of a burst. The burst then does not refill for a day.
    /// Returns false if that was known already.
    mutating func learnOneTimeBurst(at now: Duration) -> Bool {
        settle(now)
        guard hasBurst, burst > 1 else { return false }
        learnedEnds = now + Self.oneTimeLife
        return true
    }

    private mutating func settle(_ now: Duration) {
        if let ends = learnedEnds, ends <= now { learnedEnds = nil }
        while counted + interval <= now, stock < capacity || kept < keptCapacity {
            let isKeptNext = kept < keptCapacity && (stock >= capacity || kept < stock)
            if isKeptNext { kept += 1 } else { stock += 1 }
            counted += interval
        }
        stock = min(stock, capacity)
        // The numbers do not grow while they are full, so the next refill is a whole interval from now.
        if stock == capacity, kept >= keptCapacity { counted = max(counted, now) }
    }
}

/// The pause after a 429. The pause begins with one second, and doubles with each further refusal. After a success it is one
/// second again. Contract: rest-v2.md §15.
struct TooManyRequestsPause: Sendable {
    private static let first = Duration.seconds(1)
    private static let longest = Duration.seconds(8)

    private var pause = first
    private(set) var end = Duration.zero
    /// The number of pauses so far. A permit stores the number of pauses at the time when it was granted.
    private(set) var count: UInt64 = 0
    /// Whether no request has succeeded since the last refusal.
    private(set) var isLasting = false
    /// The length of all pauses, up to `end`.
    private var total = Duration.zero

    func isActive(at now: Duration) -> Bool { count > 0 && now < end }

    /// Begins a pause. Requests that were in flight together are refused together, and cause only one pause.
    mutating func begin(_ permit: RequestBudget.Permit, at now: Duration) {
        let begin = isActive(at: now) ? end : now
        if permit.pauses == count {
            pause = isLasting ? min(pause * 2, Self.longest) : Self.first
            isLasting = true
            count += 1
        }
        end = max(end, now + pause)
        total += end - begin
    }

    /// The total time of the pauses until now.
    func elapsed(at now: Duration) -> Duration { isActive(at: now) ? total - (end - now) : total }

    /// Records a success. Answers to requests from before the last pause do not count.
    mutating func succeeded(_ permit: RequestBudget.Permit) {
        if permit.pauses == count { isLasting = false }
    }
}
