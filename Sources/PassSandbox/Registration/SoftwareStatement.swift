// Software statements: what the sandbox signs for the apps of its catalogue, and what it takes back as proof.
// Contract: dcr.md §2, §8.

extension World {
    /// Each statement differs from the ones before it; all of them stay valid.
    mutating func softwareStatement(for app: App, at now: Instant) -> String {
        let claims: JSON = [
            "software_id": .string(app.id), "client_name": .string(app.name), "client_version": .string(app.version),
            "iss": "pass-sandbox", "iat": .int(now / 1000),
        ]
        return JWS.sign(claims, keyID: state.keyID(.statement), key: state.key(.statement))
    }
}

/// The application a statement names. A statement that is not ours is invalid, one of an unknown or revoked
/// application is not approved.
func statedApp(_ statement: String, _ world: inout World) throws(Refusal) -> App {
    guard let token = JWS(statement), token.isSigned(by: world.state.key(.statement).publicKey),
        let id = token.claims["software_id"]?.string
    else { throw .registration(.invalidSoftwareStatement) }
    guard let app = world.catalogue.app(id), !world.isRevoked(app) else {
        throw .registration(.unapprovedSoftwareStatement)
    }
    return app
}
