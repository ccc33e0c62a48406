// Tests whether a device is logged in, and how: the outcome matrix, and how long a code can be used after the login.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.5–§6.7, §6.13, §6.15: logins of a device")
struct AuthenticationTokenTests {
    private func statuses(_ client: V1Client) -> [Int] {
        let resource = [Field("resource", "lumen-sports-1")]
        return [
            client.get("checkauthn").status, client.get("tokens/authn").status, client.authorize().status,
            client.get("tokens/authz", resource).status, client.mediaToken().status,
            client.get("preauthorize", resource).status, client.get("tokens/usermetadata").status,
        ]
    }

    /// §6.15. The logins last 90 days.
    @Test func `§6.15: the answers without a login, and with an expired login`() throws {
        let client = try V1Client(SandboxFixture.longLived())
        #expect(statuses(client) == [403, 404, 403, 412, 403, 412, 412])
        try client.logIn()
        client.fixture.clock.advance(.seconds(90 * 86_400))
        #expect(statuses(client) == [403, 410, 403, 412, 403, 412, 412])
        #expect(client.logOut().status == 204)
        #expect(client.logOut().status == 204)
    }

    @Test func `E15, §3, §6.15: tokens/authn from the beginning to the end of a login`() throws {
        let client = try V1Client(SandboxFixture.longLived())
        expect(client.get("tokens/authn"), basic: 404)
        try client.logIn()
        let answer = client.get("tokens/authn")
        #expect(answer.status == 200)
        #expect(answer.json.names == ["expires", "mvpd", "requestor", "userId"])
        #expect(answer.json["requestor"] == "LUMENTV")
        #expect(answer.json["mvpd"] == "NorthCable")
        #expect(answer.json["expires"]?.string == String(TestClock.start + 90 * 86_400_000))
        #expect(answer.json["userId"]?.string?.isEmpty == false)
        #expect(answer.json["userId"] != "ada")
        client.fixture.clock.advance(.seconds(90 * 86_400))
        expect(client.get("tokens/authn"), basic: 410, message: "Gone")
        try client.logIn()
        #expect(client.get("tokens/authn").status == 200)
        #expect(client.logOut().body.isEmpty)
        expect(client.get("tokens/authn"), basic: 404)
    }

    @Test func `§6.6: the answer of checkauthn is empty`() throws {
        let client = try V1Client(SandboxFixture())
        expect(client.get("checkauthn"), basic: 403, message: "Forbidden")
        try client.logIn()
        let answer = client.get("checkauthn")
        #expect((answer.status, answer.body) == (200, []))
    }

    @Test func `§12: with enhanced errors each refusal has its code`() throws {
        let fixture = try SandboxFixture.longLived { $0.programmers[0].serviceProviders[0].enhancedErrors = true }
        let client = try V1Client(fixture)
        let resource = [Field("resource", "lumen-sports-1")]
        expect(client.get("checkauthn").json, enhanced: 403, "authentication_session_missing", action: "authentication")
        let missing = client.get("tokens/authz", resource)
        #expect(missing.status == 412)
        expect(missing.json, enhanced: 412, "authentication_session_missing", action: "authentication")
        try client.logIn()
        expect(
            client.get("tokens/authz", resource).json, enhanced: 404, "authorization_not_found",
            action: "authorization")
        fixture.clock.advance(.seconds(90 * 86_400))
        expect(client.authorize().json, enhanced: 403, "authentication_session_expired", action: "authentication")
        expect(
            client.get("tokens/usermetadata").json, enhanced: 412, "authentication_session_expired",
            action: "authentication")
    }

