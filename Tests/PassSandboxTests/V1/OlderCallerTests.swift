// Tests the requirements of calls: tokens, scopes, and every parameter that the contract requires.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §2, §5, §11, OQ-62: callers of the older interface")
struct OlderCallerTests {
    struct DeviceCall: Sendable {
        var method = "GET"
        var path: String
        var query: [Field] = []
    }

    static let resource = [Field("resource", "lumen-sports-1")]

    /// All device-side calls that name requestor and device in the query.
    static let calls: [Row<DeviceCall>] = [
        Row("checkauthn", DeviceCall(path: "/api/v1/checkauthn")),
        Row("tokens/authn", DeviceCall(path: "/api/v1/tokens/authn")),
        Row("authorize", DeviceCall(path: "/api/v1/authorize", query: resource)),
        Row("tokens/authz", DeviceCall(path: "/api/v1/tokens/authz", query: resource)),
        Row("tokens/media", DeviceCall(path: "/api/v1/tokens/media", query: resource)),
        Row("mediatoken", DeviceCall(path: "/api/v1/mediatoken", query: resource)),
        Row("preauthorize", DeviceCall(path: "/api/v1/preauthorize", query: resource)),
        Row("usermetadata", DeviceCall(path: "/api/v1/tokens/usermetadata")),
        Row("logout", DeviceCall(method: "DELETE", path: "/api/v1/logout")),
    ]

    private func request(_ client: V1Client, _ call: DeviceCall) -> Request {
        client.request(call.method, call.path, call.query)
    }

    @Test(arguments: calls) func `every mandatory parameter is required and checked`(
        _ row: Row<DeviceCall>
    ) throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let whole = request(client, row.value)
        for name in ["requestor", "deviceId"] + row.value.query.map(\.name) {
            var request = whole
            request.query = request.query.without(name)
            let answer = client.send(request)
            #expect(answer.status == 400)
            #expect(answer.json["message"]?.string == "Required '\(name)' is not present")
            request.query.append(Field(name, ""))
            #expect(client.send(request).status == (row.name == "preauthorize" && name == "resource" ? 412 : 400))
        }
        let wrong = [
            ("requestor", "NOBODY"), ("deviceId", "a\u{7F}"), ("deviceId", String(repeating: "x", count: 1025)),
        ]
        for (name, value) in wrong {
            var request = whole
            request.query = request.query.with(name, value)
            #expect(client.send(request).status == 400, "\(name)")
        }
        for info in ["!!!", base64("{}".utf8), base64(#"{"model":"m"}"#.utf8), "%zz"] {
            let request = whole.without(header: "X-Device-Info").with(header: "X-Device-Info", info)
            #expect(client.send(request).status == 400, "\(info)")
        }
        #expect(client.get("checkauthn").status == 200, "no refused call has logged out")
    }

    @Test(arguments: calls) func `the token is checked before the parameters`(_ row: Row<DeviceCall>) throws {
        let client = try V1Client(SandboxFixture())
        var request = request(client, row.value)
        request.query = []
        for header in [nil, "Bearer nonsense", "Basic x"] {
            var request = request.without(header: "Authorization")
            if let header { request = request.with(header: "Authorization", header) }
            let answer = client.send(request)
            #expect((answer.status, answer.json["error"]) == (401, "access_denied"))
        }
        let newer = try TestClient(client.fixture)
        let foreign = self.request(client, row.value).with(header: "Authorization", "Bearer \(newer.token)")
        #expect(client.send(foreign).status == 401)
        try client.fixture.control("revoke", ["app": "lumen-legacy"])
        let revoked = client.send(request)
        #expect((revoked.status, revoked.json["error"]) == (403, "invalid_client"))
    }

    @Test func `§2: the token may be in the query`() throws {
        let client = try V1Client(SandboxFixture())
        let request = client.request("GET", "/api/v1/config/LUMENTV", [Field("access_token", client.client.token)])
        #expect(client.send(request.without(header: "Authorization")).status == 200)
        let newer = Request.get("/api/v2/LUMENTV/configuration", query: [Field("access_token", client.client.token)])
        #expect(client.send(newer).status == 401)
    }

    @Test func `§5.1: strict refuses values outside the closed sets`() throws {
        let info = base64(
            #"{"model":"m","version":"1","osName":"TempleOS","osVersion":"1","connectionType":"LAN"}"#.utf8)
        for (strict, status) in [(false, 403), (true, 400)] {
            let client = try strict ? V1Client.strict() : V1Client(SandboxFixture())
            let request = client.request("GET", "/api/v1/checkauthn").with(header: "X-Device-Info", info)
            #expect(client.send(request).status == status)
        }
    }

    @Test func `§11: the throttle matches each row of the published timeline, with HTML answers`() throws {
        let fixture = try SandboxFixture(throttled: true)
        let begin = fixture.clock.now
        for row in ThrottleTests.timeline {
            fixture.clock.advance(.milliseconds(begin + row.at - fixture.clock.now))
            let answer = fixture.send(.get("/api/v1/tokens/authn", [Field("Accept", "application/json")]))
            #expect(answer.status == (row.passes ? 401 : 429), "at \(row.at) ms")
            if !row.passes {
                #expect(answer.header("Content-Type")?.hasPrefix("text/html") == true)
                #expect(answer.text.contains("<html"))
            }
        }
    }

    @Test(arguments: [
        ("/reggie/v1/LUMENTV/regcode", true), ("/reggie/v1/LUMENTV/regcode.json", true),
        ("/reggie/v1/LUMENTV/regcode/ABC", true), ("/api/v1/config/LUMENTV", true),
        ("/adobe-services/config/LUMENTV", true), ("/adobe-services/logout", false),
        ("/api/v1/checkauthn", true), ("/api/v1/checkauthn/ABC", true), ("/api/v1/tokens/authn", true),
        ("/api/v1/tokens/authz", true), ("/api/v1/tokens/media", true), ("/api/v1/tokens/usermetadata", true),
        ("/api/v1/mediatoken", true), ("/api/v1/authorize", true), ("/api/v1/preauthorize", true),
        ("/api/v1/preauthorize/ABC", true), ("/api/v1/logout", true), ("/api/v1/identities", true),
        ("/api/v1/authenticate/freepreview", true), ("/api/v1/authenticate", false),
        ("/api/v1/LUMENTV/profile-requests/BeaconTV", true), ("/reset-tempass/v3/reset", false),
    ])
    func `§11: the listed paths are counted`(path: String, isCovered: Bool) {
        #expect(Throttle.covers(path, strict: false) == isCovered)
    }
}
