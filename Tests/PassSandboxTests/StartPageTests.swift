// Tests the buttons of the start page: what they do, and that no other page and no other machine can press them.

import PassJSON
import Testing

@testable import PassSandbox

@Suite struct StartPageTests {
    private static let host = Field("Host", "127.0.0.1:8642")
    private static let origin = Field("Origin", "http://127.0.0.1:8642")

    private func token(_ fixture: PageFixture) throws -> String {
        try #require(fixture.send(.get("/", [Self.host])).text.between("name=\"token\" value=\"", "\""))
    }

    private func press(
        _ fixture: PageFixture, _ command: String, token: String, _ headers: [Field] = [host, origin],
        peer: String = "127.0.0.1"
    ) -> Response {
        var request = Request.post("/press", form: [Field("token", token), Field("press", command)], headers)
        request.peer = peer
        return fixture.send(request)
    }

    /// The commands of all buttons.
    private func commands(_ fixture: PageFixture) -> [String] {
        fixture.send(.get("/", [Self.host])).text.pieces("name=\"press\" value=\"", "\"").map {
            $0.replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
    }

    @Test func `every button leads back to the page, which shows the answer`() throws {
        let fixture = try PageFixture()
        let token = try token(fixture)
        _ = fixture.code()
        let commands = commands(fixture)
        for part in ["expire", "clock", "faults", "degradation", "integration", "revoke", "reset"] {
            #expect(commands.contains { $0.hasPrefix("POST \(part) ") }, "\(part)")
        }
        // The last one of the page's controls resets the rest.
        for command in commands.filter({ $0 != "POST reset {}" }) + ["POST reset {}"] {
            let answer = press(fixture, command, token: token)
            #expect(answer.status == 303 && answer.header("Location") == "/", "\(command)")
            let last = fixture.send(.get("/", [Self.host])).text.between("data-live=\"last\"><pre>", "</pre>")
            #expect(last?.hasSuffix("}") == true && last?.contains("\n200 {") == true, "\(command): \(last ?? "")")
        }
    }

    @Test func `a pressed button has the effect of its control`() throws {
        let fixture = try PageFixture()
        let token = try token(fixture)
        let code = fixture.code()
        #expect(fixture.send(.get("/")).text.contains("/activate?code=\(code)\""))
        #expect(press(fixture, "POST expire {\"kind\":\"code\",\"id\":\"\(code)\"}", token: token).status == 303)
        #expect(!fixture.send(.get("/")).text.contains("/activate?code=\(code)\""))
        let before = fixture.send(.get("/sandbox/clock")).json["now"]?.int ?? 0
        _ = press(fixture, "POST clock {\"advance\":\"1d\"}", token: token)
        #expect(fixture.send(.get("/sandbox/clock")).json["now"]?.int == before + 86_400_000)
        _ = press(fixture, "POST faults {\"faults\":[{\"match\":\"* /**\",\"status\":503}]}", token: token)
        #expect(fixture.send(.get("/activate")).status == 503)
        #expect(fixture.send(.get("/")).status == 200, "faults do not apply to the page that ends them")
        _ = press(fixture, "DELETE faults", token: token)
        #expect(fixture.send(.get("/activate")).status == 200)
        // The page itself is not among the requests of clients.
        let paths = fixture.send(.get("/sandbox/journal")).json["requests"]?.array?.map { $0["path"] }
        #expect(
            paths?.contains("/activate") == true && paths?.contains("/") == false && paths?.contains("/press") == false)
    }

