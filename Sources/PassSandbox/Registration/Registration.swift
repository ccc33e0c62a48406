// R1 and R2: checks software statements, and issues client credentials and access tokens. Contract: dcr.md §3, §4, §8;
// rest-v2.md §2.

import PassJSON

private let notStored = [Field("Cache-Control", "no-store"), Field("Pragma", "no-cache")]

func register(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let request = call.request
    if let refusal = world.settings.refuseRegistration { throw .oauth(refusal) }
    guard request.contentType == "application/json",
        !request.query.contains(where: { $0.name == "software_statement" }),
        (try? call.describedDevice(world)) != nil,
        let body = try? JSONReader.read(request.body), let members = body.members,
        !world.settings.strict || members.allSatisfy({ ["software_statement", "redirect_uri"].contains($0.name) }),
        let statement = body["software_statement"]?.string
    else { throw .registration(.invalidRequest) }
    let app = try statedApp(statement, &world)

    var redirectURI: String?
    if let value = body["redirect_uri"] {
        guard let text = value.string else { throw .registration(.invalidRequest) }
        guard let url = URLText(text), world.isRegistered(url, for: app) else {
            throw .registration(.invalidRedirectURI)
        }
        redirectURI = text
    } else if world.settings.strict {
        throw .registration(.invalidRequest)
    }
    let client = Client(
        id: world.state.random.identifier(), secret: world.state.random.secret(), app: app.id, issued: call.now,
        ends: world.settings.clientLifetime.map { call.now + $0.milliseconds }, redirectURI: redirectURI)
    world.state.clients[client.id] = client
    return .json(
        .members([
            "client_id": .string(client.id), "client_secret": .string(client.secret),
            "client_id_issued_at": .int(call.now / 1000),
            "redirect_uris": .array(redirectURI.map { [.string($0)] } ?? []),
            "grant_types": ["client_credentials"],
            "scopes": world.settings.omitScopes ? nil : .array(app.scopes.map(JSONValue.string)),
        ]), status: 201, headers: notStored)
}

/// Issues an access token. The parameters must be in the body or in the query, not in both, and each parameter may occur only
/// once. Contract: dcr.md §4.
func accessToken(_ call: Call, _ world: inout World) throws(Refusal) -> Response {
    let request = call.request
    let names: Set = ["client_id", "client_secret", "grant_type"]
    let inQuery = request.query.filter { names.contains($0.name) }
    let inForm = request.form ?? []
    guard (try? call.describedDevice(world)) != nil, request.header("Authorization") == nil,
        inQuery.isEmpty != inForm.isEmpty,
        !world.settings.strict || inForm.allSatisfy({ names.contains($0.name) })
    else { throw .registration(.invalidRequest) }
    // The vendor's schema has the parameters in the query, but the reference page has them in the form. `strict` accepts only
    // the form.
    if world.settings.strict, !inQuery.isEmpty { throw .registration(.invalidRequest) }
    if !request.body.isEmpty, request.contentType != "application/x-www-form-urlencoded" {
        throw .registration(.invalidRequest)
    }
    let fields = inQuery + inForm
    guard names.allSatisfy({ fields.all($0).count == 1 }), let id = fields.one("client_id"),
        let secret = fields.one("client_secret"), let grant = fields.one("grant_type")
    else { throw .registration(.invalidRequest) }
    guard grant == "client_credentials" else {
        let known = ["authorization_code", "password", "refresh_token", "implicit"]
        throw .registration(known.contains(grant) ? .unauthorizedClient : .unsupportedGrantType)
    }
    guard let client = world.state.clients[id], sameSecret(client.secret, secret), !client.isDismissed,
        client.ends.map({ call.now < $0 }) ?? true, let app = world.app(of: client), !world.isRevoked(app)
    else { throw .registration(.invalidClient) }

    let settings = world.settings
    let token = world.state.random.secret()
    let identifier = world.state.random.identifier()
    let life = settings.accessTokenLifetime
    world.state.tokens[tokenKey(token)] = AccessToken(
        client: id, issued: call.now, ends: call.now + life.milliseconds)
    return .json(
        .members([
            "id": settings.omitTokenID ? nil : .string(identifier), "access_token": .string(token),
            "created_at": .int(settings.createdAtInSeconds ? call.now / 1000 : call.now),
            "expires_in": .int(life.milliseconds / 1000), "token_type": "bearer",
        ]), status: settings.tokenStatusOK ? 200 : 201, headers: notStored)
}

extension World {
    /// Whether the app may redirect to the URL. One of the app's service providers has to allow the URL.
    fileprivate func isRegistered(_ url: URLText, for app: App) -> Bool {
        app.serviceProviders.compactMap(catalogue.serviceProvider).contains { isRegistered(url, for: $0, app: app) }
    }
}

// The OAuth errors of registration. Contract: dcr.md §3, §4.

enum RegistrationError: String, CaseIterable, Sendable {
    case invalidRequest = "invalid_request"
    case invalidRedirectURI = "invalid_redirect_uri"
    case invalidSoftwareStatement = "invalid_software_statement"
    case unapprovedSoftwareStatement = "unapproved_software_statement"
    case invalidClient = "invalid_client"
    case unauthorizedClient = "unauthorized_client"
    case unsupportedGrantType = "unsupported_grant_type"
}

extension Refusal {
    static func registration(_ error: RegistrationError) -> Refusal { .oauth(error.rawValue) }
}

// Signs software statements for the apps of the catalogue, and checks the statements of clients. Contract: dcr.md §2, §8.

extension World {
    /// Signs a statement for an app. Each statement is different. Earlier statements stay valid.
    mutating func softwareStatement(for app: App, at now: Instant) -> String {
        let claims: JSONValue = [
            "software_id": .string(app.id), "client_name": .string(app.name), "client_version": .string(app.version),
            "iss": "pass-sandbox", "iat": .int(now / 1000),
        ]
        return JWS.sign(claims, keyID: state.keyID(.statement), key: state.key(.statement))
    }
}

/// The app in a statement. A statement with a foreign signature is invalid. A statement of an unknown or revoked app is not
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
