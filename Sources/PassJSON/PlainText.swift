// Helpers that several text formats need.

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            digits.append(JSONWriter.digit(byte >> 4))
            digits.append(JSONWriter.digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension String {
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
