// Reads the date of a token. `2031/04/05 10:20:30 GMT +0200` is 10:20:30 local time, two hours ahead of Greenwich.

import AccessEnabler

enum TokenDate {
    /// Returns the time; nil if the text is not such a date, or the day does not exist.
    static func read(_ text: String) -> ServerTime? {
        var rest = Array(text.utf8)[...]
        guard let year = number(&rest, digits: 4, range: 1970...9999), take(&rest, "/"),
            let month = number(&rest, digits: 2, range: 1...12),
            take(&rest, "/"), let day = number(&rest, digits: 2, range: 1...days(month, of: year)), blanks(&rest),
            let hour = number(&rest, digits: 2, range: 0...23), take(&rest, ":"),
            let minute = number(&rest, digits: 2, range: 0...59),
            take(&rest, ":"), let second = number(&rest, digits: 2, range: 0...59), blanks(&rest), take(&rest, "GMT"),
            let offset = offset(&rest), rest.isEmpty
        else { return nil }
        let seconds = (daysSinceEpoch(year, month: month, day: day) * 24 + hour) * 3600 + minute * 60 + second - offset
        return ServerTime(milliseconds: Int64(seconds) * 1000)
    }

    /// The offset in seconds; zero if the text has none.
    private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
        if rest.isEmpty { return 0 }
        _ = blanks(&rest)
        let sign: Int
        if take(&rest, "+") { sign = 1 } else if take(&rest, "-") { sign = -1 } else { return nil }
        guard let hours = number(&rest, digits: 2, range: 0...14) else { return nil }
        _ = take(&rest, ":")
        guard let minutes = number(&rest, digits: 2, range: 0...59) else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int, range: ClosedRange<Int>) -> Int? {
        guard rest.count >= digits else { return nil }
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.popFirst(), (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return range.contains(value) ? value : nil
    }

    private static func take(_ rest: inout ArraySlice<UInt8>, _ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private static func blanks(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let count = rest.count
        rest = rest.drop { $0 == 0x20 }
        return rest.count < count
    }

    private static func days(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysSinceEpoch(_ year: Int, month: Int, day: Int) -> Int {
        let before = year - 1
        // There are 719162 days between January 1 of the year 1 and January 1, 1970.
        let years = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        return years + (1..<month).reduce(0) { $0 + days($1, of: year) } + day - 1
    }
}
