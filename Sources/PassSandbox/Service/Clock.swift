// The only clock of the service. Every beginning and end is measured on it; `POST /sandbox/clock` shifts it.

import FoundationEssentials

/// Milliseconds since the epoch.
typealias Instant = Int64

struct SandboxClock: Sendable {
    private let wall: @Sendable () -> Instant
    /// The difference between the sandbox's time and the wall clock.
    var offset: Instant

    init(offset: Instant = 0, wall: @escaping @Sendable () -> Instant = Self.system) {
        self.offset = offset
        self.wall = wall
    }

    var now: Instant { wall() &+ offset }

    mutating func set(_ instant: Instant) { offset = instant &- wall() }

    static let system: @Sendable () -> Instant = { Instant(Date().timeIntervalSince1970 * 1000) }
}

/// The instant in the form of RFC 9110, for `Date:` and cookies.
func httpDate(_ instant: Instant) -> String {
    let days = Int(floorDivide(instant, 86_400_000))
    let seconds = Int((instant - Int64(days) * 86_400_000) / 1000)
    let (year, month, day) = civilDate(days)
    let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][((days % 7) + 7) % 7]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let name = months[month - 1]
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map(twoDigits).joined(separator: ":")
    return "\(weekday), \(twoDigits(day)) \(name) \(year) \(time) GMT"
}

private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

private func floorDivide(_ number: Int64, _ by: Int64) -> Int64 {
    number >= 0 ? number / by : -((-number + by - 1) / by)
}

/// Converts days since 1970-01-01 to year, month and day, in the proleptic Gregorian calendar.
private func civilDate(_ days: Int) -> (Int, Int, Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}
