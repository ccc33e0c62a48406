// A JWS in compact form, either signed with the sandbox's keys or received.

import PassJSON

struct JWS {
    let header: JSONValue
    let claims: JSONValue
    private let signed: String
    private let signature: [UInt8]

    static func sign(_ claims: JSONValue, keyID: String, key: RSAKey) -> String {
        let header: JSONValue = ["alg": "RS256", "typ": "JWT", "kid": .string(keyID)]
        let signed = base64URL(header.bytes) + "." + base64URL(claims.bytes)
        return signed + "." + base64URL(key.sign(signed.utf8))
    }

    init?(_ text: String) {
        let parts = text.parts(between: ".")
        guard text.utf8.count <= 16 * 1024, parts.count == 3,
            let header = decodeBase64URL(parts[0]).flatMap({ try? JSONReader.read($0) }),
            let claims = decodeBase64URL(parts[1]).flatMap({ try? JSONReader.read($0) }),
            let signature = decodeBase64URL(parts[2]), header.members != nil, claims.members != nil
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = parts[0] + "." + parts[1]
    }

    func isSigned(by key: PublicKey) -> Bool {
        guard let algorithm = header["alg"]?.string.flatMap(PublicKey.Algorithm.init) else { return false }
        return key.verifies(signature, of: signed.utf8, by: algorithm)
    }

    func isSigned(by key: IdentityService.Key) -> Bool {
        switch key {
        case .pair(let key): header["alg"]?.string == "RS256" && isSigned(by: key)
        case .secret(let secret):
            header["alg"]?.string == "HS256"
                && sameSecret(hexadecimal(signature), hexadecimal(hmacSHA256(signed.utf8, key: Array(secret.utf8))))
        }
    }

    /// Whether the token is valid now. `exp` and `nbf` are in seconds. A token without `exp` counts as expired.
    func isCurrent(at now: Instant) -> Bool {
        guard let end = claims["exp"]?.double, end * 1000 > Double(now) else { return false }
        guard let start = claims["nbf"]?.double else { return true }
        return start * 1000 <= Double(now)
    }
}
