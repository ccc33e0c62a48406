// Helpers that several text formats need.

extension Sequence<UInt8> {
    /// Two lower-case digits for each byte.
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

extension String {
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
