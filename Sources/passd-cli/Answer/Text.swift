// Times, lengths of time, users and lines, in a form for people.

import Glibc
import PassProtocol

enum Moment {
    /// The local time of an instant in milliseconds since the epoch, or the bare number if the calendar cannot show the
    /// instant.
    static func text(_ milliseconds: Int64) -> String {
        formatted(milliseconds, "%Y-%m-%d %H:%M:%S %z") ?? "\(milliseconds)"
    }

    /// The time of day, or the date if the time is more than a day away.
    static func brief(_ milliseconds: Int64, now: Int64) -> String {
        let (age, isTooFar) = now.subtractingReportingOverflow(milliseconds)
        let isToday = !isTooFar && (-86_400_000...86_400_000).contains(age)
        return formatted(milliseconds, isToday ? "%H:%M" : "%Y-%m-%d") ?? "\(milliseconds)"
    }

    static func clock(_ milliseconds: Int64) -> String { formatted(milliseconds, "%H:%M:%S") ?? "\(milliseconds)" }

    /// The time in the form for names of files.
    static func stamp(_ milliseconds: Int64) -> String { formatted(milliseconds, "%Y%m%d-%H%M%S") ?? "\(milliseconds)" }

    private static func formatted(_ milliseconds: Int64, _ format: String) -> String? {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return nil }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension String {
    /// The text without characters that control a terminal. Line breaks stay.
    var onTheirLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).onOneLine }.joined(separator: "\n")
    }

    /// The text, shortened so that other words fit on the same line.
    var abridged: String {
        let limit = 60
        return count > limit ? prefix(limit - 1) + "…" : self
    }
}

/// The names of users on this machine.
enum Account {
    /// The name of a user; nil if the user has no name here.
    static func name(_ number: UInt32?) -> String? {
        // Only one task at a time makes text, so the library's own buffer is enough.
        guard let number, let name = getpwuid(number)?.pointee.pw_name else { return nil }
        return String(cString: name)
    }
}
