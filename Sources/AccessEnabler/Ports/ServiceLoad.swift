// How much of the budget of requests is left and what waits for it, and how many apps are registered. The backend
// measures it for the metrics.

/// Numbers about the requests to a service. Those of several services can be added.
public struct ServiceLoad: Hashable, Sendable {
    /// How many requests may be sent at once now, whoever waits for them.
    public var available = 0
    /// How many more may be sent if a viewer waits for them.
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
