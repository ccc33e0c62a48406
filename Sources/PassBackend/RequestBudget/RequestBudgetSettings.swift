// The figures of the throttle. Contract: rest-v2.md §15; operations.md §2 `requests-per-second`, `burst`.

extension RequestBudget {
    public struct Settings: Equatable, Sendable {
        /// From one request to the next in the long run. A little more than the service asks for, so that requests
        /// whose way is not always equally long do not arrive too close to each other.
        public var interval: Duration
        /// How many requests may go at one moment. One less than the service takes.
        public var burst: Int
        /// Whether the service is believed to give an idle device its burst back.
        public var burstRefills: Bool
        public var firstPause: Duration
        public var longestPause: Duration
        public var queueLimit: Int
        /// Of one owner.
        public var queueShare: Int
        /// After so many grants that passed over a longer wait of the same owner, the longest wait is next.
        public var turn: Int

        public init(
            requestsPerSecond: Double = 1, burst: Int = 10, burstRefills: Bool = false,
            firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(8), queueLimit: Int = 1024,
            queueShare: Int = 512, turn: Int = 8
        ) {
            // What is no number counts as the slowest.
            let rate = requestsPerSecond >= 0.001 ? min(requestsPerSecond, 1000) : 0.001
            interval = .microseconds(Int64((1_050_000 / rate).rounded()))
            self.burst = burst
            self.burstRefills = burstRefills
            self.firstPause = max(firstPause, .seconds(1))
            self.longestPause = max(longestPause, self.firstPause)
            self.queueLimit = queueLimit
            self.queueShare = queueShare
            self.turn = max(turn, 2)
        }
    }
}
