// The time in which comparisons with the date have the same outcome. Both ends are needed, because the box's date can be
// set back. Pure.

public struct Horizon: Sendable, Equatable {
    /// The latest of the dates that have come, and the earliest of those that have not.
    private var begin = Int64.min
    private var end = Int64.max

    /// Narrows it to the time in which the date is on the same side of now.
    mutating func note(_ date: ServerTime, at now: ServerTime) {
        if now < date { end = min(end, date.milliseconds) } else { begin = max(begin, date.milliseconds) }
    }

    public func contains(_ now: ServerTime) -> Bool { begin <= now.milliseconds && now.milliseconds < end }
}
