// Tests S2: the second application supplies the parameters that the TV has left open.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md S2: resume session")
struct ResumeTests {
    @Test func `the missing parameters complete the session, with the same code and the same times`() throws {
        let client = try TestClient(SandboxFixture())
        let first = client.send(client.post("sessions", form: [])).json
        let code = try #require(first["code"]?.string)
        client.fixture.clock.advance(.seconds(60))
        expect(
            client.send(client.post("sessions/\(code)", form: TestClient.loginForm())), 200,
            is: [
                "actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
                "url": .string("/api/v2/authenticate/LUMENTV/\(code)"), "code": .string(code),
                "sessionId": first["sessionId"] ?? .null, "mvpd": "NorthCable", "serviceProvider": "LUMENTV",
                "notBefore": "1795564800000", "notAfter": "1795566600000",
            ])
    }

    @Test func `parameters that are still missing are requested again, and the given parameters are kept`() throws {
        let client = try TestClient(SandboxFixture())
        let first = client.send(client.post("sessions", form: [])).json
        let code = try #require(first["code"]?.string)
        let form = TestClient.loginForm()
        func resume(_ field: Field) -> Response { client.send(client.post("sessions/\(code)", form: [field])) }
        expect(
            resume(form[1]), 200,
            is: [
                "actionName": "retry", "actionType": "direct", "reasonType": "none",
                "url": .string("/api/v2/LUMENTV/sessions/\(code)"), "missingParameters": ["mvpd", "redirectUrl"],
                "code": .string(code), "sessionId": first["sessionId"] ?? .null, "serviceProvider": "LUMENTV",
                "notBefore": "1795564800000", "notAfter": "1795566600000",
            ])
        let second = resume(form[2])
        #expect(second.json["actionName"] == "retry")
        #expect(second.json["missingParameters"] == ["mvpd"])
        let third = resume(form[0])
        #expect(third.json["actionName"] == "authenticate")
        #expect(third.json["mvpd"] == "NorthCable")
    }

