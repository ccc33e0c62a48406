// What a backend tells operators of its service, for the status report, for `doctor` and for the metrics: when the last
// exchange ended, and how much of the budget of requests is left.

/// When and how the last exchange with the service ended.
public enum ServiceContact: Hashable, Sendable {
    case never
    case reachable(since: BootTime, last: BootTime)
    /// `answered` is when the service last answered.
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

/// Why there is no service, and what an operator can do about it. Short and free of secrets.
public struct ServiceTrouble: Hashable, Sendable {
    /// Without a capital letter and a full stop.
    public var reason: String
    /// Whole sentences.
    public var remedy: String

    public init(reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }
}

/// Numbers about the requests to a service. Those of several services can be added.
public struct ServiceLoad: Hashable, Sendable {
    /// How many requests of any rank may be sent at once now.
    public var available = 0
    /// How many more may be sent for waiting viewers.
    public var keptForViewers = 0
    /// The requests that wait for their turn.
    public var waiting = 0
    /// How often requests paused because of a 429.
    public var pauses: UInt64 = 0
    /// How long they have paused, all pauses together.
    public var paused = Duration.zero
    /// The apps' registrations that the service has accepted.
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