    @Test func `a second login replaces the first`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        #expect(client.authorize().status == 200)
        try client.logIn("omar", mvpd: "BeaconTV")
        #expect(client.get("tokens/authn").json["mvpd"] == "BeaconTV")
        #expect(client.get("tokens/authz", [Field("resource", "lumen-sports-1")]).status == 404)
    }

    @Test func `§5.2: a login belongs to its device`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let neighbour = try V1Client(client.fixture, device: "box-2")
        #expect(neighbour.get("tokens/authn").status == 404)
        let sameBox = try V1Client(client.fixture)
        #expect(sameBox.get("tokens/authn").status == 200)
    }

    @Test func `rest-v1.md §14: the switch binds logins to the client registration`() throws {
        let client = try V1Client(SandboxFixture { $0.settings.bindToClient = true })
        try client.logIn()
        #expect(client.get("tokens/authn").status == 200)
        #expect(try V1Client(client.fixture).get("tokens/authn").status == 404)
    }

    @Test func `a given deviceUser must be the deviceUser of the code`() throws {
        let client = try V1Client(SandboxFixture())
        try client.client.completeLogin(code: client.code([Field("deviceUser", "kid")]), user: "ada")
        #expect(client.get("tokens/authn").status == 200)
        #expect(client.get("tokens/authn", [Field("deviceUser", "kid")]).status == 200)
        #expect(client.get("tokens/authn", [Field("deviceUser", "mum")]).status == 404)
    }

    // MARK: The code afterwards

    private func check(_ client: V1Client, _ code: String) -> Int {
        let query = [Field("requestor", "LUMENTV")]
        return client.send(Request(method: "GET", path: "/api/v1/checkauthn/\(code)", query: query)).status
    }

    @Test func `rest-v1.md §6.5: a code can be read for five minutes after the token was fetched`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        #expect(check(client, code) == 403)
        try client.client.completeLogin(code: code, user: "ada")
        #expect(check(client, code) == 200)
        #expect(client.readCode(code).status == 200)
        #expect(client.get("tokens/authn").status == 200)
        #expect(client.readCode(code).status == 404)
        client.fixture.clock.advance(.milliseconds(299_999))
        #expect(client.get("tokens/authn").status == 200)
        #expect(check(client, code) == 200)
        client.fixture.clock.advance(.milliseconds(1))
        #expect(check(client, code) == 403)
    }

    @Test func `rest-v1.md §6.5: a second login with the same code is refused`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        try client.client.completeLogin(code: code, user: "ada")
        #expect(client.authenticate(V1Client.authenticate(code)).status == 400)
    }

    @Test func `checkauthn of an unknown code is a 403, and without a known requestor a 400`() throws {
        let client = try V1Client(SandboxFixture())
        #expect(check(client, "NOCODE7") == 403)
        #expect(client.send(.get("/api/v1/checkauthn/NOCODE7")).status == 400)
        #expect(client.send(.get("/api/v1/checkauthn/NOCODE7", query: [Field("requestor", "X")])).status == 400)
    }

    // MARK: Logout

    @Test func `§6.13: a logout leaves the other requestor's own login`() throws {
        let client = try V1Client(SandboxFixture())
        let kids = V1Client(client, requestor: "LUMENKIDS")
        try client.logIn()
        try kids.logIn()
        #expect(client.logOut().status == 204)
        #expect(kids.get("tokens/authn").status == 200)
        #expect(client.get("tokens/authn").status == 404)
    }

    @Test func `rest-v1.md §6.13: a browser logs out without a token, through the provider's page`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let redirect = Field("redirect_url", "https://lumentv.example/bye?a=b")
        let query = client.identity + [redirect]
        let first = client.send(Request(method: "GET", path: "/api/v1/logout", query: query))
        #expect(first.status == 302)
        #expect(first.location.hasPrefix("/adobe-services/logout?requestor_id=LUMENTV&mso_id=NorthCable&redirect_url="))
        #expect(first.location.hasSuffix(percentEncoded(redirect.value)))
        #expect(client.get("tokens/authn").status == 404)
        let second = client.send(Request(method: "GET", path: "/api/v1/logout", query: query))
        #expect((second.status, second.location) == (302, redirect.value))
    }

    @Test(
        arguments: [
            Row("no requestor", ("requestor", nil)), Row("unknown requestor", ("requestor", "NOBODY")),
            Row("no device", ("deviceId", nil)), Row("no URL", ("redirect_url", nil)),
            Row("foreign URL", ("redirect_url", "https://evil.example/")),
            Row("script", ("redirect_url", "javascript:alert(1)")),
        ] as [Row<(String, String?)>])
    func `a browser's logout with a mistake ends no login`(_ row: Row<(String, String?)>) throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        var query = client.identity + [Field("redirect_url", "https://lumentv.example/bye")]
        query = row.value.1.map { query.with(row.value.0, $0) } ?? query.without(row.value.0)
        #expect(client.send(Request(method: "GET", path: "/api/v1/logout", query: query)).status == 400)
        #expect(client.get("tokens/authn").status == 200)
    }
}