    @Test(arguments: [
        ("a foreign origin", [host, Field("Origin", "http://evil.example")]),
        ("another port of this machine", [host, Field("Origin", "http://127.0.0.1:5173")]),
        ("an origin like ours", [host, Field("Origin", "http://127.0.0.1:8642.evil.example")]),
        ("no origin", [host]), ("the origin null", [host, Field("Origin", "null")]),
        ("no host", [origin]),
        ("a rebound name", [Field("Host", "evil.example"), Field("Origin", "http://evil.example")]),
        ("a page of another site", [host, origin, Field("Sec-Fetch-Site", "cross-site")]),
        ("a page of another port", [host, origin, Field("Sec-Fetch-Site", "same-site")]),
    ])
    func `another page cannot press, even with the secret`(name: String, headers: [Field]) throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        #expect(press(fixture, "POST reset {}", token: try token(fixture), headers).status == 403, "\(name)")
        #expect(fixture.send(.get("/")).text.contains(code))
    }

    @Test func `a form needs the secret of this server`() throws {
        let (fixture, other) = (try PageFixture(), try PageFixture())
        let code = fixture.code()
        for token in ["", "x", try token(other), try token(fixture).uppercased(), try token(fixture) + "x"] {
            #expect(press(fixture, "POST reset {}", token: token).status == 403)
        }
        #expect(
            fixture.send(.post("/press", form: [Field("press", "POST reset {}")], [Self.host, Self.origin])).status
                == 403)
        #expect(fixture.send(.get("/")).text.contains(code))
    }

    @Test func `another machine gets neither buttons nor the secret, and cannot press`() throws {
        let fixture = try PageFixture()
        let secret = try token(fixture)
        var request = Request.get("/", [Field("Host", "192.168.1.5:8642")])
        for peer in ["192.168.1.20", "127.0.0.1"] {
            request.peer = peer
            let page = fixture.send(request)
            #expect(page.status == 200 && page.text.contains("lovelace"))
            #expect(!page.text.contains(secret) && !page.text.contains("name=\"press\""))
        }
        #expect(press(fixture, "POST reset {}", token: secret, peer: "192.168.1.20").status == 403)
    }

    @Test func `an address cannot press`() throws {
        let fixture = try PageFixture()
        let query = [Field("token", try token(fixture)), Field("press", "POST reset {}")]
        #expect(fixture.send(.get("/press", query: query, [Self.host, Self.origin])).status == 405)
    }

    @Test(arguments: [
        "", "POST", "reset", "GET clock", "POST nothing {}", "POST ../reset {}", "PUT reset {}",
        "POST sandbox/reset {}",
    ]) func `a press that names no control is refused`(command: String) throws {
        let fixture = try PageFixture()
        #expect(press(fixture, command, token: try token(fixture)).status == 400)
    }

    @Test(arguments: ["POST expire {}", "POST reset {\"x\":1}", "POST clock nonsense", "POST clock"])
    func `a refused control changes nothing, and the page shows the reason`(command: String) throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        #expect(press(fixture, command, token: try token(fixture)).status == 303)
        let page = fixture.send(.get("/")).text
        #expect(page.contains("\n400 {") && page.contains(code))
    }

    @Test func `an integration lapses until it is renewed or everything is reset`() throws {
        let fixture = try PageFixture()
        let integration: JSONValue = ["serviceProvider": "LUMENTV", "provider": "NorthCable"]
        func offers() -> Bool {
            fixture.send(.get("/activate", query: [Field("code", fixture.code()), Field("choose", "provider")])).text
                .contains("NorthCable")
        }
        #expect(offers())
        let control = Request.post("/sandbox/integration", json: integration)
        #expect(fixture.send(control).json["enabled"] == false && !offers())
        #expect(fixture.send(control).status == 200 && !offers(), "the second time, nothing changes")
        let renewal: JSONValue = ["serviceProvider": "LUMENTV", "provider": "NorthCable", "enabled": true]
        #expect(fixture.send(.post("/sandbox/integration", json: renewal)).json["enabled"] == true && offers())
        #expect(fixture.send(control).status == 200 && !offers())
        #expect(fixture.send(.post("/sandbox/reset", json: [:])).status == 200)
        fixture.sandbox.sandbox.withWorld { world, _ in #expect(world.changedIntegrations.isEmpty) }
        for bad: JSONValue in [[:], ["serviceProvider": "LUMENTV", "provider": "Nobody"]] {
            #expect(fixture.send(.post("/sandbox/integration", json: bad)).status == 400)
        }
    }
}
