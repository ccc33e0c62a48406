// Tests R1: how an app instance gets its credentials, and all refusals.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("dcr.md §3, §8; rest-v2.md R1: client credentials")
struct RegistrationTests {
    private static let info = Field("X-Device-Info", Request.deviceInfo)

    private static func register(_ body: JSONValue) -> Request { .post("/o/client/register", json: body, [info]) }

    private static func raw(_ body: String, type: String? = "application/json") -> Request {
        Request(
            method: "POST", path: "/o/client/register",
            headers: [info] + (type.map { [Field("Content-Type", $0)] } ?? []),
            body: Array(body.utf8))
    }

    @Test func `a statement and a redirect URI give six fields of the right types, and the answer must not be cached`()
        throws
    {
        let fixture = try SandboxFixture()
        let answer = fixture.send(
            Self.register([
                "software_statement": .string(try fixture.statement()), "redirect_uri": "lumentv://signin",
            ]))
        let id = try #require(answer.json["client_id"]?.string)
        let secret = try #require(answer.json["client_secret"]?.string)
        #expect(!id.isEmpty && secret.utf8.count >= 32 && id != secret)
        expect(
            answer, 201,
            is: [
                "client_id": .string(id), "client_secret": .string(secret), "client_id_issued_at": 1_795_564_800,
                "redirect_uris": ["lumentv://signin"], "grant_types": ["client_credentials"],
                "scopes": ["api:client:v2"],
            ])
        #expect(answer.header("Content-Type") == "application/json;charset=utf-8")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Pragma") == "no-cache")
    }

    @Test func `without a redirect URI, the list of redirect URIs is empty`() throws {
        let fixture = try SandboxFixture()
        let answer = fixture.send(Self.register(["software_statement": .string(try fixture.statement())]))
        #expect(answer.status == 201)
        #expect(answer.json["redirect_uris"] == [])
    }

    @Test func `the scopes are the application's scopes`() throws {
        let fixture = try SandboxFixture()
        let answer = fixture.send(Self.register(["software_statement": .string(try fixture.statement("lumen-legacy"))]))
        #expect(answer.json["scopes"] == ["api:client:v1"])
    }

    @Test func `the content type may name a character set, and optional headers are accepted`() throws {
        let fixture = try SandboxFixture()
        let body: JSONValue = ["software_statement": .string(try fixture.statement())]
        var request = Self.register(body).with(header: "Content-Type", "application/json;charset=utf-8")
        request.headers += [Field("Accept", "application/json;charset=utf-8"), Field("User-Agent", "passd/1.0")]
        #expect(fixture.send(request).status == 201)
    }

    @Test(arguments: [
        "https://lumentv.example/done", "https://www.lumentv.example/done", "https://lumenkids.example",
        "http://localhost:8080/back", "http://127.0.0.1/back", "lumentv://signin", "LUMENTV://signin",
    ])
    func `a redirect URI on a domain of any channel of the app, or with its scheme, is accepted`(_ uri: String) throws {
        let fixture = try SandboxFixture()
        let answer = fixture.send(
            Self.register(["software_statement": .string(try fixture.statement()), "redirect_uri": .string(uri)]))
        #expect(answer.status == 201)
        #expect(answer.json["redirect_uris"] == [.string(uri)])
    }

    @Test(arguments: [
        "https://news24.example/done", "https://evil-lumentv.example/", "https://lumentv.example.evil.example/",
        "https://evil.example/?lumentv.example", "https://evil.example/#lumentv.example",
        "https://user@lumentv.example/", "https://lumentv.example:x@evil.example/",
        "https://evil.example\\.lumentv.example",
        "javascript:alert(1)", "data:text/html,x", "news24://signin", "signin", "//lumentv.example/", "/done", "",
        "https://", "https:// lumentv.example", "https://lumentv.example/a b",
    ])
    func `any other redirect URI is refused as invalid`(_ uri: String) throws {
        let fixture = try SandboxFixture()
        let answer = fixture.send(
            Self.register(["software_statement": .string(try fixture.statement()), "redirect_uri": .string(uri)]))
        expect(answer, oauth: "invalid_redirect_uri")
    }

