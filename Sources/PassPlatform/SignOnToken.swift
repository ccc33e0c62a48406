// A token for sign-on as its source gives it: a JWS or JWE in compact form, with the time until which it is good. Its
// signature is the service's to check. Contract: rest-v2.md §3.6, §3.7; RFC 7515, RFC 7516, RFC 7519.

import AccessEnabler
import FoundationEssentials

struct SignOnToken: Sendable {
    enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case noToken, expired

        var description: String {
            switch self {
            case .noToken: "it did not supply a valid token"
            case .expired: "the token that it supplied has expired"
            }
        }
    }

    /// A token is not used in its last moments, since it has a way to go, and renewed so long before.
    private static let mostSpare = Duration.seconds(10)
    private static let mostNotice = Duration.seconds(120)

    let text: Secret
    /// Nil if the token does not say.
    let ends: ServerTime?
    /// From when on a new one is wanted.
    let ages: ServerTime?

    /// White space does not count: files end with a line break, and some break lines. A token that has expired is read
    /// all the same: that may be the clock's fault, and mend itself.
    init(_ bytes: [UInt8], at time: ServerTime) throws(Fault) {
        let bytes = bytes.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // Of a JWE, the encrypted key may be missing.
        guard parts.count == 3 || parts.count == 5,
            parts.enumerated().allSatisfy({ !$1.isEmpty || parts.count == 5 && $0 == 1 }),
            Self.decoded(AnyObject.self, parts[0]) != nil
        else { throw .noToken }
        text = Secret(String(decoding: bytes, as: UTF8.self))
        guard parts.count == 3 else {
            (ends, ages) = (nil, nil)
            return
        }
        guard let claims = Self.decoded(Claims.self, parts[1]) else { throw .noToken }
        guard let exp = claims.exp else {
            (ends, ages) = (nil, nil)
            return
        }
        // Up to the year 9999; what is beyond counts as that.
        let expiry = ServerTime(milliseconds: Int64(min(max(exp, 0), 253_402_300_799) * 1000))
        let life = max(.zero, time.duration(to: expiry))
        ends = expiry.advanced(by: .zero - min(Self.mostSpare, life / 10))
        ages = expiry.advanced(by: .zero - min(Self.mostNotice, life / 3))
    }

    static func good(_ bytes: [UInt8], at time: ServerTime) throws(Fault) -> SignOnToken {
        let token = try SignOnToken(bytes, at: time)
        guard token.isGood(at: time) else { throw .expired }
        return token
    }

    func isGood(at time: ServerTime) -> Bool { ends.map { time < $0 } ?? true }

    private struct AnyObject: Decodable {}
    private struct Claims: Decodable { var exp: Double? }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ part: ArraySlice<UInt8>) -> Value? {
        var text = part.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
        guard part.allSatisfy(isBase64URL), let data = Data(base64Encoded: Data(text)),
            data.first == UInt8(ascii: "{")
        else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    private static func isBase64URL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }
}
