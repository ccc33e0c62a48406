// The identities of a call besides its client: the platform's identity, and the user in a service token. Without a valid token,
// there is no single sign-on and no error. Contract: rest-v2.md §3.6, §3.7, §12.

import PassJSON

extension World {
    /// The names of the identities, `platform …` and `service …`. With `trustFirstUse`, unknown keys are trusted.
    mutating func identities(of call: Call) -> [String] {
        let header =
            call.request.header("Adobe-Subject-Token") ?? call.request.header("X-Roku-Reserved-Roku-Connect-Token")
        return [platformIdentity(header, call), serviceIdentity(call)].compactMap(\.self)
    }

    /// The identity in a JWS with a signature of the box's key. The header of the JWS names a key of the catalogue (`kid`) or
    /// contains a key (`jwk`). The claims are `sub` and `exp`. The key is part of the identity, so two boxes never share an
    /// identity.
    mutating func platformIdentity(_ text: String?, _ call: Call) -> String? {
        guard let token = text.flatMap(JWS.init), token.isCurrent(at: call.now),
            let subject = token.claims["sub"]?.string, (1...256).contains(subject.utf8.count)
        else { return nil }
        if let id = token.header["kid"]?.string, let key = catalogue.platformKeys[id] {
            return token.isSigned(by: key) ? "platform \(key.thumbprint) \(subject)" : nil
        }
        guard let jwk = token.header["jwk"], let key = PublicKey(jwk: jwk), token.isSigned(by: key) else { return nil }
        if state.trustedKeys[key.thumbprint] == nil {
            guard settings.trustFirstUse, let client = call.client,
                state.trustedKeys.rows.count < 10_000
            else { return nil }
            state.trustedKeys[key.thumbprint] = TrustedKey(key: key, client: client.id, seen: call.now)
        }
        return "platform \(key.thumbprint) \(subject)"
    }

    private mutating func serviceIdentity(_ call: Call) -> String? {
        guard let text = call.request.header("AD-Service-Token") else { return nil }
        guard case .success(let token) = serviceToken(text, at: call.now) else { return nil }
        return "service \(token.issuer) \(token.subject)"
    }
}

// Service tokens: a JWS that names a user. The sandbox's own sign-on service signs with RS256. An identity service of the
// catalogue signs with RS256 or HS256. Contract: rest-v2.md §3.7, §12.2, §12.4.

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
            // The vendor's own service omits `aud` (E24).
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
