// Tests S1: how a login begins, and the six cases without a login.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md S1: create session")
struct SessionTests {
    @Test func `with all three parameters the viewer can sign in at once`() throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(client.post("sessions", form: TestClient.loginForm()))
        let code = try #require(answer.json["code"]?.string)
        let id = try #require(answer.json["sessionId"]?.string)
        #expect((6...7).contains(code.utf8.count))
        #expect(code.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) })
        expect(
            answer, 200,
            is: [
                "actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
                "url": .string("/api/v2/authenticate/LUMENTV/\(code)"), "code": .string(code),
                "sessionId": .string(id), "mvpd": "NorthCable", "serviceProvider": "LUMENTV",
                "notBefore": "1795564800000", "notAfter": "1795566600000",
            ])
    }

    static let incomplete: [Row<(given: [String], missing: [JSONValue])>] = [
        .init("nothing given", ([], ["mvpd", "domainName", "redirectUrl"])),
        .init("the MVPD", (["mvpd"], ["domainName", "redirectUrl"])),
        .init("the domain", (["domainName"], ["mvpd", "redirectUrl"])),
        .init("the redirect URL", (["redirectUrl"], ["mvpd", "domainName"])),
        .init("all but the MVPD", (["domainName", "redirectUrl"], ["mvpd"])),
        .init("all but the domain", (["mvpd", "redirectUrl"], ["domainName"])),
        .init("all but the redirect URL", (["mvpd", "domainName"], ["redirectUrl"])),
    ]

    @Test(arguments: incomplete)
    func `a session with missing parameters must be resumed by another application`(
        _ row: Row<(given: [String], missing: [JSONValue])>
    ) throws {
        let client = try TestClient(SandboxFixture())
        let form = TestClient.loginForm().filter { row.value.given.contains($0.name) }
        let answer = client.send(client.post("sessions", form: form))
        let code = try #require(answer.json["code"]?.string)
        let id = try #require(answer.json["sessionId"]?.string)
        var expected: [JSONObject.Member] = [
            .init("actionName", "resume"), .init("actionType", "direct"), .init("reasonType", "none"),
            .init("url", .string("/api/v2/LUMENTV/sessions/\(code)")),
            .init("missingParameters", .array(row.value.missing)), .init("code", .string(code)),
            .init("sessionId", .string(id)), .init("serviceProvider", "LUMENTV"),
            .init("notBefore", "1795564800000"), .init("notAfter", "1795566600000"),
        ]
        if row.value.given.contains("mvpd") { expected.append(.init("mvpd", "NorthCable")) }
        expect(answer, 200, is: .object(expected))
    }

    private func expectAuthorize(_ answer: Response, _ reason: String, mvpd: String = "NorthCable") throws {
        let id = try #require(answer.json["sessionId"]?.string)
        expect(
            answer, 200,
            is: [
                "actionName": "authorize", "actionType": "direct", "reasonType": .string(reason),
                "url": .string("/api/v2/LUMENTV/decisions/authorize/\(mvpd)"), "sessionId": .string(id),
                "mvpd": .string(mvpd), "serviceProvider": "LUMENTV",
            ])
    }

    @Test(arguments: [TestClient.loginForm(), [Field("mvpd", "NorthCable")], []])
    func `a viewer who is signed in is sent to authorize, without a code`(_ form: [Field]) throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        try expectAuthorize(client.send(client.post("sessions", form: form)), "authenticated")
    }

    @Test func `a login at one MVPD does not count at another`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        #expect(client.send(client.post("sessions", form: TestClient.loginForm("AlpenTel"))).code != nil)
        #expect(
            client.send(client.post("sessions", form: TestClient.loginForm("AlpenTel"))).json["actionName"]
                == "authenticate")
    }

    @Test func `a login of another device, of another client or of another channel does not count here`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try client.logIn()
        let request = client.post("sessions", form: TestClient.loginForm())
        let device = request.with(header: "AP-Device-Identifier", "fingerprint \(base64("box-2".utf8))")
        #expect(fixture.send(device).json["actionName"] == "authenticate")
        let other = try TestClient(fixture)
        #expect(other.send(other.post("sessions", form: TestClient.loginForm())).json["actionName"] == "authenticate")
        let kids = Request.post(
            "/api/v2/LUMENKIDS/sessions", form: [Field("mvpd", "NorthCable")], client.headers)
        #expect(fixture.send(kids).json["actionName"] == "resume")
    }

    @Test func `an expired login does not count`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        try client.fixture.control("expire", ["kind": "login"])
        #expect(
            client.send(client.post("sessions", form: TestClient.loginForm())).json["actionName"] == "authenticate")
    }

    @Test func `a login that a service token shares counts as single sign-on for another app`() throws {
        let fixture = try SandboxFixture()
        let first = try TestClient(fixture)
        let token = try #require(try fixture.control("service-token", ["subscriber": "ada"])["serviceToken"]?.string)
        try first.logIn("ada", [Field("AD-Service-Token", token)])
        let second = try TestClient(fixture, device: "box-2")
        let answer = second.send(
            second.post("sessions", form: TestClient.loginForm(), [Field("AD-Service-Token", token)]))
        try expectAuthorize(answer, "authenticatedSSO")
    }

    @Test(arguments: ["LumenPreview", "LumenPromo"])
    func `a temporary pass needs no login`(_ mvpd: String) throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(client.post("sessions", form: [Field("mvpd", mvpd)]))
        try expectAuthorize(answer, "temporary", mvpd: mvpd)
    }

    @Test func `under the rule AuthNAll no viewer needs a login`() throws {
        let client = try TestClient(SandboxFixture())
        try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        try expectAuthorize(client.send(client.post("sessions", form: [Field("mvpd", "NorthCable")])), "degraded")
        #expect(client.send(client.post("sessions", form: [Field("mvpd", "BeaconTV")])).json["actionName"] == "resume")
    }

    static let refused: [Row<(form: [Field], code: String)>] = [
        .init("an unknown MVPD", ([Field("mvpd", "Nobody")], "invalid_parameter_mvpd")),
        .init("an MVPD in other letters", ([Field("mvpd", "northcable")], "invalid_parameter_mvpd")),
        .init(
            "a domain of another channel", ([Field("domainName", "news24.example")], "invalid_parameter_domain_name")),
        .init("a look-alike domain", ([Field("domainName", "evil-lumentv.example")], "invalid_parameter_domain_name")),
        .init(
            "a registered domain with text after it",
            ([Field("domainName", "lumentv.example.evil")], "invalid_parameter_domain_name")),
        .init(
            "another URL for a domain",
            ([Field("domainName", "http://evil.example/?.lumentv.example")], "invalid_parameter_domain_name")),
    ]

    @Test(arguments: refused)
    func `a wrong parameter is refused, and no session begins`(_ row: Row<(form: [Field], code: String)>) throws {
        let client = try TestClient(SandboxFixture())
        expect(client.send(client.post("sessions", form: row.value.form)), refuses: 400, row.value.code)
        #expect(client.fixture.sandbox.withWorld { world, _ in world.state.sessions.rows.isEmpty })
    }

    @Test func `an MVPD without an integration, or with a disabled one, is refused`() throws {
        let news = try TestClient(SandboxFixture(), app: "news24", serviceProvider: "NEWS24")
        expect(news.send(news.post("sessions", form: [Field("mvpd", "AlpenTel")])), refuses: 400, "invalid_integration")
        let summit = try TestClient(SandboxFixture(), app: "summit", serviceProvider: "SUMMITTV")
        expect(
            summit.send(summit.post("sessions", form: [Field("mvpd", "NorthCable")])), refuses: 400,
            "invalid_integration")
    }

    @Test func `a misconfigured integration is reported as the service's fault`() throws {
        let client = try TestClient(SandboxFixture(), app: "summit", serviceProvider: "SUMMITTV")
        expect(
            client.send(client.post("sessions", form: [Field("mvpd", "BeaconTV")])), refuses: 500,
            "invalid_configuration_platform", action: "configuration")
    }

    @Test(arguments: [
        "lumentv.example", "www.lumentv.example", "a.b.lumentv.example", "LUMENTV.example", "localhost", "127.0.0.1",
    ])
    func `a registered domain and its subdomains are accepted`(_ domain: String) throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(client.post("sessions", form: [Field("domainName", domain)]))
        #expect(answer.json["missingParameters"] == ["mvpd", "redirectUrl"])
    }

    @Test(arguments: [
        "https://lumentv.example/done", "http://lumentv.example:8080/done?a=b#c", "https://www.lumentv.example",
        "https://LUMENTV.example/", "lumentv://signin", "http://localhost/x", "\(SandboxFixture.origin)/done",
    ])
    func `a redirect URL on a registered domain, or with the app's scheme, is accepted`(_ url: String) throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(client.post("sessions", form: [Field("redirectUrl", url)]))
        #expect(answer.json["missingParameters"] == ["mvpd", "domainName"])
    }

    static let badRedirects = [
        "https://evil.example/", "https://evil-lumentv.example/", "https://lumentv.example.evil.example/",
        "https://news24.example/", "https://user@lumentv.example/", "https://lumentv.example@evil.example/",
        "https://lumentv.example:443@evil.example/", "https://evil.example\\@lumentv.example/",
        "https:\\\\lumentv.example/", "https://evil.example%23.lumentv.example/",
        "https://evil.example%2f.lumentv.example/", "https://evil.example%5c.lumentv.example/",
        "javascript:alert(1)", "JavaScript:alert(1)", "javascript://lumentv.example/%0aalert(1)",
        "data:text/html,lumentv.example", "file:///etc/passwd", "ftp://lumentv.example/", "news24://signin",
        "//lumentv.example/", "/done", "lumentv.example", "https:lumentv.example", "https:///lumentv.example",
        "https://lumentv.example/a b", "https://lumentv.example/\u{7}", "https://lumentv.example/\r\nX: y",
        "https://lumentv.example/ü", "https://lumentv.example/" + String(repeating: "x", count: 2048),
    ]

    @Test(arguments: badRedirects)
    func `any other redirect URL is refused`(_ url: String) throws {
        let client = try TestClient(SandboxFixture())
        expect(
            client.send(client.post("sessions", form: [Field("redirectUrl", url)])), refuses: 400,
            "invalid_parameter_redirect_url")
    }

    @Test func `domains registered with the app count as well as the channel's domains`() throws {
        let fixture = try SandboxFixture { $0.app("lumen-tv") { $0.domains = ["login.example"] } }
        let client = try TestClient(fixture)
        let form = [Field("domainName", "login.example"), Field("redirectUrl", "https://login.example/")]
        #expect(client.send(client.post("sessions", form: form)).json["missingParameters"] == ["mvpd"])
    }

    @Test func `unknown and empty form fields are ignored`() throws {
        let client = try TestClient(SandboxFixture())
        let form = [Field("mvpd", ""), Field("domainName", ""), Field("ttl", "60"), Field("x", "y")]
        let answer = client.send(client.post("sessions", form: form))
        #expect(answer.json["missingParameters"] == ["mvpd", "domainName", "redirectUrl"])
    }

    @Test func `a parameter with contradicting values is refused`() throws {
        let client = try TestClient(SandboxFixture())
        let form = [Field("mvpd", "NorthCable"), Field("mvpd", "BeaconTV")]
        #expect(client.send(client.post("sessions", form: form)).status == 400)
    }

    @Test func `a new session of the device replaces the old session everywhere`() throws {
        let client = try TestClient(SandboxFixture())
        let old = try #require(client.openSession(TestClient.loginForm()))
        let new = try #require(client.openSession(TestClient.loginForm()))
        #expect(old != new)
        for path in ["profiles/code/\(old)", "sessions/\(old)"] {
            expect(client.send(client.get(path)), refuses: 400, "invalid_authentication_session")
        }
        expect(
            client.send(client.post("sessions/\(old)", form: [])), refuses: 400, "invalid_authentication_session")
        #expect(client.send(.get("/api/v2/authenticate/LUMENTV/\(old)")).status == 400)
        #expect(client.send(client.get("profiles/code/\(new)")).json == ["profiles": [:]])
    }

    @Test func `a new session does not affect sessions of other devices, clients and channels`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let sameClient = TestClient.loginForm()
        let code = try #require(client.openSession(sameClient))
        let device = client.post("sessions", form: []).with(
            header: "AP-Device-Identifier", "fingerprint \(base64("box-2".utf8))")
        #expect(fixture.send(device).status == 200)
        #expect(try TestClient(fixture).openSession([]) != nil)
        #expect(fixture.send(.post("/api/v2/LUMENKIDS/sessions", form: [], client.headers)).status == 200)
        #expect(client.send(client.get("sessions/\(code)")).status == 200)
    }

    @Test func `the switch sessionLifetime sets the lifetime of a code`() throws {
        let client = try TestClient(SandboxFixture { $0.settings.sessionLifetime = .seconds(60) })
        let answer = client.send(client.post("sessions", form: []))
        #expect(answer.json["notAfter"] == "1795564860000")
    }
}
