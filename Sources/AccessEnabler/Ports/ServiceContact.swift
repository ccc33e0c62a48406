// A backend's report about its service: the outcome of the last exchange, and the remaining budget of requests. The status
// report, `doctor` and the metrics use this report.

/// The time and outcome of the last exchange with the service.
public enum ServiceContact: Hashable, Sendable {
    case never
    case reachable(since: BootTime, last: BootTime)
    /// The service fails. `answered` is the time of its last answer.
    case failing(ServiceTrouble, since: BootTime, last: BootTime, answered: BootTime? = nil)

    /// When the service last answered; nil if it never did.
    public var lastAnswer: BootTime? {
        switch self {
        case .never: nil
        case .reachable(_, let last): last
        case .failing(_, _, _, let answered): answered
        }
    }
}

/// The reason why the service or a page cannot be used, and a remedy for an operator. Both are short and contain no secrets.
public struct ServiceTrouble: Hashable, Sendable {
    /// The reason, without a capital letter and a full stop.
    public var reason: String
    /// The remedy, in whole sentences.
    public var remedy: String
    /// Whether only the box's own way to the service is known to fail. If so, other devices may still reach the service.
    public var isOnlyHere = false

    public init(reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }
}

/// Numbers about the requests to a service. The numbers of several services can be added.
public struct ServiceLoad: Hashable, Sendable {
    /// The number of requests of any urgency that may be sent now.
    public var available = 0
    /// The number of further requests that are reserved for calls with a waiting viewer.
    public var keptForViewers = 0
    /// The number of requests that wait for the budget, or for other requests.
    public var waiting = 0
    /// The number of pauses because of a 429.
    public var pauses: UInt64 = 0
    public var paused = Duration.zero
    /// The number of apps whose registration the service has accepted.
    public var registrations = 0

    public init() {}

    public static func + (one: Self, other: Self) -> Self {
        var sum = one
        sum.available += other.available
        sum.keptForViewers += other.keptForViewers
        sum.waiting += other.waiting
        sum.pauses += other.pauses
        sum.paused += other.paused
        sum.registrations += other.registrations
        return sum
    }
}
