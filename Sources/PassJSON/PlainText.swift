// Helpers that several text formats need.

extension Sequence<UInt8> {
    /// The bytes as hexadecimal text, with two lower-case digits for each byte.
    package var hexadecimal: String { Array(self).hexadecimalDigits }
}

extension [UInt8] {
    fileprivate var hexadecimalDigits: String {
        String(unsafeUninitializedCapacity: 2 * count) { digits in
            for (position, byte) in enumerated() {
                digits[2 * position] = JSONWriter.digit(byte >> 4)
                digits[2 * position + 1] = JSONWriter.digit(byte & 15)
            }
            return 2 * count
        }
    }
}

// The search functions of the standard library are not used. They would add the library for regular expressions to the program,
// and this library is larger than the whole server.
extension StringProtocol {
    /// Returns the first place of the text, compared byte by byte.
    package func place(of text: String) -> Range<Index>? {
        let wanted = text.utf8
        guard let first = wanted.first else { return nil }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: wanted) { return start..<rest.index(start, offsetBy: wanted.count) }
            rest.removeFirst()
        }
        return nil
    }

    /// Returns the string with `text` replaced by `other` everywhere.
    package func with(_ other: String, for text: String) -> String {
        var result = ""
        var rest = self[...]
        while let place = rest.place(of: text) {
            result += rest[..<place.lowerBound] + other
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}

extension Int64 {
    /// This number of seconds as a length of time: "90 minutes", "364 days".
    package var secondsInWords: String {
        let units: [(size: Int64, name: String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
        // A unit is used only if the time is at least two units long. For example, one day becomes 24 hours.
        guard let unit = units.first(where: { self / $0.size >= 2 }) else {
            return "\(self) second\(self == 1 ? "" : "s")"
        }
        return "\(self / unit.size) \(unit.name)"
    }
}

extension Duration {
    /// The length of time in words, rounded up to seconds.
    package var inWords: String { (components.seconds + (components.attoseconds > 0 ? 1 : 0)).secondsInWords }
}

extension String {
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
