// The numbers of the throttle. Contract: rest-v2.md §15; operations.md §2 `requests-per-second`, `burst`,
// `viewers-burst`.

extension RequestBudget {
    public struct Settings: Equatable, Sendable {
        /// The average time between requests. It is a little longer than the service requires, because network delays
        /// may shorten it.
        public var interval: Duration
        /// How many requests may be sent at once; one less than the service accepts.
        public var burst: Int
        /// How many of these are reserved for viewers.
        public var viewersBurst: Int
        /// Whether the box knows no app yet. Then all apps have to register, and there is no viewer to delay.
        public var isNewBox: Bool
        /// Whether the service is assumed to restore the burst of an idle device.
        public var burstRefills: Bool
        /// How much longer the burst counts as one-time and used up, from an earlier run.
        public var oneTimeBurstRemains: Duration?
        public var firstPause: Duration
        public var longestPause: Duration
        /// The maximum waiting requests of all owners together.
        public var queueLimit: Int
        /// The maximum waiting requests of one owner.
        public var queueShare: Int
        /// After this many grants that passed over a longer wait of the same owner, the longest wait is next.
        public var turn: Int

        public init(
            requestsPerSecond: Double = 1, burst: Int = 10, viewersBurst: Int = 0,
            isNewBox: Bool = false, burstRefills: Bool = true, firstPause: Duration = .seconds(1),
            longestPause: Duration = .seconds(8),
            queueLimit: Int = 1024,
            queueShare: Int = 512, turn: Int = 8
        ) {
            // NaN counts as the slowest rate.
            let rate = requestsPerSecond >= 0.001 ? min(requestsPerSecond, 1000) : 0.001
            interval = .microseconds(Int64((1_050_000 / rate).rounded()))
            self.burst = burst
            self.viewersBurst = viewersBurst
            self.isNewBox = isNewBox
            self.burstRefills = burstRefills
            self.firstPause = max(firstPause, .seconds(1))
            self.longestPause = max(longestPause, self.firstPause)
            self.queueLimit = queueLimit
            self.queueShare = queueShare
            self.turn = max(turn, 2)
        }
    }
}