    static let malformed: [Row<@Sendable (String) -> Request>] = [
        .init("no content type") { raw("{\"software_statement\":\"\($0)\"}", type: nil) },
        .init("a form's content type") {
            raw("{\"software_statement\":\"\($0)\"}", type: "application/x-www-form-urlencoded")
        },
        .init("a form") { .post("/o/client/register", form: [Field("software_statement", $0)], [info]) },
        .init("plain text") { raw("{\"software_statement\":\"\($0)\"}", type: "text/plain") },
        .init("an empty X-Device-Info") {
            register(["software_statement": .string($0)]).with(header: "X-Device-Info", "")
        },
        .init("an X-Device-Info that is not Base64") {
            register(["software_statement": .string($0)]).with(header: "X-Device-Info", "{\"model\":\"x\"}")
        },
        .init("no body") { _ in raw("") },
        .init("a body that is not JSON") { raw("software_statement=\($0)") },
        .init("a body cut off") { raw("{\"software_statement\":\"\($0)\"") },
        .init("an array") { raw("[\"\($0)\"]") },
        .init("an empty object") { _ in raw("{}") },
        .init("a statement that is a number") { _ in raw("{\"software_statement\":1}") },
        .init("a statement that is null") { _ in raw("{\"software_statement\":null}") },
        .init("the statement twice") { raw("{\"software_statement\":\"\($0)\",\"software_statement\":\"\($0)\"}") },
        .init("the redirect URI twice") {
            raw(
                "{\"software_statement\":\"\($0)\",\"redirect_uri\":\"lumentv://a\",\"redirect_uri\":\"lumentv://b\"}")
        },
        .init("a redirect URI that is a number") { raw("{\"software_statement\":\"\($0)\",\"redirect_uri\":1}") },
        .init("the statement in the query, too") {
            var request = register(["software_statement": .string($0)])
            request.query = [Field("software_statement", $0)]
            return request
        },
    ]

    @Test(arguments: malformed)
    func `a missing, repeated, unsupported or malformed parameter is an invalid request`(
        _ row: Row<@Sendable (String) -> Request>
    ) throws {
        let fixture = try SandboxFixture()
        let statement = try fixture.statement()
        try #require(fixture.send(Self.register(["software_statement": .string(statement)])).status == 201)
        expect(fixture.send(row.value(statement)), oauth: "invalid_request")
    }

    static let forged: [Row<@Sendable (String) -> String>] = [
        .init("an empty text") { _ in "" },
        .init("not a token at all") { _ in "statement" },
        .init("two parts") { $0.split(separator: ".").prefix(2).joined(separator: ".") },
        .init("four parts") { $0 + ".e30" },
        .init("no signature") { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." },
        .init("the claims of another app under the old signature") {
            let parts = $0.split(separator: ".")
            return "\(parts[0]).\(base64URL("{\"software_id\":\"news24\"}".utf8)).\(parts[2])"
        },
        .init("algorithm none") {
            base64URL("{\"alg\":\"none\"}".utf8) + "." + $0.split(separator: ".")[1] + "."
        },
        .init("signed by a stranger") { _ in
            JWS.sign(["software_id": "lumen-tv"], keyID: "x", key: RSAKey(random: SeededRandom(number: 99)))
        },
        .init("wrapped over two lines") { String($0.prefix(20)) + "\n" + $0.dropFirst(20) },
    ]

    @Test(arguments: forged)
    func `a statement that the service has not signed is invalid`(_ row: Row<@Sendable (String) -> String>) throws {
        let fixture = try SandboxFixture()
        let body: JSONValue = ["software_statement": .string(row.value(try fixture.statement()))]
        expect(fixture.send(Self.register(body)), oauth: "invalid_software_statement")
    }

