// How many requests the service accepts from this device: one a second, and a burst that may never be refilled.
// Contract: rest-v2.md §15, §20 "does the burst refill". Pure: times are passed in.

struct RequestAllowance: Sendable {
    private let interval: Duration
    private let capacity: Int
    private var burst: Int
    private var stock: Int
    /// The moment up to which `stock` is counted.
    private var counted: Duration

    init(_ settings: RequestBudget.Settings, at now: Duration) {
        interval = settings.interval
        let most = max(1, settings.burst)
        capacity = settings.burstRefills ? most : 1
        burst = most - capacity
        stock = capacity
        counted = now
    }

    /// When the next request may be sent, as far as is known.
    func nextMoment(after now: Duration) -> Duration {
        var settled = self
        settled.settle(now)
        return settled.stock > 0 || settled.burst > 0 ? now : settled.counted + interval
    }

    mutating func take(at now: Duration) -> Bool {
        settle(now)
        if stock > 0 {
            stock -= 1
            return true
        }
        guard burst > 0 else { return false }
        burst -= 1
        return true
    }

    /// The service has refused a request, so nothing is left of the allowance. One request may be sent at `thaw`.
    mutating func forfeit(until thaw: Duration) {
        burst = 0
        stock = 0
        counted = thaw - interval
    }

    private mutating func settle(_ now: Duration) {
        while stock < capacity, counted + interval <= now {
            stock += 1
            counted += interval
        }
        // A full stock does not grow; the next request is earned after a whole interval from now.
        if stock == capacity { counted = max(counted, now) }
    }
}
