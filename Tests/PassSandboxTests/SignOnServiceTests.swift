// Tests the sign-on service and its own form of errors.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §12.4: the sign-on service") struct SignOnServiceTests {
    let fixture: SandboxFixture
    let client: TestClient

    init() throws {
        fixture = try SandboxFixture()
        client = try TestClient(fixture)
    }

    private func call(
        _ method: String, _ path: String, _ headers: [Field] = [], body: JSONValue? = nil, from other: TestClient? = nil
    ) -> Response {
        Request(
            method: method, path: "/api/LUMENTV/" + path, headers: (other ?? client).headers + headers,
            body: body?.bytes ?? []
        ).send(to: fixture)
    }

    private func token(_ user: String = "household-7") throws -> Field {
        let response = call("POST", "serviceToken", [Field("X-SSO-ID", user)])
        return Field("AD-Service-Token", try #require(response.json["serviceToken"]?.string))
    }

    @Test func `a token is issued for a user, and the answer has its lifetime`() throws {
        let response = call("POST", "serviceToken", [Field("X-SSO-ID", "household-7")])
        #expect(response.status == 201)
        #expect(response.json["status"] == "CREATED")
        let now = fixture.clock.now
        #expect(response.json["notBefore"]?.int == now && response.json["notAfter"]?.int == now + 3_600_000)
        let jws = try #require(response.json["serviceToken"]?.string.flatMap(JWS.init))
        #expect(jws.header["alg"] == "RS256" && jws.header["kid"] != nil)
        #expect(jws.claims["sub"] == "household-7" && jws.claims["aud"] == "Adobe" && jws.claims["iss"] != nil)
    }

    @Test func `a valid or recently expired token is renewed, an old token is not`() throws {
        let token = try token()
        #expect(call("GET", "serviceToken", [token]).status == 200)
        fixture.clock.advance(.seconds(2 * 3600))
        #expect(call("GET", "serviceToken", [token]).json["serviceToken"] != nil)
        fixture.clock.advance(.seconds(30 * 3600))
        let late = try TestClient(fixture)
        let refused = call("GET", "serviceToken", [token], from: late)
        #expect(refused.status == 401 && refused.json["error"]?["code"] == "token_expired")
        #expect(refused.json["error"]?["action"] == "get_new_token")
    }

    @Test func `a link code adds a second device to the user, once`() throws {
        let token = try token()
        let link = call("POST", "link", [token])
        #expect(link.status == 201)
        let code = try #require(link.json["code"]?.string)
        #expect(code.count == 6 && code.allSatisfy(\.isNumber))
        let second = try TestClient(fixture, device: "bedroom")
        let linked = call("POST", "serviceToken", [Field("X-SSO-LINK", code)], from: second)
        #expect(linked.status == 201)
        #expect(linked.json["serviceToken"]?.string.flatMap(JWS.init)?.claims["sub"] == "household-7")
        let again = call("POST", "serviceToken", [Field("X-SSO-LINK", code)], from: second)
        #expect(again.status == 401 && again.json["error"]?["code"] == "header_invalid")

        let devices = call("GET", "list", [token]).json["devices"]
        #expect(devices?["box-1"]?["type"] == "regular" && devices?["bedroom"]?["type"] == "sso")
        #expect(devices?["bedroom"]?["model"] == "LTV-200" && devices?["bedroom"]?["deviceType"] == "SetTopBox")
        let unlinked = call("POST", "unlink", [token], body: ["devices": ["bedroom", "attic"]])
        #expect(unlinked.json["unlinkedDevices"] == ["bedroom"])
        #expect(call("GET", "list", [token]).json["devices"]?["bedroom"] == nil)
    }

    @Test func `a link code that is too old is refused`() throws {
        let code = try #require(call("POST", "link", [try token()]).json["code"]?.string)
        fixture.clock.advance(.seconds(15 * 60))
        #expect(call("POST", "serviceToken", [Field("X-SSO-LINK", code)]).status == 401)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let method: String
        let path: String
        var headers: [Field] = []
        var dropped: [String] = []
        var body: String?
        let status: Int
        let code: String
    }

    static let refused: [Refused] = [
        .init(testDescription: "no user", method: "POST", path: "serviceToken", status: 400, code: "header_missing"),
        .init(
            testDescription: "user and link", method: "POST", path: "serviceToken",
            headers: [Field("X-SSO-ID", "a"), Field("X-SSO-LINK", "1")], status: 401, code: "header_invalid"),
        .init(
            testDescription: "no device", method: "POST", path: "serviceToken", headers: [Field("X-SSO-ID", "a")],
            dropped: ["AP-Device-Identifier"], status: 400, code: "header_missing"),
        .init(
            testDescription: "no service token", method: "GET", path: "serviceToken", status: 400,
            code: "header_missing"),
        .init(
            testDescription: "a broken service token", method: "GET", path: "serviceToken",
            headers: [Field("AD-Service-Token", "x.y.z")], status: 400, code: "token_invalid"),
        .init(
            testDescription: "a link without headers", method: "POST", path: "link", status: 400, code: "header_missing"
        ),
        .init(
            testDescription: "a list with a broken token", method: "GET", path: "list",
            headers: [Field("AD-Service-Token", "x")], status: 400, code: "token_invalid"),
    ]

    @Test(arguments: refused) func `a refusal has the form of the service's errors`(refused: Refused) {
        var request = Request(
            method: refused.method, path: "/api/LUMENTV/" + refused.path, headers: client.headers + refused.headers)
        for name in refused.dropped { request = request.without(header: name) }
        let response = fixture.send(request)
        #expect(response.status == refused.status)
        #expect(response.json["status"] == (refused.status == 400 ? "BAD_REQUEST" : "UNAUTHORIZED"))
        #expect(response.json["error"]?["code"]?.string == refused.code)
    }

    @Test(arguments: [
        (nil, "request_null"), ("{}", "request_invalid"), ("[", "request_invalid"),
        (#"{"devices": [1]}"#, "request_invalid"),
    ])
    func `unlink requires a list of devices`(body: String?, code: String) throws {
        let request = Request(
            method: "POST", path: "/api/LUMENTV/unlink", headers: client.headers + [try token()],
            body: Array((body ?? "").utf8))
        #expect(fixture.send(request).json["error"]?["code"]?.string == code)
    }

    @Test func `a token for other channels is not accepted, and neither is a missing token`() throws {
        let news = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24")
        let response = call("POST", "serviceToken", [Field("X-SSO-ID", "a")], from: news)
        #expect(response.status == 401 && response.json["error"]?["code"] == "unauthorized")
        let nobody = fixture.send(Request(method: "GET", path: "/api/LUMENTV/list"))
        #expect(nobody.status == 401 && nobody.json["status"] == "UNAUTHORIZED")
        #expect(nobody.json["error"]?["code"] == "unauthorized")
    }
}

extension Request {
    func send(to fixture: SandboxFixture) -> Response { fixture.send(self) }
}
