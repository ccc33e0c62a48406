// Tests permits, and the media tokens for players.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.8–§6.10, §6.15: authorization")
struct OlderAuthorizationTests {
    private static let resource = [Field("resource", "lumen-sports-1")]

    private func verify(_ fixture: SandboxFixture, _ token: String, _ resource: String? = nil) throws -> JSONValue {
        try fixture.control(
            "verify", .members(["token": .string(token), "resource": resource.map(JSONValue.string)]))
    }

    @Test func `E15: a permit has resource, viewer and expiry, and is returned again while it is valid`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let first = client.authorize()
        expect(
            first, 200,
            is: [
                "mvpd": "NorthCable", "resource": "lumen-sports-1", "requestor": "LUMENTV",
                "expires": .string(String(TestClock.start + 86_400_000)),
            ])
        client.fixture.clock.advance(.seconds(60))
        expect(client.authorize(), 200, is: first.json)
        expect(client.get("tokens/authz", Self.resource), 200, is: first.json)
    }

    @Test func `behind a proxy the permit names the proxy`() throws {
        let client = try V1Client(
            SandboxFixture { catalogue in
                for place in catalogue.providers.indices where catalogue.providers[place].id == "NorthCable" {
                    catalogue.providers[place].proxy = "AlpenTel"
                }
            })
        try client.logIn()
        #expect(client.authorize().json["proxyMvpd"] == "AlpenTel")
    }

    @Test func `§6.9: reading a permit is refused first because of the login, then because of the permit`() throws {
        let client = try V1Client(SandboxFixture.longLived())
        let read = { client.get("tokens/authz", Self.resource) }
        expect(read(), basic: 412, message: "User not authenticated")
        try client.logIn()
        expect(read(), basic: 404)
        #expect(client.authorize().status == 200)
        #expect(read().status == 200)
        client.fixture.clock.advance(.seconds(86_400))
        expect(read(), basic: 410, message: "Gone")
        // The removal of old rows does not change the answer.
        client.fixture.clock.advance(.seconds(10 * 86_400))
        expect(read(), basic: 410, message: "Gone")
        #expect(client.mediaToken().status == 403)
        #expect(client.authorize().status == 200)
        client.fixture.clock.advance(.seconds(90 * 86_400))
        expect(read(), basic: 412, message: "User not authenticated")
    }

    @Test func `§6.15: a provider's denial is a 403 with its text, and nothing can be read or played`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn("noor")
        let text = "Your package does not include this channel. Call North Cable on 555-0100 to add it."
        expect(client.authorize(), basic: 403, details: .string(text))
        expect(client.get("tokens/authz", Self.resource), basic: 404)
        expect(client.mediaToken(), basic: 403)
    }

    @Test(arguments: [
        Row("denied", ("noor", "news24-live", "authorization_denied_by_mvpd", "none")),
        Row("too slow", ("flora", "news24-live", "maximum_execution_time_exceeded", "retry")),
    ])
    func `§12: with enhanced errors a denial has its code`(_ row: Row<(String, String, String, String)>) throws {
        let client = try V1Client(SandboxFixture(), app: "news24-legacy", requestor: "NEWS24")
        try client.logIn(row.value.0)
        let answer = client.authorize(row.value.1)
        #expect(answer.status == 403)
        expect(answer.json, enhanced: 403, row.value.2, action: row.value.3)
    }

    @Test func `a session that the provider ends no longer exists`() throws {
        let client = try V1Client(
            SandboxFixture { catalogue in
                catalogue.app("lumen-legacy") { $0.serviceProviders.append("SUMMITTV") }
                catalogue.integration("SUMMITTV", "AlpenTel") { $0.authorizationLifetime = .seconds(60) }
            }, requestor: "SUMMITTV")
        try client.logIn("urs", mvpd: "AlpenTel")
        #expect(client.authorize("summit-live").status == 200)
        client.fixture.clock.advance(.seconds(60))
        #expect(client.authorize("summit-live").status == 403)
        #expect(client.get("checkauthn").status == 403)
        #expect(client.get("tokens/authn").status == 410)
    }

    @Test func `E15, §6.10: two calls give two tokens, and each is valid once`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        #expect(client.authorize().status == 200)
        let answers = [client.mediaToken(), client.get("mediatoken", Self.resource)]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(
                answer.json.names == ["expires", "mvpdId", "requestor", "resource", "serializedToken", "userId"])
            #expect(answer.json["mvpdId"] == "NorthCable")
            #expect(answer.json["expires"]?.string == String(TestClock.start + 420_000))
        }
        let tokens = answers.compactMap { $0.json["serializedToken"]?.string }
        #expect(Set(tokens).count == 2)
        for (token, answer) in zip(tokens, answers) {
            let verdict = try verify(client.fixture, token, "lumen-sports-1")
            #expect(verdict["result"] == "VALID_TOKEN")
            #expect(verdict["sessionGUID"] == answer.json["userId"])
            #expect(verdict["issueTime"] == .int(TestClock.start))
            #expect(verdict["ttl"] == 420_000)
            #expect(try verify(client.fixture, token)["result"] == "TOKEN_ALREADY_USED")
        }
        let third = try #require(client.mediaToken().json["serializedToken"]?.string)
        client.fixture.clock.advance(.seconds(420))
        #expect(try verify(client.fixture, third)["result"] == "TOKEN_EXPIRED")
    }

    @Test func `§6.10: a token requires a permit for exactly that resource`() throws {
        let client = try V1Client(SandboxFixture())
        expect(client.mediaToken(), basic: 403)
        try client.logIn()
        expect(client.mediaToken(), basic: 403)
        #expect(client.authorize().status == 200)
        expect(client.mediaToken("lumen-movies"), basic: 403)
        #expect(client.mediaToken().status == 200)
        #expect(client.logOut().status == 204)
        expect(client.mediaToken(), basic: 403)
    }

    @Test func `the operator can end permits`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        #expect(client.authorize().status == 200)
        #expect(try client.fixture.control("expire", ["kind": "authorization", "id": "BeaconTV"])["ended"] == 0)
        #expect(try client.fixture.control("expire", ["kind": "authorization"])["ended"] == 1)
        expect(client.get("tokens/authz", Self.resource), basic: 410)
        client.fixture.clock.advance(.seconds(1))
        #expect(client.authorize().json["expires"]?.string == String(TestClock.start + 86_401_000))
    }

    @Test func `OQ-27: a header tells the origin of the permit`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        #expect(client.authorize().header("X-Sandbox-Origin") == nil)
        for (rule, origin) in [("AuthZAll", "authzall"), ("AuthNAll", "authnall")] {
            try client.fixture.control("degradation", ["rule": .string(rule), "provider": "NorthCable"])
            #expect(client.authorize("anything").header("X-Sandbox-Origin") == origin)
            #expect(client.mediaToken("anything").status == 200)
        }
        try client.fixture.control("degradation", ["rule": "AuthZNone", "provider": "NorthCable"])
        #expect(client.authorize().status == 403)
        #expect(client.mediaToken().status == 403)
    }
}
