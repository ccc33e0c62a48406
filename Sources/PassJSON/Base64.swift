// Base64, and base64url without padding (RFC 4648 §4, §5).

package enum Base64 {
    /// Decodes Base64. Nil for a wrong length, a wrong padding or a foreign character, such as a line break. Unused bits at the
    /// end are ignored.
    package static func decoded(_ text: some BidirectionalCollection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return bytes(text.dropLast(padding), last: ("+", "/"))
    }

    /// Decodes base64url. Nil if the text has padding or a foreign character.
    package static func decodedURL(_ text: some Collection<UInt8>) -> [UInt8]? { bytes(text, last: ("-", "_")) }

    private static func bytes(
        _ digits: some Collection<UInt8>, last: (Unicode.Scalar, Unicode.Scalar)
    ) -> [UInt8]? {
        guard digits.count % 4 != 1 else { return nil }
        let last = (UInt8(ascii: last.0), UInt8(ascii: last.1))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var (bits, count): (UInt32, Int) = (0, 0)
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
            case last.0: value = 62
            case last.1: value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            bits &= (1 << UInt32(count)) - 1
        }
        return bytes
    }

    fileprivate static func text(
        _ bytes: some Sequence<UInt8>, last: (Unicode.Scalar, Unicode.Scalar), padded: Bool
    ) -> String {
        let digits =
            Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
            + [UInt8(ascii: last.0), UInt8(ascii: last.1)]
        var text: [UInt8] = []
        text.reserveCapacity((bytes.underestimatedCount + 2) / 3 * 4)
        var (bits, count): (UInt32, Int) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> UInt32(count))])
                bits &= (1 << UInt32(count)) - 1
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(6 - count))]) }
        while padded, text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Sequence<UInt8> {
    package var base64: String { Base64.text(self, last: ("+", "/"), padded: true) }

    /// The base64url text, without padding.
    package var base64URL: String { Base64.text(self, last: ("-", "_"), padded: false) }
}