    @Test func `the second application may change its choice`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([Field("mvpd", "NorthCable")]))
        let answer = client.send(client.post("sessions/\(code)", form: [Field("mvpd", "BeaconTV")]))
        #expect(answer.json["actionName"] == "retry")
        #expect(answer.json["mvpd"] == "BeaconTV")
    }

    @Test func `the login site's own registration can resume a session of the television's`() throws {
        let fixture = try SandboxFixture()
        let television = try TestClient(fixture)
        let code = try #require(television.openSession([]))
        let site = try TestClient(fixture, device: "phone")
        let request = site.post("sessions/\(code)", form: TestClient.loginForm())
            .without(header: "AP-Device-Identifier").without(header: "X-Device-Info")
        #expect(fixture.send(request).json["actionName"] == "authenticate")
        try television.completeLogin(code: code, user: "ada")
        #expect(television.send(television.get("profiles")).profiles.map(\.name) == ["NorthCable"])
        #expect(site.send(site.get("profiles")).profiles.isEmpty)
    }

    private func expectAuthorize(_ answer: Response, _ reason: String, mvpd: String) throws {
        let id = try #require(answer.json["sessionId"]?.string)
        expect(
            answer, 200,
            is: [
                "actionName": "authorize", "actionType": "direct", "reasonType": .string(reason),
                "url": .string("/api/v2/LUMENTV/decisions/authorize/\(mvpd)"), "sessionId": .string(id),
                "mvpd": .string(mvpd), "serviceProvider": "LUMENTV",
            ])
    }

    @Test
    func `a temporary pass that is chosen on the second screen needs no login, and the first screen sees the pass`()
        throws
    {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        let answer = client.send(client.post("sessions/\(code)", form: [Field("mvpd", "LumenPreview")]))
        try expectAuthorize(answer, "temporary", mvpd: "LumenPreview")
        #expect(client.send(client.get("profiles/code/\(code)")).profile("LumenPreview")?["type"] == "temporary")
    }

    @Test func `a provider under AuthNAll that is chosen on the second screen needs no login`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        let answer = client.send(client.post("sessions/\(code)", form: [Field("mvpd", "NorthCable")]))
        try expectAuthorize(answer, "degraded", mvpd: "NorthCable")
        #expect(client.send(client.get("profiles/code/\(code)")).profile("NorthCable")?["type"] == "degraded")
    }

    @Test func `S2 does not use a shared login, because it has no reason for single sign-on`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let token = try #require(try fixture.control("service-token", ["subscriber": "ada"])["serviceToken"]?.string)
        let sso = [Field("AD-Service-Token", token)]
        try client.logIn("ada", sso)
        let other = try TestClient(fixture, device: "box-2")
        let code = try #require(other.openSession([]))
        let answer = other.send(other.post("sessions/\(code)", form: TestClient.loginForm(), sso))
        #expect(answer.json["actionName"] == "authenticate")
        #expect(answer.json["reasonType"] == "none")
    }

    static let badCodes: [Row<(code: String, error: String)>] = [
        .init("an unknown code", ("ZZZZZZZ", "invalid_authentication_session")),
        .init("an empty code", ("", "invalid_parameter_code")),
        .init("a code with a blank", ("AB CDEF", "invalid_parameter_code")),
        .init("a code with markup", ("<script>", "invalid_parameter_code")),
        .init("a code of one letter", ("A", "invalid_parameter_code")),
        .init("a code far too long", (String(repeating: "A", count: 200), "invalid_parameter_code")),
    ]

    @Test(arguments: badCodes)
    func `S2, S3 and P3 refuse an unknown code`(_ row: Row<(code: String, error: String)>) throws {
        let client = try TestClient(SandboxFixture())
        let (code, error) = row.value
        expect(client.send(client.post("sessions/\(code)", form: [])), refuses: 400, error)
        expect(client.send(client.get("sessions/\(code)")), refuses: 400, error)
        expect(client.send(client.get("profiles/code/\(code)")), refuses: 400, error)
    }

    @Test func `S2, S3 and P3 refuse an expired code, to the millisecond`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        let requests = [
            client.post("sessions/\(code)", form: []), client.get("sessions/\(code)"),
            client.get("profiles/code/\(code)"),
        ]
        client.fixture.clock.advance(.milliseconds(1_799_999))
        for request in requests { #expect(client.send(request).status == 200) }
        client.fixture.clock.advance(.milliseconds(1))
        for request in requests { expect(client.send(request), refuses: 400, "invalid_authentication_session") }
    }

    @Test func `S2 and S3 refuse a used code, and P3 shows its result`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        try client.completeLogin(code: code, user: "ada")
        expect(
            client.send(client.post("sessions/\(code)", form: [])), refuses: 400, "invalid_authentication_session")
        expect(client.send(client.get("sessions/\(code)")), refuses: 400, "invalid_authentication_session")
        #expect(client.send(client.get("profiles/code/\(code)")).profiles.map(\.name) == ["NorthCable"])
    }

    @Test func `a code of another channel is not known`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        for path in ["sessions/\(code)", "profiles/code/\(code)"] {
            let answer = client.send(.get("/api/v2/LUMENKIDS/\(path)", client.headers))
            expect(answer, refuses: 400, "invalid_authentication_session")
        }
        let answer = client.send(.post("/api/v2/LUMENKIDS/sessions/\(code)", form: [], client.headers))
        expect(answer, refuses: 400, "invalid_authentication_session")
    }

    @Test(arguments: SessionTests.refused)
    func `a wrong parameter is refused and changes nothing`(_ row: Row<(form: [Field], code: String)>) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        expect(client.send(client.post("sessions/\(code)", form: row.value.form)), refuses: 400, row.value.code)
        #expect(
            client.send(client.get("sessions/\(code)")).json["missingParameters"]
                == ["mvpd", "domainName", "redirectUrl"])
    }

    @Test(arguments: SessionTests.badRedirects)
    func `an unregistered redirect URL is refused`(_ url: String) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        expect(
            client.send(client.post("sessions/\(code)", form: [Field("redirectUrl", url)])), refuses: 400,
            "invalid_parameter_redirect_url")
    }

    @Test func `an integration that is disabled or misconfigured is refused`() throws {
        let client = try TestClient(SandboxFixture(), app: "summit", serviceProvider: "SUMMITTV")
        let code = try #require(client.openSession([]))
        expect(
            client.send(client.post("sessions/\(code)", form: [Field("mvpd", "NorthCable")])), refuses: 400,
            "invalid_integration")
        expect(
            client.send(client.post("sessions/\(code)", form: [Field("mvpd", "BeaconTV")])), refuses: 500,
            "invalid_configuration_platform", action: "configuration")
    }
}
