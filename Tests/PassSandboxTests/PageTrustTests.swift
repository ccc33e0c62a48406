// Tests that other sites, other registrations and a moving clock cannot affect the pages.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md S2, S4, §19.12: trust of the pages") struct PageTrustTests {
    /// A fixture with a login site that has a registration and a domain of its own.
    private func webFixture() throws -> SandboxFixture {
        try SandboxFixture { catalogue in
            catalogue.apps.append(
                App(
                    id: "lumen-web", name: "Lumen login site", version: "1", serviceProviders: ["LUMENTV"],
                    domains: ["login.web.example"], schemes: [], scopes: [Call.scope], isRevoked: false))
        }
    }

    @Test func `the second screen's own registration decides where its browser may end`() throws {
        let fixture = try webFixture()
        let box = try TestClient(fixture)
        let web = try TestClient(fixture, app: "lumen-web")
        let code = try #require(box.openSession([]))
        let form = [
            Field("mvpd", "NorthCable"), Field("domainName", "login.web.example"),
            Field("redirectUrl", "https://login.web.example/done"),
        ]
        #expect(web.send(web.post("sessions/\(code)", form: form)).json["actionName"] == "authenticate")
        let begun = fixture.send(.get("/api/v2/authenticate/LUMENTV/\(code)"))
        let login = try #require(begun.header("Location"))
        let page = fixture.send(.get(login))
        #expect(
            page.header("Content-Security-Policy")?.contains("form-action 'self' https://login.web.example") == true)
        let token = try #require(page.text.split(separator: "name=\"csrf\" value=\"").last?.prefix { $0 != "\"" })
        let answer = [Field("csrf", String(token)), Field("user", "ada"), Field("password", "lovelace")]
        let end = fixture.send(.post(login, form: answer))
        #expect(end.header("Location") == "https://login.web.example/done")
        // The URL is not registered for the TV's own app, which may not send browsers there.
        let refused = box.send(box.post("sessions", form: form))
        #expect(refused.code == "invalid_parameter_domain_name" || refused.code == "invalid_parameter_redirect_url")
    }

    @Test(arguments: [
        [Field("Sec-Fetch-Site", "cross-site")],
        [Field("Origin", "https://evil.example"), Field("Host", "127.0.0.1:8642")],
        [Field("Origin", "null"), Field("Host", "127.0.0.1:8642")],
    ]) func `another site's form leads only to the question`(headers: [Field]) throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let code = try #require(client.openSession([Field("mvpd", "AlpenTel")]))
        let home = Field("X-Forwarded-For", "203.0.113.7")
        let shown = fixture.send(.post("/activate", form: [Field("code", code)], headers + [home]))
        #expect(shown.status == 200 && shown.text.contains("Sign in on your TV?"))
        #expect(client.send(client.get("profiles/code/\(code)")).profiles.isEmpty)
        // The sandbox's own page still works.
        let own = [Field("Origin", "http://127.0.0.1:8642"), Field("Host", "127.0.0.1:8642"), home]
        #expect(fixture.send(.post("/activate", form: [Field("code", code)], own)).status == 302)
        #expect(client.send(client.get("profiles/code/\(code)")).profiles.first?.name == "AlpenTel")
    }

    @Test func `the phone cannot change the provider that the TV has chosen`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let code = try #require(client.openSession([Field("mvpd", "NorthCable")]))
        let form = [Field("code", code), Field("mvpd", "BeaconTV")]
        let answer = fixture.send(.post("/activate", form: form))
        let page = fixture.send(.get(try #require(answer.header("Location"))))
        #expect(page.text.contains("Sign in with North Cable") && !page.text.contains("Use another TV provider"))
        let choice = fixture.send(.get("/activate", query: [Field("code", code), Field("choose", "provider")]))
        #expect(!choice.text.contains("Who is your TV provider?"))
        let session = client.send(client.get("sessions/\(code)"))
        #expect(session.json["existingParameters"]?["mvpd"] == "NorthCable")
    }

    @Test func `after the clock is set back, viewers do not have to wait`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        for _ in 0..<10 { _ = fixture.send(.get("/activate", query: [Field("code", "ZZZZZZZ")])) }
        #expect(fixture.send(.get("/activate", query: [Field("code", "ZZZZZZZ")])).status == 429)
        _ = fixture.send(.post("/sandbox/clock", json: ["advance": "-1d"]))
        let later = try TestClient(fixture)
        let code = try #require(later.openSession([]))
        #expect(fixture.send(.get("/activate", query: [Field("code", code)])).status == 200)
        _ = client
    }

    @Test func `signing out of a provider does not affect the browser's other cookies`() throws {
        let response = try SandboxFixture().send(
            .get("/adobe-services/logout", query: [Field("requestor_id", "LUMENTV"), Field("mso_id", "NorthCable")]))
        #expect(response.status == 200 && response.header("Clear-Site-Data") == nil)
    }
}
