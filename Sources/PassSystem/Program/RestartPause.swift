// The pause before a failed program is started again. The first pause is one second. Each failure doubles the pause, until the
// program works. This type uses no clock.

public struct RestartPause: Equatable, Sendable {
    public static let first = Duration.seconds(1)
    public static let maxPause = Duration.seconds(60)

    private var next = first
    private var end = Duration.zero

    public init() {}

    /// The rest of the pause; nil if the pause is over.
    public func rest(at moment: Duration) -> Duration? { moment < end ? end - moment : nil }

    public mutating func failed(at moment: Duration) {
        end = moment + next
        next = min(next * 2, Self.maxPause)
    }

    /// Notes that the program has worked, so that the next pause is one second again.
    public mutating func didWell() { next = Self.first }
}
