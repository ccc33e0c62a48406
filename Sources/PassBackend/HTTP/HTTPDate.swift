// Reads the only form of a date that HTTP still allows senders to use: `Sun, 06 Nov 1994 08:49:37 GMT`. Any other form
// counts as no date, since a wrong correction of the clock does more harm than none.

func epochMilliseconds(httpDate text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count == 29, text.hasSuffix(" GMT"), days.contains(text.prefix(5)), bytes[7] == 0x20,
        bytes[11] == 0x20, bytes[16] == 0x20, bytes[19] == 0x3A, bytes[22] == 0x3A,
        let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
        let day = number(bytes[5..<7]), let year = number(bytes[12..<16]), year >= 1970,
        let hour = number(bytes[17..<19]), let minute = number(bytes[20..<22]), let second = number(bytes[23..<25]),
        (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    return ((daysSinceEpoch(year, month: month + 1, day: day) * 24 + hour) * 60 + minute) * 60_000 + second * 1000
}

private let days: Set<Substring> = ["Mon, ", "Tue, ", "Wed, ", "Thu, ", "Fri, ", "Sat, ", "Sun, "]
private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

private func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    digits.allSatisfy { (0x30...0x39).contains($0) } ? Int64(String(decoding: digits, as: UTF8.self)) : nil
}

/// Days since the epoch in the Gregorian calendar, counted in eras of 400 years that begin in March.
private func daysSinceEpoch(_ year: Int64, month: Int, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = Int64(153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
}
