// Tests R2: the exchange of credentials for an access token, and the refusals of the token endpoint.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("dcr.md §4, §8; rest-v2.md R2: access token")
struct AccessTokenTests {
    private static let info = Field("X-Device-Info", Request.deviceInfo)

    private static func form(_ client: TestClient) -> [Field] {
        [
            Field("client_id", client.clientID), Field("client_secret", client.secret),
            Field("grant_type", "client_credentials"),
        ]
    }

    private static func inForm(_ fields: [Field]) -> Request { .post("/o/client/token", form: fields, [info]) }

    private static func inQuery(_ fields: [Field]) -> Request {
        Request(method: "POST", path: "/o/client/token", query: fields, headers: [info])
    }

    @Test func `the credentials give a bearer token of six hours, with times in milliseconds and a life in seconds`()
        throws
    {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        fixture.clock.advance(.milliseconds(123))
        let answer = client.send(Self.inForm(Self.form(client)))
        let id = try #require(answer.json["id"]?.string)
        let token = try #require(answer.json["access_token"]?.string)
        #expect(!id.isEmpty)
        #expect(token.utf8.count >= 43, "256 random bits")
        expect(
            answer, 201,
            is: [
                "id": .string(id), "access_token": .string(token), "created_at": 1_795_564_800_123,
                "expires_in": 21600, "token_type": "bearer",
            ])
        #expect(answer.header("Content-Type") == "application/json;charset=utf-8")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Pragma") == "no-cache")
    }

    @Test func `the content type may name a character set`() throws {
        let client = try TestClient(SandboxFixture())
        let request = Self.inForm(Self.form(client))
            .with(header: "Content-Type", "application/x-www-form-urlencoded;charset=utf-8")
        #expect(client.send(request).status == 201)
    }

