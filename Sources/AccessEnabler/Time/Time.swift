// The two kinds of time: dates of the service, and times of the box's steady clock. The steady clock does not jump, and it also
// counts while the box sleeps. The two kinds are never compared with each other. This file also has the port to the box's
// clocks, because the engine has no clock. architecture.md §3.

/// A date in milliseconds since 1970, by the service's clock.
public struct ServerTime: Hashable, Comparable, Codable, Sendable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    public static func < (one: Self, other: Self) -> Bool { one.milliseconds < other.milliseconds }

    public func advanced(by duration: Duration) -> ServerTime {
        ServerTime(milliseconds: milliseconds.saturatingSum(duration.inMilliseconds))
    }

    /// This date plus the time from `begin` to `end`. The sum uses integers, because every call needs it, and sums of
    /// `Duration` (128 bits) are slower.
    func advanced(from begin: BootTime, to end: BootTime) -> ServerTime {
        let isEarlier = end < begin
        let nanoseconds = isEarlier ? begin.nanoseconds - end.nanoseconds : end.nanoseconds - begin.nanoseconds
        let step = Int64(clamping: nanoseconds / 1_000_000)
        return ServerTime(milliseconds: milliseconds.saturatingSum(isEarlier ? -step : step))
    }

    func isWithin(_ distance: UInt64, of other: ServerTime) -> Bool {
        let (difference, isTooFar) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        return !isTooFar && difference.magnitude <= distance
    }

    public func duration(to other: ServerTime) -> Duration {
        let (difference, isTooFar) = other.milliseconds.subtractingReportingOverflow(milliseconds)
        return .milliseconds(isTooFar ? (other < self ? Int64.min : Int64.max) : difference)
    }
}

/// Time since the box was booted, in nanoseconds, including sleep.
public struct BootTime: Hashable, Comparable, Sendable {
    public let nanoseconds: UInt64

    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    public static func < (one: Self, other: Self) -> Bool { one.nanoseconds < other.nanoseconds }

    public func advanced(by duration: Duration) -> BootTime {
        let step = duration.inNanoseconds
        let (sum, isTooFar) =
            step < 0
            ? nanoseconds.subtractingReportingOverflow(step.magnitude)
            : nanoseconds.addingReportingOverflow(step.magnitude)
        return BootTime(nanoseconds: isTooFar ? (step < 0 ? 0 : .max) : sum)
    }

    public func duration(to other: BootTime) -> Duration {
        other < self
            ? .nanoseconds(-Int64(clamping: nanoseconds - other.nanoseconds))
            : .nanoseconds(Int64(clamping: other.nanoseconds - nanoseconds))
    }
}

/// Dates come from services and files and may be absurd. Sums that overflow are clamped to the limit of the type
/// instead of stopping the process.
extension Duration {
    public var inMilliseconds: Int64 { scaled(1000, 1_000_000_000_000_000) }
    var inNanoseconds: Int64 { scaled(1_000_000_000, 1_000_000_000) }

    private func scaled(_ perSecond: Int64, _ attosecondsPerUnit: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: perSecond)
        if isTooFar { return seconds < 0 ? .min : .max }
        return whole.saturatingSum(attoseconds / attosecondsPerUnit)
    }
}

extension Int64 {
    fileprivate func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, isTooFar) = addingReportingOverflow(other)
        return isTooFar ? (other < 0 ? .min : .max) : sum
    }
}

/// The port to the clocks. The clocks and alarms may be used on any thread. Alarms ring on the engine's queue.
public protocol EngineClock: Sendable {
    /// The clock for deadlines: it counts while the box sleeps and does not jump.
    var boot: BootTime { get }
    /// The box's date, which may be wrong. `ServerClock` corrects it.
    var wall: ServerTime { get }
    /// Calls `ring` on the engine's queue, at that time or soon after it.
    func alarm(at time: BootTime, _ ring: @escaping @EngineActor @Sendable () -> Void) -> any EngineAlarm
}

extension EngineClock {
    /// Sets an alarm for work that waits for something. The work runs in a task.
    func alarm(at time: BootTime, starting work: @escaping @EngineActor @Sendable () async -> Void) -> any EngineAlarm {
        alarm(at: time) { Task { @EngineActor in await work() } }
    }

    /// Waits for this time, even if the task is cancelled.
    @EngineActor public func sleep(for time: Duration) async {
        await withCheckedContinuation { waiter in _ = alarm(at: boot.advanced(by: time)) { waiter.resume() } }
    }
}

/// An alarm that has been set. After `cancel` it does not ring.
public protocol EngineAlarm: AnyObject, Sendable {
    func cancel()
}

/// A range of dates. While the present date is in the range, all earlier comparisons with the present date keep their results.
/// The range has two ends, because the box's date can be set back.
public struct Horizon: Sendable, Equatable {
    /// The latest of the past dates, and the earliest of the future dates.
    private var begin = Int64.min
    private var end = Int64.max

    /// Narrows the range. Within the new range, this date is always past, or always in the future.
    mutating func note(_ date: ServerTime, at now: ServerTime) {
        if now < date { end = min(end, date.milliseconds) } else { begin = max(begin, date.milliseconds) }
    }

    public func contains(_ now: ServerTime) -> Bool { begin <= now.milliseconds && now.milliseconds < end }
}
