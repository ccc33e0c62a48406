// A token for single sign-on: a JWS or JWE in compact form, and the time when the token ends. The service verifies the
// signature. Contract: rest-v2.md §3.6, §3.7; RFC 7515, RFC 7516, RFC 7519.

import AccessEnabler
import PassJSON

struct SignOnToken: Sendable {
    enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case noToken, expired

        var description: String {
            switch self {
            case .noToken: "it returned no token"
            case .expired: "the token it returned has expired"
            }
        }
    }

    /// A token is not used in the last part of its life (`maxSpare`), because it could reach the service too late. passd asks
    /// for a new token even earlier (`maxNotice`). Both times are shorter for short-lived tokens.
    private static let maxSpare = Duration.seconds(10)
    private static let maxNotice = Duration.seconds(120)

    let text: Secret
    /// After this moment, the token is not used. Nil if the token has no end.
    let ends: ServerTime?
    /// After this moment, passd asks for a new token.
    let ages: ServerTime?

    /// Reads a token. White space is ignored, because a file may contain line breaks. An expired token is accepted, because the
    /// box's clock may be wrong and may be corrected later.
    init(_ bytes: [UInt8], at time: ServerTime) throws(Fault) {
        let bytes = bytes.filter { ![0x09, 0x0A, 0x0D, 0x20].contains($0) }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // The second part of a JWE, the encrypted key, may be empty.
        guard parts.count == 3 || parts.count == 5,
            parts.enumerated().allSatisfy({ !$1.isEmpty || parts.count == 5 && $0 == 1 }),
            Self.decoded(parts[0]) != nil
        else { throw .noToken }
        text = Secret(String(decoding: bytes, as: UTF8.self))
        guard parts.count == 3 else {
            (ends, ages) = (nil, nil)
            return
        }
        guard let claims = Self.decoded(parts[1]) else { throw .noToken }
        guard let claim = claims["exp"], !claim.isNull else {
            (ends, ages) = (nil, nil)
            return
        }
        guard let exp = claim.number?.double else { throw .noToken }
        // Later dates count as the end of the year 9999.
        let expiry = ServerTime(milliseconds: Int64(min(max(exp, 0), 253_402_300_799) * 1000))
        let life = max(.zero, time.duration(to: expiry))
        ends = expiry.advanced(by: .zero - min(Self.maxSpare, life / 10))
        ages = expiry.advanced(by: .zero - min(Self.maxNotice, life / 3))
    }

    static func good(_ bytes: [UInt8], at time: ServerTime) throws(Fault) -> SignOnToken {
        let token = try SignOnToken(bytes, at: time)
        guard token.isGood(at: time) else { throw .expired }
        return token
    }

    func isGood(at time: ServerTime) -> Bool { ends.map { time < $0 } ?? true }

    /// Decodes a part that is an object.
    private static func decoded(_ part: ArraySlice<UInt8>) -> JSONObject? {
        guard let bytes = Base64.decodedURL(part), bytes.first == UInt8(ascii: "{") else { return nil }
        return (try? JSONReader.readLeniently(bytes, limits: JSONLimits()))?.object
    }
}
