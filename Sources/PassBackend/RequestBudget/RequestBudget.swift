// The throttle for all requests of the device to one origin, from all apps and registrations. The throttle decides which
// request is sent, and when. Users take turns, and the apps of a user take turns. Contract: rest-v2.md §15. The budget is a
// state machine without a clock. Times are passed in, as durations on a clock that does not jump. Outcomes are returned.
// `RequestGate` owns the budget, and lets tasks wait for their permits.

public import AccessEnabler

public struct RequestBudget: Sendable {
    public enum Refusal: Error, Equatable, Sendable {
        case queueFull
        /// The caller's deadline passed before the request could be sent.
        case deadlinePassed
    }

    public struct Ticket: Hashable, Sendable { let number: UInt64 }

    /// The right to send one request. The holder passes the permit to `succeeded` or `throttled`.
    public struct Permit: Equatable, Sendable {
        let pauses: UInt64
        /// Whether the permit was granted sooner than the long-run rate allows.
        let isBurst: Bool
    }

    public enum Outcome: Equatable, Sendable {
        case granted(Ticket, Permit)
        case refused(Ticket, Refusal)
    }

    private let settings: Settings
    private var allowance: RequestAllowance
    private var pause = TooManyRequestsPause()
    private var queue: RequestQueue
    /// The apps whose starts have used the reserve for viewers since the reserve was last full.
    private var starters: Set<AppID?> = []
    private var tickets: UInt64 = 0

    public init(_ settings: Settings = .standard, at now: Duration) {
        self.settings = settings
        allowance = RequestAllowance(settings, at: now)
        queue = RequestQueue(turn: settings.turn)
    }

    public var waiting: Int { queue.count }

    public func load(at now: Duration) -> ServiceLoad {
        var load = ServiceLoad()
        (load.available, load.keptForViewers) = allowance.left(at: now)
        load.waiting = queue.count
        load.pauses = pause.count
        load.paused = pause.elapsed(at: now)
        return load
    }

    /// Adds a request to its owner's queue. If an earlier request of the owner has timed out, the new request takes its
    /// position. A later call of `advance` returns the outcome. If there is no room, a request is evicted from the longest
    /// queue and returned as `displaced`. If the longest queue is the app's own, only a less urgent request is evicted. Returns
    /// nil if no request can be evicted.
    public mutating func enter(
        _ rank: CallRank, of owner: RequestOwner = .box, deadline: Duration
    ) -> (ticket: Ticket, displaced: Ticket?)? {
        var displaced: Ticket?
        if queue.count(of: owner.user) >= settings.queueShare {
            displaced = queue.makeOwnRoom(for: owner, rank)
            guard displaced != nil else { return nil }
        } else if queue.count >= settings.queueLimit {
            displaced = queue.makeRoom(for: owner, rank)
            guard displaced != nil else { return nil }
        }
        tickets += 1
        let ticket = Ticket(number: tickets)
        queue.append(ticket, rank, of: owner, deadline: deadline)
        return (ticket, displaced)
    }

    /// To be called if a more urgent caller now waits for this request as well.
    public mutating func raise(_ ticket: Ticket, to rank: CallRank) { _ = queue.raise(ticket, to: rank) }

    public mutating func leave(_ ticket: Ticket) { _ = queue.remove(ticket) }

    /// Returns all outcomes that are due by now.
    public mutating func advance(to now: Duration) -> [Outcome] {
        var outcomes = queue.removeOverdue(at: now).map { Outcome.refused($0, .deadlinePassed) }
        while !queue.isEmpty, !pause.isActive(at: now) {
            let isBurst = allowance.isBurst(at: now)
            guard let ticket = nextTicket(at: now) else { break }
            outcomes.append(.granted(ticket, Permit(pauses: pause.count, isBurst: isBurst)))
        }
        return outcomes
    }

    /// The next request. A request that uses the reserve for viewers does not change the order of the other requests. An
    /// app that starts alone may use the reserve, because a viewer has probably opened the app. Apps that start together
    /// may not use it. Ruling 48.
    private mutating func nextTicket(at now: Duration) -> Ticket? {
        if allowance.hasAllKept(at: now) { starters = [] }
        if allowance.take(at: now) { return queue.next() }
        guard mayUseKept, allowance.takeKept(at: now) else { return nil }
        if queue.has(.viewer) { return queue.next(of: .viewer) }
        starters = queue.apps(waitingFor: .start)
        return queue.next(of: .start)
    }

    /// Whether a viewer waits, or a single app starts.
    private var mayUseKept: Bool {
        if queue.has(.viewer) { return true }
        let starting = queue.apps(waitingFor: .start)
        return starting.count == 1 && starting.isSuperset(of: starters)
    }

    /// The time of the next call of `advance`. Nil while no request waits, so that an idle daemon is not woken.
    public func nextMoment(after now: Duration) -> Duration? {
        guard let deadline = queue.earliestDeadline else { return nil }
        let next = allowance.nextMoment(after: max(now, pause.end), forViewer: mayUseKept)
        return min(deadline, max(pause.end, next))
    }

    /// The service answered, but not with a 429.
    public mutating func succeeded(_ permit: Permit) { pause.succeeded(permit) }

    /// The service answered with a 429, so all requests pause. Returns whether this is the first sign that the
    /// service's burst does not refill. While the service also refuses single requests, a 429 shows nothing about
    /// bursts.
    @discardableResult public mutating func throttled(_ permit: Permit, at now: Duration) -> Bool {
        let isNews = permit.isBurst && !pause.isLasting && allowance.learnOneTimeBurst(at: now)
        pause.begin(permit, at: now)
        allowance.forfeit(until: pause.end)
        return isNews
    }
}

/// The settings of the throttle. Contract: rest-v2.md §15; operations.md §2 `requests-per-second`, `burst`,
/// `viewers-burst`.
extension RequestBudget {
    public struct Settings: Equatable, Sendable {
        public static let standard = Settings()

        /// The average rate that the service accepts.
        public var requestsPerSecond = 1.0
        /// The number of requests that may be sent at once.
        public var burst = 10
        /// The number of these requests that are reserved for viewers.
        public var viewersBurst = 0
        /// Whether the box knows no app yet. On such a box, all apps have to register, and no viewer waits.
        public var isNewBox = false
        /// Whether the service is assumed to restore the burst of an idle device.
        var burstRefills = true
        /// How much longer passd assumes that the burst does not refill. Nil if the service has refused no request of a burst
        /// in an earlier run.
        public var oneTimeBurstRemains: Duration?
        /// The max number of waiting requests of all owners together.
        var queueLimit = 1024
        /// The max number of waiting requests of one owner.
        var queueShare = 512
        /// An urgent request may be sent before another request of the same owner that has waited longer. `turn` is how often
        /// this may happen in a row. After that, the request that has waited longest is sent.
        var turn = 8

        /// The average time between requests. This time is a little longer than the service requires, because network delays
        /// may bring requests closer together.
        var interval: Duration {
            // NaN counts as the slowest rate.
            let rate = requestsPerSecond >= 0.001 ? min(requestsPerSecond, 1000) : 0.001
            return .microseconds(Int64((1_050_000 / rate).rounded()))
        }
    }
}
