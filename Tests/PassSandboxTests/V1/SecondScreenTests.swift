// Tests the viewer's part: from the code through the provider's page back to the app's redirect URL.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.4, §8, OQ-50: the second screen")
struct SecondScreenTests {
    private func page(_ client: V1Client) -> PageFixture { PageFixture(sandbox: client.fixture) }

    @Test func `a login through authenticate ends at the redirect URL, with the device logged in`() throws {
        let client = try V1Client(SandboxFixture())
        let answer = client.authenticate(V1Client.authenticate(try client.code()))
        #expect(answer.status == 302)
        let login = LoginInBrowser(page(client), answer)
        #expect(login.page.status == 200)
        let end = login.submit()
        #expect((end.status, end.location) == (303, "https://lumentv.example/done"))
        #expect(client.get("tokens/authn").json["mvpd"] == "NorthCable")
    }

    @Test func `a login through the activation page works too`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        let login = page(client).login(code)
        #expect(login.submit().location.hasPrefix("/activated?login="))
        #expect(client.get("tokens/authn").status == 200)
        #expect(page(client).send(.post("/activate", form: [Field("code", code)])).status == 400)
    }

    @Test func `a box that is logged in may log in again`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let login = page(client).login(try client.code(), "BeaconTV")
        #expect(login.submit("omar", "lighthouse").status == 303)
        #expect(client.get("tokens/authn").json["mvpd"] == "BeaconTV")
    }

    @Test func `a viewer who cancels returns with an error and is not logged in`() throws {
        let client = try V1Client(SandboxFixture())
        let login = LoginInBrowser(
            page(client), client.authenticate(V1Client.authenticate(try client.code())))
        let end = client.send(.get(login.path + "/cancel"))
        #expect((end.status, end.location) == (302, "https://lumentv.example/done?error=access_denied"))
        #expect(client.get("tokens/authn").status == 404)
    }

    @Test(arguments: [
        "https://lumentv.example/done", "https://tv.lumentv.example/x?y=1", "lumentv://back", "adobepass://ios.app",
    ])
    func `the browser may be sent only to registered addresses`(_ url: String) throws {
        let client = try V1Client(SandboxFixture())
        let query = V1Client.authenticate(try client.code()).with("redirect_url", url)
        let login = LoginInBrowser(page(client), client.authenticate(query))
        #expect(login.submit().location == url)
    }

    @Test(
        arguments: [
            Row("no code", ("reg_code", nil)), Row("unknown code", ("reg_code", "NOCODE7")),
            Row("no requestor", ("requestor_id", nil)), Row("unknown requestor", ("requestor_id", "NOBODY")),
            Row("another's code", ("requestor_id", "LUMENKIDS")), Row("no provider", ("mso_id", nil)),
            Row("unknown provider", ("mso_id", "Nobody")), Row("no domain", ("domain_name", nil)),
            Row("foreign domain", ("domain_name", "evil.example")), Row("no URL", ("redirect_url", nil)),
            Row("foreign URL", ("redirect_url", "https://evil.example/")),
            Row("relative URL", ("redirect_url", "/done")), Row("foreign scheme", ("redirect_url", "evil://x")),
        ] as [Row<(String, String?)>])
    func `§6.4: a missing or wrong parameter is a 400`(_ row: Row<(String, String?)>) throws {
        let client = try V1Client(SandboxFixture())
        let query = V1Client.authenticate(try client.code())
        let changed = row.value.1.map { query.with(row.value.0, $0) } ?? query.without(row.value.0)
        let answer = client.send(
            Request(method: "GET", path: "/api/v1/authenticate", query: changed).with(
                header: "Accept", "application/json"))
        expect(answer, basic: 400)
        #expect(client.authenticate(query).status == 302)
    }

    @Test func `§6.4: an unusable code is a 400`() throws {
        let client = try V1Client(SandboxFixture())
        let first = V1Client.authenticate(try client.code())
        let second = V1Client.authenticate(try client.code())
        #expect(client.authenticate(first).status == 400)
        client.fixture.clock.advance(.seconds(1800))
        #expect(client.authenticate(second).status == 400)
    }

    @Test(arguments: ["no_iframe", "noflash"])
    func `§6.4: strict requires the remaining parameters, with the URL last`(_ name: String) throws {
        let client = try V1Client(SandboxFixture())
        let strict = try V1Client.strict()
        let query = V1Client.authenticate(try client.code())
        let strictQuery = V1Client.authenticate(try strict.code())
        #expect(client.authenticate(query.without(name)).status == 302)
        #expect(strict.authenticate(strictQuery.without(name)).status == 400)
        #expect(strict.authenticate(strictQuery.reversed()).status == 400)
        #expect(strict.authenticate(strictQuery).status == 302)
    }

    @Test func `a temporary pass and a rule that admits everyone need no page`() throws {
        let client = try V1Client(SandboxFixture())
        var query = V1Client.authenticate(try client.code(), mvpd: "LumenPreview")
        #expect(client.authenticate(query).location == "https://lumentv.example/done")
        let pass = client.get("tokens/authn")
        #expect(pass.json["mvpd"] == "LumenPreview")
        #expect(pass.header("X-Sandbox-Origin") == "temppass")
        try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        query = V1Client.authenticate(try client.code())
        #expect(client.authenticate(query).location == "https://lumentv.example/done")
        let degraded = client.get("tokens/authn")
        #expect(degraded.json["mvpd"] == "NorthCable")
        #expect(degraded.header("X-Sandbox-Origin") == "authnall")
        #expect(client.authorize().status == 200)
        #expect(client.get("tokens/usermetadata").status == 404)
    }

    @Test func `a home network proves the subscription`() throws {
        let client = try V1Client(SandboxFixture())
        var request = Request(
            method: "GET", path: "/api/v1/authenticate",
            query: V1Client.authenticate(try client.code(), mvpd: "AlpenTel"))
        request.headers = [Field("X-Forwarded-For", "203.0.113.7")]
        #expect(client.send(request).location == "https://lumentv.example/done")
        #expect(client.get("tokens/authn").header("X-Sandbox-Origin") == "hba")
        #expect(client.authorize().status == 403)
    }
}
