// The identities that a call presents besides its own: the platform's and the user's. A missing or invalid token means
// no single sign-on, but is not an error. Contract: rest-v2.md §3.6, §3.7, §12.

import PassJSON

extension World {
    /// The names of the identities, `platform …` and `service …`. If the settings say so, a key is trusted from the
    /// first time it is seen.
    mutating func identities(of call: Call) -> [String] {
        let header =
            call.request.header("Adobe-Subject-Token") ?? call.request.header("X-Roku-Reserved-Roku-Connect-Token")
        return [platformIdentity(header, call), serviceIdentity(call)].compactMap(\.self)
    }

    /// The identity in a JWS signed by the box's key. Its header names a key of the catalogue (`kid`) or contains one
    /// (`jwk`); its claims are `sub` and `exp`. The key is part of the identity, so two boxes never share one.
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
