// Tests the control paths: clock, expiry, revocation, statements, verification, reset, and access to them.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("operations.md §4") struct ControlTests {
    private func control(_ fixture: SandboxFixture, _ path: String, _ body: JSONValue) -> Response {
        fixture.send(.post("/sandbox/" + path, json: body))
    }

    @Test func `the clock can be advanced and set, and all times follow it`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let begin = fixture.clock.now
        #expect(control(fixture, "clock", ["advance": "30m"]).json["now"]?.int == begin + 1_800_000)
        #expect(client.send(client.get("profiles")).status == 200)
        #expect(control(fixture, "clock", ["advance": "330m"]).status == 200)
        #expect(client.send(client.get("profiles")).status == 401)
        #expect(control(fixture, "clock", ["set": .int(begin)]).json["now"]?.int == begin)
        #expect(client.send(client.get("profiles")).status == 200)
        fixture.clock.advance(.seconds(5))
        #expect(fixture.send(.get("/sandbox/clock")).json["now"]?.int == begin + 5000)
    }

    @Test func `a token, a code, a login and a client can be ended`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let other = try TestClient(fixture)
        try client.logIn()
        let code = try #require(other.openSession())
        #expect(control(fixture, "expire", ["kind": "code", "id": .string(code)]).json["ended"] == 1)
        #expect(other.send(other.get("profiles/code/\(code)")).code == "invalid_authentication_session")
        #expect(control(fixture, "expire", ["kind": "login"]).json["ended"] == 1)
        #expect(client.send(client.get("profiles")).profiles.isEmpty)
        #expect(client.authorize(["lumen-sports-1"]).decisions[0]["error"]?["code"] == "authenticated_profile_expired")
        #expect(control(fixture, "expire", ["kind": "token", "id": .string(client.token)]).json["ended"] == 1)
        #expect(client.send(client.get("profiles")).status == 401)
        #expect(other.send(other.get("profiles")).status == 200)
        #expect(control(fixture, "expire", ["kind": "client", "id": .string(other.clientID)]).json["ended"] == 1)
        let refused = other.send(other.get("profiles"))
        #expect(refused.status == 403 && refused.code == "invalid_client")
    }

    @Test func `a login can be revoked instead of expired`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try client.logIn()
        #expect(control(fixture, "expire", ["kind": "login", "reason": "invalidated"]).status == 200)
        #expect(
            client.authorize(["lumen-sports-1"]).decisions[0]["error"]?["code"] == "authenticated_profile_invalidated")
    }

    /// The path, and a body that it must refuse.
    static let badBodies = [
        "expire {}", #"expire {"kind": "all"}"#, #"expire {"kind": "token", "id": 1}"#,
        #"expire {"kind": "token", "reason": "invalidated"}"#, #"expire {"kind": "login", "reason": "x"}"#,
        #"revoke {"app": "nobody"}"#, #"statement {"app": "nobody"}"#, "statement {}", "statement [", "statement 1",
        #"service-token {"subscriber": "nobody"}"#, "verify {}", #"verify {"token": "x", "resource": 1}"#,
        "degradation {}", #"degradation {"name": "nothing", "active": true}"#,
        #"degradation {"name": "north-cable-blackout", "active": 1}"#,
        #"degradation {"rule": "AuthNAll", "provider": "Nobody"}"#,
        #"degradation {"rule": "Everything", "provider": "NorthCable"}"#,
        #"degradation {"rule": "AuthNAll", "provider": "NorthCable", "serviceProvider": "X"}"#,
        #"degradation {"rule": "AuthNAll", "provider": "NorthCable", "duration": "long"}"#, #"reset {"now": true}"#,
        "clock {}", #"clock {"advance": 5}"#, #"clock {"advance": "soon"}"#, #"clock {"set": "now"}"#,
        #"clock {"set": -1}"#, #"clock {"advance": "1s", "set": 1}"#, #"clock {"jump": "1s"}"#,
        #"clock {"set": 99999999999999999}"#,
    ]

    @Test(arguments: badBodies) func `an invalid body is a 400 with the reason, and changes nothing`(
        call: String
    ) throws {
        let parts = call.split(separator: " ", maxSplits: 1).map(String.init)
        let fixture = try SandboxFixture()
        let response = fixture.send(
            Request(method: "POST", path: "/sandbox/" + parts[0], body: Array(parts[1].utf8)))
        #expect(response.status == 400)
        #expect(response.json["message"]?.string?.isEmpty == false)
        #expect(fixture.sandbox.now == fixture.clock.now)
    }

    @Test func `a revoked application is refused everywhere, and can be accepted again`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        #expect(control(fixture, "revoke", ["app": "lumen-tv"]).json["revoked"] == true)
        #expect(client.send(client.get("profiles")).status == 403)
        #expect(control(fixture, "revoke", ["app": "lumen-tv", "revoked": false]).json["revoked"] == false)
        #expect(client.send(client.get("profiles")).status == 200)
    }

    @Test func `a reset forgets everything except the keys, and codes start from the beginning`() throws {
        let fixture = try SandboxFixture()
        let before = fixture.send(.get("/sandbox/certificate")).text
        let first = try TestClient(fixture)
        try first.logIn()
        _ = control(fixture, "clock", ["advance": "1h"])
        #expect(control(fixture, "reset", [:]).status == 200)
        #expect(first.send(first.get("profiles")).status == 401)
        #expect(fixture.sandbox.now == fixture.clock.now)
        #expect(fixture.send(.get("/sandbox/journal")).json["requests"]?.array?.count == 1)
        #expect(fixture.send(.get("/sandbox/certificate")).text == before)
        try #expect(TestClient(fixture).clientID == first.clientID)
    }

    @Test func `without a given seed a reset repeats no code or id`() throws {
        let catalogue = try SandboxFixture.shippedCatalogue()
        let sandbox = try Sandbox(catalogue: catalogue, origin: SandboxFixture.origin, throttled: false)
        let reset = Request.post("/sandbox/reset", json: [:])
        var dealt: Set<String> = []
        for _ in 0..<3 {
            #expect(sandbox.answer(reset).status == 200)
            dealt.insert(sandbox.withWorld { world, _ in world.state.random.code() })
        }
        #expect(dealt.count == 3)
    }

    @Test func `a used media token stays used, after any change of the clock and after a reset`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try client.logIn()
        let token = try #require(client.authorize(["lumen-sports-1"]).decisions.first?["token"]?["serializedToken"])
        func verdict() -> JSONValue? { control(fixture, "verify", ["token": token]).json["result"] }
        #expect(verdict() == "VALID_TOKEN")
        _ = control(fixture, "clock", ["advance": "3d"])
        _ = fixture.send(.get("/"))
        _ = control(fixture, "clock", ["advance": "-3d"])
        #expect(verdict() == "TOKEN_ALREADY_USED")
        _ = control(fixture, "reset", [:])
        #expect(verdict() == "TOKEN_ALREADY_USED")
    }

    @Test func `the certificate is available to every machine, the other control paths only to this one`() throws {
        let fixture = try SandboxFixture()
        var request = Request.get("/sandbox/certificate")
        request.peer = "192.168.1.20"
        let certificate = fixture.send(request)
        #expect(certificate.status == 200 && certificate.text.hasPrefix("-----BEGIN CERTIFICATE-----"))
        for endpoint in controlEndpoints where endpoint.access == .loopback {
            let path = endpoint.path.map { if case .word(let word) = $0 { "/" + word } else { "/x" } }.joined()
            let refused = fixture.send(Request(method: endpoint.method, path: path, peer: "192.168.1.20"))
            #expect(refused.status == 403, "\(endpoint.method) \(path)")
        }
    }

    @Test(arguments: [
        [Field("Host", "evil.example")], [Field("Host", "127.0.0.1.evil.example:80")],
        [Field("Host", "localhost"), Field("Sec-Fetch-Site", "cross-site")],
        [Field("Host", "127.0.0.1:8642"), Field("Origin", "http://evil.example"), Field("Content-Type", "text/plain")],
    ]) func `pages of other sites in a browser on this machine cannot use the control paths`(headers: [Field]) throws {
        let fixture = try SandboxFixture()
        let request = Request(method: "POST", path: "/sandbox/reset", headers: headers, body: Array("{}".utf8))
        #expect(fixture.send(request).status == 403)
    }

    @Test(arguments: ["localhost:8642", "127.0.0.1", "127.9.9.9:1", "[::1]:8642"])
    func `the control paths answer under a loopback name`(host: String) throws {
        try #expect(SandboxFixture().send(.get("/sandbox/clock", [Field("Host", host)])).status == 200)
    }

    @Test func `a programmer's key is shown if the sandbox made it`() throws {
        let fixture = try SandboxFixture()
        let shown = fixture.send(.get("/sandbox/metadata-key", query: [Field("programmer", "LUMEN")]))
        #expect(shown.text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        #expect(fixture.send(.get("/sandbox/metadata-key", query: [Field("programmer", "X")])).status == 400)
        #expect(fixture.send(.get("/sandbox/metadata-key")).status == 400)
    }
}
