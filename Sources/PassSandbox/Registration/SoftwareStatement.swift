// Software statements: signs them for the apps of the catalogue, and checks those that clients present. Contract:
// dcr.md §2, §8.

import PassJSON

extension World {
    /// Every statement is different, and all of them stay valid.
    mutating func softwareStatement(for app: App, at now: Instant) -> String {
        let claims: JSONValue = [
            "software_id": .string(app.id), "client_name": .string(app.name), "client_version": .string(app.version),
            "iss": "pass-sandbox", "iat": .int(now / 1000),
        ]
        return JWS.sign(claims, keyID: state.keyID(.statement), key: state.key(.statement))
    }
}

/// The app that a statement names. A statement that we did not sign is invalid; one of an unknown or revoked app is not
/// approved.
func statedApp(_ statement: String, _ world: inout World) throws(Refusal) -> App {
    guard let token = JWS(statement), token.isSigned(by: world.state.key(.statement).publicKey),
        let id = token.claims["software_id"]?.string
    else { throw .registration(.invalidSoftwareStatement) }
    guard let app = world.catalogue.app(id), !world.isRevoked(app) else {
        throw .registration(.unapprovedSoftwareStatement)
    }
    return app
}
