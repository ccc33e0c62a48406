// Two kinds of time that are never compared with each other: dates, as the service gives them, and deadlines, which
// count on a clock that neither stops in suspend nor jumps. Architecture §3.

/// Milliseconds since the epoch, by the service's clock.
public struct ServerTime: Hashable, Comparable, Codable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (one: Self, other: Self) -> Bool { one.milliseconds < other.milliseconds }

    public func advanced(by duration: Duration) -> ServerTime {
        ServerTime(milliseconds: milliseconds + duration.inMilliseconds)
    }

    public func duration(to other: ServerTime) -> Duration { .milliseconds(other.milliseconds - milliseconds) }
}

/// Time since the machine was started, suspend included.
public struct BootTime: Hashable, Comparable, Sendable {
    public let nanoseconds: UInt64

    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static func < (one: Self, other: Self) -> Bool { one.nanoseconds < other.nanoseconds }

    public func advanced(by duration: Duration) -> BootTime {
        let step = duration.inNanoseconds
        return BootTime(nanoseconds: step < 0 ? nanoseconds &- UInt64(-step) : nanoseconds + UInt64(step))
    }

    public func duration(to other: BootTime) -> Duration {
        other < self
            ? .nanoseconds(-Int64(nanoseconds - other.nanoseconds))
            : .nanoseconds(Int64(other.nanoseconds - nanoseconds))
    }
}

extension Duration {
    public var inMilliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
    var inNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
