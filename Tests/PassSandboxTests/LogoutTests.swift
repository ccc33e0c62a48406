// Tests L1: the end of a login, and the instructions for the TV.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md L1, §12.5: logout")
struct LogoutTests {
    private static func entry(_ mvpd: String, _ name: String, _ type: String, url: String? = nil) -> JSONValue {
        [
            "logouts": .object([
                .init(
                    mvpd,
                    .members([
                        "actionName": .string(name), "actionType": .string(type), "mvpd": .string(mvpd),
                        "url": url.map(JSONValue.string),
                    ]))
            ])
        ]
    }

    @Test func `the logout page of a provider is opened in a browser`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        expect(
            client.send(client.get("logout/NorthCable")), 200,
            is: Self.entry(
                "NorthCable", "logout", "interactive",
                url: "/adobe-services/logout?requestor_id=LUMENTV&mso_id=NorthCable"))
    }

    @Test func `the redirect URL is part of the address, encoded once`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        let redirect = Field("redirectUrl", "https://lumentv.example/out?a=b&c=d")
        let answer = client.send(client.get("logout/NorthCable", query: [redirect]))
        let url = try #require(answer.json["logouts"]?["NorthCable"]?["url"]?.string)
        #expect(url.hasPrefix("/adobe-services/logout?requestor_id=LUMENTV&mso_id=NorthCable&"))
        #expect(url.hasSuffix("=https%3A%2F%2Flumentv.example%2Fout%3Fa%3Db%26c%3Dd"))
    }

    @Test func `a logout at a provider without a page is complete at once`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("heidi", mvpd: "AlpenTel")
        expect(client.send(client.get("logout/AlpenTel")), 200, is: Self.entry("AlpenTel", "complete", "none"))
    }

    @Test func `a login from the partner must also end at the partner`() throws {
        let client = try TestClient(SandboxFixture())
        client.addProfile("BeaconTV", user: "omar", source: .partner("Apple"))
        expect(
            client.send(client.get("logout/BeaconTV")), 200,
            is: Self.entry("BeaconTV", "partner_logout", "partner_interactive"))
        #expect(client.send(client.get("profiles", [TestClient.partnerStatus()])).profiles.isEmpty)
    }

    @Test(arguments: ["LumenPreview", "LumenPromo"])
    func `a temporary pass needs no logout`(_ mvpd: String) throws {
        let client = try TestClient(SandboxFixture())
        expect(client.send(client.get("logout/\(mvpd)")), 200, is: Self.entry(mvpd, "complete", "none"))
    }

    @Test func `a degraded login needs no logout`() throws {
        let client = try TestClient(SandboxFixture())
        try client.fixture.control("degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        expect(client.send(client.get("logout/NorthCable")), 200, is: Self.entry("NorthCable", "complete", "none"))
    }

    @Test func `a logout without a login is reported as invalid, but not as an error, and so is a second logout`()
        throws
    {
        let client = try TestClient(SandboxFixture())
        let invalid = Self.entry("NorthCable", "invalid", "none")
        expect(client.send(client.get("logout/NorthCable")), 200, is: invalid)
        try client.logIn()
        #expect(client.send(client.get("logout/NorthCable")).json != invalid)
        expect(client.send(client.get("logout/NorthCable")), 200, is: invalid)
        try client.logIn()
        try client.fixture.control("expire", ["kind": "login"])
        expect(client.send(client.get("logout/NorthCable")), 200, is: invalid)
    }

    @Test func `after a logout no viewer is signed in, and a new login asks the provider again`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil)
        client.fixture.clock.advance(.seconds(60))
        #expect(client.send(client.get("logout/NorthCable")).status == 200)
        for path in ["profiles", "profiles/NorthCable"] {
            expect(client.send(client.get(path)), 200, is: ["profiles": [:]])
        }
        #expect(client.authorize(["lumen-sports-1"]).itemError?["code"] == "authenticated_profile_missing")
        try client.logIn()
        let again = client.authorize(["lumen-sports-1"]).decisions.first
        #expect(again?["notBefore"] == .int(TestClock.start + 60_000))
    }

    @Test func `the logins at other providers, on other devices and for other channels stay`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let neighbour = try TestClient(fixture, device: "box-2")
        try client.logIn()
        try client.logIn("omar", mvpd: "BeaconTV")
        try neighbour.logIn()
        #expect(client.send(client.get("logout/NorthCable")).status == 200)
        #expect(client.send(client.get("profiles")).profiles.map(\.name) == ["BeaconTV"])
        #expect(neighbour.send(neighbour.get("profiles")).profiles.map(\.name) == ["NorthCable"])
    }

    /// Contract: rest-v2.md §12.5.
    @Test func `a shared login ends only by a logout with the header that shares it`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let text = try fixture.control("service-token", ["subscriber": "ada"])["serviceToken"]?.string
        let token = Field("AD-Service-Token", try #require(text))
        func types() -> [String?] {
            client.send(client.get("profiles", [token])).profiles.map { $0.value["type"]?.string }
        }
        try client.logIn("ada", [token])
        #expect(types() == ["regular"])
        #expect(client.send(client.get("logout/NorthCable")).status == 200)
        #expect(client.send(client.get("profiles")).profiles.isEmpty)
        #expect(types() == ["serviceTokenSSO"], "the app seems to be logged in again")
        let answer = client.send(client.get("logout/NorthCable", [token]))
        #expect(answer.json["logouts"]?["NorthCable"]?["actionName"] == "logout")
        #expect(types() == [])
    }

    @Test(arguments: SessionTests.badRedirects)
    func `an unregistered redirect URL is refused, and the login stays`(_ url: String) throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        let answer = client.send(client.get("logout/NorthCable", query: [Field("redirectUrl", url)]))
        expect(answer, refuses: 400, "invalid_parameter_redirect_url")
        #expect(client.send(client.get("profiles")).profiles.count == 1)
    }

    @Test func `the switch strict requires the redirect URL`() throws {
        let client = try TestClient(SandboxFixture())
        let strict = TestClient(client, on: try SandboxFixture { $0.settings.strict = true })
        let world = client.fixture.sandbox.withWorld { world, _ in world.state }
        strict.fixture.sandbox.withWorld { strictWorld, _ in strictWorld.state = world }
        expect(strict.send(strict.get("logout/NorthCable")), refuses: 400, "invalid_parameter_redirect_url")
        let redirect = Field("redirectUrl", "https://lumentv.example/")
        #expect(strict.send(strict.get("logout/NorthCable", query: [redirect])).status == 200)
    }
}