    @Test func `a statement of an unknown, retired or revoked app is not approved`() throws {
        let fixture = try SandboxFixture()
        func answer(_ statement: String) -> Response {
            fixture.send(Self.register(["software_statement": .string(statement)]))
        }
        let unknown = fixture.sandbox.withWorld { world, now in
            let stranger = App(
                id: "stranger", name: "x", version: "1", serviceProviders: [], domains: [], schemes: [], scopes: [],
                isRevoked: false)
            return world.softwareStatement(for: stranger, at: now)
        }
        expect(answer(unknown), oauth: "unapproved_software_statement")
        expect(answer(try fixture.statement("retired")), oauth: "unapproved_software_statement")
        let statement = try fixture.statement()
        #expect(answer(statement).status == 201)
        try fixture.control("revoke", ["app": "lumen-tv"])
        expect(answer(statement), oauth: "unapproved_software_statement")
    }

    /// Contract: dcr.md §2, §8.
    @Test func `a statement is a token signed with RS256 that names the app`() throws {
        let statement = try #require(JWS(SandboxFixture().statement("news24")))
        #expect(statement.header["alg"] == "RS256")
        #expect(statement.header["kid"]?.string?.isEmpty == false)
        #expect(statement.claims["software_id"] == "news24")
        #expect(statement.claims["client_name"] == "News 24 RESTV2")
        #expect(statement.claims["client_version"] == "2.3")
        #expect(statement.claims["iat"] == 1_795_564_800)
        #expect(statement.claims["iss"]?.string?.isEmpty == false)
    }

    @Test func `earlier statements of an app stay valid beside later ones`() throws {
        let fixture = try SandboxFixture()
        let early = try fixture.statement()
        fixture.clock.advance(.seconds(86400))
        let late = try fixture.statement()
        #expect(early != late)
        for statement in [early, late] {
            #expect(fixture.send(Self.register(["software_statement": .string(statement)])).status == 201)
        }
    }

    @Test func `two registrations give two independent clients`() throws {
        let fixture = try SandboxFixture()
        let one = try TestClient(fixture)
        let two = try TestClient(fixture)
        #expect(one.clientID != two.clientID)
        #expect(one.secret != two.secret)
        #expect(one.token != two.token)
        try one.logIn()
        #expect(one.send(one.get("profiles")).profiles.count == 1)
        #expect(two.send(two.get("profiles")).json == ["profiles": [:]])
        try fixture.control("expire", ["kind": "client", "id": .string(one.clientID)])
        #expect(one.send(one.get("profiles")).status == 403)
        #expect(two.send(two.get("profiles")).status == 200)
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "PATCH"])
    func `only POST is allowed`(_ method: String) throws {
        let answer = try SandboxFixture().send(Request(method: method, path: "/o/client/register"))
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "POST")
    }

    @Test func `the switch omitScopes omits the scopes, as older servers do`() throws {
        let fixture = try SandboxFixture { $0.settings.omitScopes = true }
        let answer = fixture.send(Self.register(["software_statement": .string(try fixture.statement())]))
        #expect(answer.status == 201)
        #expect(
            answer.json.names == ["client_id", "client_id_issued_at", "client_secret", "grant_types", "redirect_uris"])
    }

    @Test(arguments: ["invalid_software_statement", "unapproved_software_statement", "invalid_request"])
    func `the switch refuseRegistration refuses every registration`(_ error: String) throws {
        let fixture = try SandboxFixture { $0.settings.refuseRegistration = error }
        let body: JSONValue = ["software_statement": .string(try fixture.statement())]
        expect(fixture.send(Self.register(body)), oauth: error)
    }

    @Test func `the switch strict requires the redirect URI and the five device keys`() throws {
        let fixture = try SandboxFixture { $0.settings.strict = true }
        let statement = JSONValue.string(try fixture.statement())
        expect(fixture.send(Self.register(["software_statement": statement])), oauth: "invalid_request")
        let full = Self.register(["software_statement": statement, "redirect_uri": "lumentv://signin"])
        #expect(fixture.send(full).status == 201)
        let poor = base64("{\"model\":\"LTV-200\",\"osName\":\"Linux\"}".utf8)
        expect(fixture.send(full.with(header: "X-Device-Info", poor)), oauth: "invalid_request")
    }
}
