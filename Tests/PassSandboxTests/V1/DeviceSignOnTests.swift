// Tests single sign-on over the older interface: by the same device, and by the platform's identity.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §14, OQ-29, OQ-47: sign-on by the device")
struct DeviceSignOnTests {
    @Test func `another requestor's login counts, with its own expiry`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        client.fixture.clock.advance(.seconds(60))
        let kids = V1Client(client, requestor: "LUMENKIDS").get("tokens/authn")
        #expect(kids.status == 200)
        #expect(kids.json["requestor"] == "LUMENKIDS")
        #expect(kids.json["expires"] == client.get("tokens/authn").json["expires"])
    }

    @Test
    func `rest-v1.md §14: a logout ends the login of all requestors that shared it, and no later read restores it`()
        throws
    {
        let client = try V1Client(SandboxFixture())
        let kids = V1Client(client, requestor: "LUMENKIDS")
        try client.logIn()
        #expect(kids.get("checkauthn").status == 200)
        #expect(kids.logOut().status == 204)
        for device in [client, kids, client] { #expect(device.get("tokens/authn").status == 404) }
    }

    @Test func `after a logout only a new login counts`() throws {
        let client = try V1Client(SandboxFixture())
        let kids = V1Client(client, requestor: "LUMENKIDS")
        try client.logIn()
        try kids.logIn()
        #expect(kids.logOut().status == 204)
        #expect(kids.get("tokens/authn").status == 404)
        #expect(client.get("tokens/authn").status == 200)
        client.fixture.clock.advance(.seconds(1))
        try client.logIn()
        #expect(kids.get("tokens/authn").status == 200)
    }

    @Test func `the switch turns sign-on by the device off`() throws {
        let client = try V1Client(SandboxFixture { $0.settings.deviceSignOn = false })
        try client.logIn()
        #expect(V1Client(client, requestor: "LUMENKIDS").get("tokens/authn").status == 404)
    }

    @Test func `a login with an app id is not shared`() throws {
        let client = try V1Client(SandboxFixture())
        var scoped = client
        scoped.appID = "lumen-app"
        try client.logIn()
        #expect(scoped.get("tokens/authn").status == 404)
        var scopedKids = V1Client(client, requestor: "LUMENKIDS")
        scopedKids.appID = "lumen-app"
        try scoped.logIn("kim")
        #expect(scoped.get("tokens/authn").status == 200)
        #expect(scopedKids.get("tokens/authn").status == 404)
        #expect(scoped.logOut().status == 204)
        #expect(client.get("tokens/authn").status == 200)
    }

    @Test func `a login at a provider that requires a login for each requestor is not shared`() throws {
        let client = try V1Client(
            SandboxFixture { catalogue in
                catalogue.app("lumen-legacy") { $0.serviceProviders.append("SUMMITTV") }
            })
        try client.logIn("heidi", mvpd: "AlpenTel")
        #expect(V1Client(client, requestor: "SUMMITTV").get("tokens/authn").status == 404)
    }

    @Test func `a requestor without the provider cannot use the login`() throws {
        let client = try V1Client(
            SandboxFixture { $0.integration("LUMENKIDS", "NorthCable") { $0.isEnabled = false } })
        try client.logIn()
        #expect(V1Client(client, requestor: "LUMENKIDS").get("tokens/authn").status == 404)
    }

    @Test func `a temporary pass is not shared`() throws {
        let client = try V1Client(
            SandboxFixture { catalogue in
                for place in catalogue.providers.indices { catalogue.providers[place].loginPerRequestor = false }
                catalogue.integration("LUMENKIDS", "NorthCable") { $0.provider = "LumenPreview" }
            })
        #expect(client.preview().status == 204)
        #expect(V1Client(client, requestor: "LUMENKIDS").get("tokens/authn").status == 404)
    }

    @Test func `logins of one interface are not visible in the other`() throws {
        let fixture = try SandboxFixture()
        let older = try V1Client(fixture)
        let newer = try TestClient(fixture)
        try older.logIn()
        #expect(newer.send(newer.get("profiles")).profiles.isEmpty)
        #expect(older.logOut().status == 204)
        try newer.logIn()
        #expect(older.get("tokens/authn").status == 404)
        #expect(newer.send(newer.get("profiles")).profiles.count == 1)
    }

    @Test(arguments: ["header", "parameter"])
    func `§2: the platform's identity carries a login to other devices`(_ place: String) throws {
        let fixture = try SandboxFixture()
        let token = DeviceKey().identity("home", at: fixture.clock.now)
        let query = place == "header" ? [] : [Field("ast", token)]
        let extra = place == "header" ? [Field("Adobe-Subject-Token", token)] : []
        let first = try V1Client(fixture)
        let second = try V1Client(fixture, device: "box-2")
        var request = first.codeRequest(query)
        request.headers += extra
        let code = try #require(first.send(request).json["code"]?.string)
        try first.client.completeLogin(code: code, user: "ada")
        #expect(second.get("tokens/authn").status == 404)
        #expect(second.get("tokens/authn", [Field("ast", "no token at all")]).status == 404)
        #expect(second.get("tokens/authn", query, extra).status == 200)
        let newer = try TestClient(fixture)
        #expect(newer.send(newer.get("profiles", [Field("Adobe-Subject-Token", token)])).profiles.isEmpty)
        #expect(first.send(first.request("DELETE", "/api/v1/logout", query, extra)).status == 204)
        #expect(second.get("tokens/authn", query, extra).status == 404)
    }
}
