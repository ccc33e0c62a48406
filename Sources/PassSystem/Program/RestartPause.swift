// When a program that ended badly may be started anew: after a second, and after twice as long each time, until it has done
// well. Pure.

public struct RestartPause: Equatable, Sendable {
    public static let first = Duration.seconds(1)
    public static let longest = Duration.seconds(60)

    private var next = first
    private var end = Duration.zero

    public init() {}

    /// What is left of it; nil if it may be started.
    public func rest(at moment: Duration) -> Duration? { moment < end ? end - moment : nil }

    public mutating func failed(at moment: Duration) {
        end = moment + next
        next = min(next * 2, Self.longest)
    }

    /// It counts from the first again.
    public mutating func didWell() { next = Self.first }
}
