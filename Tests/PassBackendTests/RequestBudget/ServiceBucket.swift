// The service's throttle according to the contract, written independently of the budget. It shows how the service would
// answer our requests.

struct ServiceBucket {
    let burstRefills: Bool
    private var level: Double
    private var burst: Double
    private var time = Duration.zero
    private let capacity: Double

    init(burstRefills: Bool, at now: Duration) {
        self.burstRefills = burstRefills
        capacity = burstRefills ? 11 : 1
        level = capacity
        burst = burstRefills ? 0 : 10
        time = now
    }

    mutating func admits(at now: Duration) -> Bool {
        level = min(capacity, level + max(.zero, now - time) / .seconds(1))
        time = max(time, now)
        if level >= 0.999 { level -= 1 } else if burst >= 1 { burst -= 1 } else { return false }
        return true
    }
}
