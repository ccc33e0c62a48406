// The pause before a program that has failed is started again: one second, and twice as long after each further
// failure, until the program has worked. Pure.

public struct RestartPause: Equatable, Sendable {
    public static let first = Duration.seconds(1)
    public static let maxPause = Duration.seconds(60)

    private var next = first
    private var end = Duration.zero

    public init() {}

    /// What is left of the pause; nil if the program may be started.
    public func rest(at moment: Duration) -> Duration? { moment < end ? end - moment : nil }

    public mutating func failed(at moment: Duration) {
        end = moment + next
        next = min(next * 2, Self.maxPause)
    }

    /// The program has worked, so the next pause is the first one again.
    public mutating func didWell() { next = Self.first }
}
