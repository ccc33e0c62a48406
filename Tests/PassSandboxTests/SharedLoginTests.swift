// Tests single sign-on by the platform's and the user's identity: where a login counts, and what a logout ends.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §12.1, §12.2, §12.5") struct SharedLoginTests {
    let fixture: SandboxFixture
    let lumen: TestClient
    let news: TestClient
    let key = DeviceKey()

    init() throws {
        fixture = try SandboxFixture()
        lumen = try TestClient(fixture)
        news = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24", device: "another-namespace")
    }

    private var platform: [Field] { [Field("Adobe-Subject-Token", key.identity("tv", at: fixture.clock.now))] }

    private func types(_ client: TestClient, _ headers: [Field]) -> [String: String] {
        var found: [String: String] = [:]
        for profile in client.send(client.get("profiles", headers)).profiles {
            found[profile.name] = profile.value["type"]?.string
        }
        return found
    }

    @Test func `a login of one app is a platform login of another app`() throws {
        try lumen.logIn("ada", platform)
        #expect(types(lumen, platform) == ["NorthCable": "regular"])
        #expect(types(news, platform) == ["NorthCable": "platformSSO"])
        #expect(types(news, []).isEmpty)
        let profile = news.send(news.get("profiles/NorthCable", platform)).profiles.first?.value
        #expect(profile?["issuer"] == "NorthCable")
        #expect(profile?["notAfter"] == lumen.send(lumen.get("profiles")).profiles.first?.value["notAfter"])
        let session = news.send(news.post("sessions", form: [Field("mvpd", "NorthCable")], platform)).json
        #expect(session["actionName"] == "authorize" && session["reasonType"] == "authenticatedSSO")
        #expect(session["code"] == nil)
        #expect(news.authorize(["news24-live"], platform).decisions.first?["authorized"] == true)
        #expect(news.preauthorize(["news24-live"], platform).decisions.first?["authorized"] == true)
        let refused = news.authorize(["news24-live"]).decisions.first?["error"]?["code"]
        #expect(refused == "authenticated_profile_missing")
    }

    @Test func `the Roku header carries the platform's identity as well`() throws {
        try lumen.logIn("ada", platform)
        let token = key.identity("tv", at: fixture.clock.now)
        #expect(types(news, [Field("X-Roku-Reserved-Roku-Connect-Token", token)]) == ["NorthCable": "platformSSO"])
    }

    @Test func `a login that began without the identity is not shared`() throws {
        try lumen.logIn("ada")
        #expect(types(news, platform).isEmpty)
    }

    @Test func `a login at a provider that requires a login for each requestor is not shared`() throws {
        let summit = try TestClient(fixture, app: "summit", serviceProvider: "SUMMITTV")
        try lumen.logIn("heidi", mvpd: "AlpenTel", platform)
        #expect(types(lumen, platform) == ["AlpenTel": "regular"])
        #expect(types(summit, platform).isEmpty)
    }

    @Test func `a service provider without an integration with the provider sees no login`() throws {
        let summit = try TestClient(fixture, app: "summit", serviceProvider: "SUMMITTV")
        try lumen.logIn("ada", platform)
        #expect(types(summit, platform).isEmpty)
    }

    @Test func `a token that is missing, foreign, expired, altered or from another box means no sign-on, but no error`()
        throws
    {
        try lumen.logIn("ada", platform)
        let now = fixture.clock.now
        let good = key.identity("tv", at: now)
        let stranger = DeviceKey()
        let forged = stranger.token(
            header: [.init("jwk", key.jwk)], claims: ["sub": "tv", "exp": .int(now / 1000 + 60)])
        for (name, token) in [
            ("empty", ""), ("rubbish", "a.b.c"), ("no parts", "abc"), ("cut", String(good.dropLast(4))),
            ("expired", key.identity("tv", at: now - 7_200_000)), ("another box", stranger.identity("tv", at: now)),
            ("another subject", key.identity("radio", at: now)), ("forged", forged),
            ("no end", key.token(header: [.init("jwk", key.jwk)], claims: ["sub": "tv"])),
            ("no key", key.token(header: [], claims: ["sub": "tv", "exp": .int(now / 1000 + 60)])),
        ] {
            let response = news.send(news.get("profiles", [Field("Adobe-Subject-Token", token)]))
            #expect(response.status == 200 && response.profiles.isEmpty, "\(name)")
        }
    }

    @Test func `without trust on first use, only the catalogue's keys are trusted, by name`() throws {
        let key = DeviceKey()
        let fixture = try SandboxFixture { catalogue in
            catalogue.settings.trustFirstUse = false
            catalogue.platformKeys["box-key"] = PublicKey(pem: key.pem)
        }
        let lumen = try TestClient(fixture)
        let now = fixture.clock.now
        let claims: JSONValue = ["sub": "tv", "exp": .int(now / 1000 + 60)]
        let named = [Field("Adobe-Subject-Token", key.token(header: [.init("kid", "box-key")], claims: claims))]
        let other = DeviceKey()
        try lumen.logIn("ada", named)
        let news = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24")
        #expect(types(news, named) == ["NorthCable": "platformSSO"])
        #expect(
            types(news, [Field("Adobe-Subject-Token", other.token(header: [.init("kid", "box-key")], claims: claims))])
                .isEmpty)
        let brought = [Field("Adobe-Subject-Token", other.identity("tv", at: now))]
        try lumen.logIn("omar", mvpd: "BeaconTV", brought)
        #expect(types(news, brought).isEmpty)
    }

    @Test func `a logout with the identity ends the login everywhere, without it only in the same app`() throws {
        try lumen.logIn("ada", platform)
        let alone = lumen.send(lumen.get("logout/NorthCable")).json["logouts"]?["NorthCable"]?["actionName"]
        #expect(alone == "logout")
        #expect(types(lumen, []).isEmpty)
        // The shared login still exists, so the app looks signed in again.
        #expect(types(lumen, platform) == ["NorthCable": "platformSSO"])

        try lumen.logIn("ada", mvpd: "NorthCable")
        _ = news.send(news.get("logout/NorthCable", platform))
        #expect(types(news, platform).isEmpty)
        #expect(types(lumen, platform) == ["NorthCable": "regular"])
    }

    @Test func `a logout of the second app with the identity ends the first app's login too`() throws {
        try lumen.logIn("ada", platform)
        #expect(
            news.send(news.get("logout/NorthCable", platform)).json["logouts"]?["NorthCable"]?["actionName"] == "logout"
        )
        #expect(types(lumen, platform).isEmpty && types(news, platform).isEmpty)
        #expect(
            news.send(news.get("logout/NorthCable", platform)).json["logouts"]?["NorthCable"]?["actionName"]
                == "invalid")
    }

    @Test func `a service token identifies the user on every device`() throws {
        let text = try #require(
            fixture.send(.post("/sandbox/service-token", json: ["subscriber": "ada"])).json["serviceToken"]?.string)
        let token = [Field("AD-Service-Token", text)]
        try lumen.logIn("ada", token)
        let elsewhere = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24", device: "kitchen")
        #expect(types(elsewhere, token) == ["NorthCable": "serviceTokenSSO"])
        fixture.clock.advance(.seconds(3601))
        #expect(types(elsewhere, token).isEmpty)
    }

    @Test func `a shared login ends at its expiry`() throws {
        try lumen.logIn("ada", platform)
        fixture.clock.advance(.seconds(91 * 86400))
        let client = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24", device: "another-namespace")
        #expect(types(client, platform).isEmpty)
        let code = client.authorize(["news24-live"], platform).decisions.first?["error"]?["code"]
        #expect(code == "authenticated_profile_expired")
    }
}

extension TestClient {
    fileprivate func logIn(_ user: String, _ extra: [Field]) throws { try logIn(user, mvpd: "NorthCable", extra) }
}