    @Test func `every request gives another token, and earlier tokens stay valid until they expire`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let later = client.send(Self.inForm(Self.form(client))).json["access_token"]?.string
        #expect(later != nil && later != client.token)
        #expect(client.send(client.get("profiles")).status == 200)
    }

    @Test func `the credentials may also be in the query`() throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(Self.inQuery(Self.form(client)))
        #expect(answer.status == 201)
        #expect(answer.json["token_type"] == "bearer")
    }

    static let malformed: [Row<@Sendable (TestClient) -> Request>] = [
        .init("no client id") { inForm(Array(form($0).dropFirst())) },
        .init("no secret") { inForm(form($0).filter { $0.name != "client_secret" }) },
        .init("no grant type") { inForm(Array(form($0).dropLast())) },
        .init("an empty client id") { inForm([Field("client_id", "")] + form($0).dropFirst()) },
        .init("an empty grant type") { inForm(form($0).dropLast() + [Field("grant_type", "")]) },
        .init("nothing at all") { _ in inForm([]) },
        .init("the client id twice, the same") { inForm(form($0) + [form($0)[0]]) },
        .init("the client id twice, different") { inForm(form($0) + [Field("client_id", "other")]) },
        .init("the grant type twice") { inForm(form($0) + [form($0)[2]]) },
        .init("the secret twice in the query") { inQuery(form($0) + [form($0)[1]]) },
        .init("form and query") {
            var request = inForm(form($0))
            request.query = form($0)
            return request
        },
        .init("half in the form, half in the query") {
            var request = inForm([form($0)[0], form($0)[2]])
            request.query = [form($0)[1]]
            return request
        },
        .init("form and Basic") {
            inForm(form($0)).with(
                header: "Authorization", "Basic " + base64("\($0.clientID):\($0.secret)".utf8))
        },
        .init("Basic alone") {
            inForm([Field("grant_type", "client_credentials")]).with(
                header: "Authorization", "Basic " + base64("\($0.clientID):\($0.secret)".utf8))
        },
        .init("JSON") {
            .post(
                "/o/client/token",
                json: .object(form($0).map { JSONObject.Member($0.name, .string($0.value)) }), [info])
        },
        .init("a form without its content type") {
            var request = inForm(form($0)).without(header: "Content-Type")
            request.form = nil
            return request
        },
        .init("a form in several parts") {
            inForm(form($0)).with(header: "Content-Type", "multipart/form-data; boundary=x")
        },
        .init("the query and a body that is no form") {
            var request = inQuery(form($0))
            request.body = Array("{}".utf8)
            return request
        },
        .init("an X-Device-Info that is not Base64") { inForm(form($0)).with(header: "X-Device-Info", "%%") },
        .init("an X-Device-Info that is not an object") {
            inForm(form($0)).with(header: "X-Device-Info", base64("[]".utf8))
        },
    ]

    @Test(arguments: malformed)
    func `a missing, repeated, unsupported or contradictory parameter is an invalid request`(
        _ row: Row<@Sendable (TestClient) -> Request>
    ) throws {
        let client = try TestClient(SandboxFixture())
        expect(client.send(row.value(client)), oauth: "invalid_request")
    }

    static let wrongPairs: [Row<@Sendable (TestClient) -> [Field]>] = [
        .init("unknown client") { [Field("client_id", "nobody")] + form($0).dropFirst() },
        .init("wrong secret") { [form($0)[0], Field("client_secret", "nothing"), form($0)[2]] },
        .init("id and secret swapped") {
            [Field("client_id", $0.secret), Field("client_secret", $0.clientID), form($0)[2]]
        },
        .init("another letter case") { [Field("client_id", $0.clientID.uppercased())] + form($0).dropFirst() },
    ]

    @Test(arguments: wrongPairs)
    func `a wrong pair of id and secret is an invalid client`(_ row: Row<@Sendable (TestClient) -> [Field]>) throws {
        let client = try TestClient(SandboxFixture())
        expect(client.send(Self.inForm(row.value(client))), oauth: "invalid_client")
    }

    @Test func `the secret of one client is not valid for another`() throws {
        let fixture = try SandboxFixture()
        let one = try TestClient(fixture)
        let two = try TestClient(fixture)
        let mixed = [Field("client_id", one.clientID), Field("client_secret", two.secret), Self.form(one)[2]]
        expect(fixture.send(Self.inForm(mixed)), oauth: "invalid_client")
    }

    @Test(arguments: [
        ("authorization_code", "unauthorized_client"), ("password", "unauthorized_client"),
        ("refresh_token", "unauthorized_client"), ("implicit", "unauthorized_client"),
        ("client_credential", "unsupported_grant_type"), ("CLIENT_CREDENTIALS", "unsupported_grant_type"),
        ("urn:example:other", "unsupported_grant_type"),
    ])
    func `a known grant type that the client may not use has another error than an unknown grant type`(
        _ grant: String, _ error: String
    ) throws {
        let client = try TestClient(SandboxFixture())
        expect(
            client.send(Self.inForm(Self.form(client).dropLast() + [Field("grant_type", grant)])), oauth: error)
    }

    @Test func `credentials never expire, unless the switch clientLifetime sets an expiry`() throws {
        let forEver = try TestClient(SandboxFixture())
        forEver.fixture.clock.advance(.seconds(10 * 365 * 86400))
        #expect(forEver.send(Self.inForm(Self.form(forEver))).status == 201)

        let fixture = try SandboxFixture { $0.settings.clientLifetime = .seconds(3600) }
        let client = try TestClient(fixture)
        fixture.clock.advance(.seconds(3599))
        #expect(client.send(Self.inForm(Self.form(client))).status == 201)
        fixture.clock.advance(.seconds(1))
        expect(client.send(Self.inForm(Self.form(client))), oauth: "invalid_client")
        expect(client.send(client.get("profiles")), oauth: "invalid_client", status: 403)
    }

    @Test func `a client that the operator has ended is an invalid client`() throws {
        let client = try TestClient(SandboxFixture())
        try client.fixture.control("expire", ["kind": "client", "id": .string(client.clientID)])
        expect(client.send(Self.inForm(Self.form(client))), oauth: "invalid_client")
        expect(client.send(client.get("profiles")), oauth: "invalid_client", status: 403)
    }

    @Test func `revoking an app ends its token requests and protected calls, until it is accepted again`() throws {
        let client = try TestClient(SandboxFixture())
        try client.fixture.control("revoke", ["app": "lumen-tv"])
        expect(client.send(Self.inForm(Self.form(client))), oauth: "invalid_client")
        expect(client.send(client.get("profiles")), oauth: "invalid_client", status: 403)
        try client.fixture.control("revoke", ["app": "lumen-tv", "revoked": false])
        #expect(client.send(Self.inForm(Self.form(client))).status == 201)
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func `only POST is allowed`(_ method: String) throws {
        let answer = try SandboxFixture().send(Request(method: method, path: "/o/client/token"))
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "POST")
    }

    @Test func `the token ends at the end of its life, to the millisecond`() throws {
        let client = try TestClient(SandboxFixture())
        client.fixture.clock.advance(.milliseconds(21_600_000 - 1))
        #expect(client.send(client.get("profiles")).status == 200)
        client.fixture.clock.advance(.milliseconds(1))
        expect(client.send(client.get("profiles")), oauth: "access_denied", status: 401)
    }

    @Test func `E10: the switch accessTokenLifetime makes short-lived tokens`() throws {
        let fixture = try SandboxFixture { $0.settings.accessTokenLifetime = .seconds(60) }
        let client = try TestClient(fixture)
        #expect(client.send(Self.inForm(Self.form(client))).json["expires_in"] == 60)
        fixture.clock.advance(.seconds(60))
        expect(client.send(client.get("profiles")), oauth: "access_denied", status: 401)
    }

    /// A switch for older servers, and what it changes. A tuple with a closure would crash Debian's Swift 6.2.3.
    struct Switch: Sendable {
        let change: @Sendable (inout Settings) -> Void
        var status = 201
        var names = ["access_token", "created_at", "expires_in", "id", "token_type"]
        var created: Int64 = 1_795_564_800_000
    }

    static let switches: [Row<Switch>] = [
        .init("tokenStatusOK", Switch(change: { $0.tokenStatusOK = true }, status: 200)),
        .init("createdAtInSeconds", Switch(change: { $0.createdAtInSeconds = true }, created: 1_795_564_800)),
        .init(
            "omitTokenID",
            Switch(
                change: { $0.omitTokenID = true }, names: ["access_token", "created_at", "expires_in", "token_type"])),
    ]

    @Test(arguments: switches)
    func `each switch for older servers changes only what it names`(_ row: Row<Switch>) throws {
        let fixture = try SandboxFixture { row.value.change(&$0.settings) }
        let client = try TestClient(fixture)
        let answer = client.send(Self.inForm(Self.form(client)))
        #expect(answer.status == row.value.status)
        #expect(answer.json.names == row.value.names)
        #expect(answer.json["created_at"] == .int(row.value.created))
    }

    @Test func `with the switch strict only the form is accepted`() throws {
        let client = try TestClient(SandboxFixture())
        let strict = try SandboxFixture { $0.settings.strict = true }
        strict.sandbox.withWorld { world, now in
            world.state.clients[client.clientID] = Client(
                id: client.clientID, secret: client.secret, app: "lumen-tv", issued: now)
        }
        expect(strict.send(Self.inQuery(Self.form(client))), oauth: "invalid_request")
        #expect(strict.send(Self.inForm(Self.form(client))).status == 201)
    }
}
