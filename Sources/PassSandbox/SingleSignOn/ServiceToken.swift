// Service tokens: a JWS that names a user, signed by the sandbox's own sign-on service (RS256) or by an identity service
// of the catalogue (RS256 or HS256). Contract: rest-v2.md §3.7, §12.2, §12.4.

import PassJSON

struct ServiceToken: Sendable {
    static let issuer = "pass-sandbox"
    static let audience = "Adobe"

    let issuer: String
    let subject: String
    let ends: Instant

    enum Fault: Error { case invalid, expired }
}

extension World {
    mutating func makeServiceToken(for subject: String, at now: Instant) -> (text: String, ends: Instant) {
        let ends = now + settings.serviceTokenLifetime.milliseconds
        let claims: JSONValue = [
            "iss": .string(ServiceToken.issuer), "sub": .string(subject), "aud": .string(ServiceToken.audience),
            "iat": .int(now / 1000), "exp": .int(ends / 1000), "jti": .string(state.random.identifier()),
        ]
        return (JWS.sign(claims, keyID: state.keyID(.serviceToken), key: state.key(.serviceToken)), ends)
    }

    mutating func serviceToken(_ text: String, at now: Instant) -> Result<ServiceToken, ServiceToken.Fault> {
        guard let token = JWS(text), let issuer = token.claims["iss"]?.string,
            let subject = token.claims["sub"]?.string, (1...256).contains(subject.utf8.count),
            // The vendor's own service leaves it out (E24).
            token.claims["aud"].map({ $0.string?.lowercased() == ServiceToken.audience.lowercased() }) ?? true,
            let end = token.claims["exp"]?.double, abs(end) < 1e12
        else { return .failure(.invalid) }
        let isSigned =
            issuer == ServiceToken.issuer
            ? token.header["alg"]?.string == "RS256" && token.isSigned(by: state.key(.serviceToken).publicKey)
            : catalogue.identityServices.contains { $0.issuer == issuer && token.isSigned(by: $0.key) }
        guard isSigned else { return .failure(.invalid) }
        guard token.isCurrent(at: now) else { return .failure(.expired) }
        return .success(ServiceToken(issuer: issuer, subject: subject, ends: Instant(end * 1000)))
    }
}
