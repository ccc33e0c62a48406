// Tests partner sign-on: the request, the platform's signed answer, the profile, and every fallback to a normal login.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md X1, X2, §3.8, §12.3") struct PartnerTests {
    let fixture: SandboxFixture
    let client: TestClient

    init() throws {
        fixture = try SandboxFixture()
        client = try TestClient(fixture)
    }

    /// A header `AP-Partner-Framework-Status`.
    private func status(
        _ access: JSONValue? = "granted", provider: String = "beacon-11", expires: JSONValue? = nil
    ) -> [Field] {
        let end = expires ?? .string(String(fixture.clock.now + 86_400_000))
        let value: JSONValue = [
            "frameworkPermissionInfo": .members(["accessStatus": access]),
            "frameworkProviderInfo": ["id": .string(provider), "expirationDate": end],
        ]
        return [Field("AP-Partner-Framework-Status", base64(value.bytes))]
    }

    static let complete = [
        Field("domainName", "lumentv.example"), Field("redirectUrl", "https://lumentv.example/done"),
    ]

    private func begin(_ headers: [Field], form: [Field] = complete, partner: String = "Hearth") -> Response {
        client.send(client.post("sessions/sso/\(partner)", form: form, headers))
    }

    private func answer(_ request: JSONValue?, user: String = "omar", password: String = "lighthouse") throws -> String
    {
        let text = try #require(request?["authenticationRequest"]?["request"]?.string)
        let form = [Field("request", text), Field("user", user), Field("password", password)]
        let response = fixture.send(.post("/partner/Hearth/response", form: form))
        return try #require(response.json["SAMLResponse"]?.string, "\(response.text)")
    }

    private func exchange(_ saml: String, _ headers: [Field]? = nil) -> Response {
        client.send(client.post("profiles/sso/Hearth", form: [Field("SAMLResponse", saml)], headers ?? status()))
    }

    @Test func `the platform's answer creates a profile, once`() throws {
        let begun = begin(status())
        #expect(begun.status == 200)
        #expect(begun.json["actionName"] == "partner_profile" && begun.json["actionType"] == "direct")
        #expect(begun.json["mvpd"] == "BeaconTV" && begun.json["code"] == nil)
        #expect(begun.json["authenticationRequest"]?["type"] == "saml")
        let saml = try answer(begun.json)
        let made = exchange(saml)
        #expect(made.status == 201)
        let profile = try #require(made.profiles.first)
        #expect(profile.name == "BeaconTV")
        #expect(profile.value["type"] == "appleSSO" && profile.value["issuer"] == "Hearth")
        #expect(exchange(saml).code == "invalid_parameter_saml_response")

        #expect(begin(status()).json["reasonType"] == "authenticatedSSO")
        #expect(client.send(client.get("profiles", status())).profiles.count == 1)
        #expect(client.authorize(["lumen-sports-1"], mvpd: "BeaconTV", status()).decisions.first?["authorized"] == true)
        let logout = client.send(client.get("logout/BeaconTV")).json["logouts"]?["BeaconTV"]
        #expect(logout?["actionName"] == "partner_logout" && logout?["actionType"] == "partner_interactive")
        #expect(logout?["url"] == nil)
    }

    @Test func `a partner's profile is used only with the platform's status`() throws {
        _ = exchange(try answer(begin(status()).json))
        #expect(client.send(client.get("profiles")).profiles.isEmpty)
        for (headers, code) in [
            ([], "invalid_header_pfs_permission_access_not_present"),
            (status(nil), "invalid_header_pfs_permission_access_not_present"),
            (status("notDetermined"), "invalid_header_pfs_permission_access_not_determined"),
            (status("denied"), "invalid_header_pfs_permission_access_not_granted"),
            (status("restricted"), "invalid_header_pfs_permission_access_not_granted"),
            (status(provider: ""), "invalid_header_pfs_provider_id_not_determined"),
            (status(provider: "nobody"), "invalid_header_pfs_provider_id_not_determined"),
            (status(expires: "1000"), "invalid_header_pfs_provider_info_expired"),
            (status(expires: 99_999_999_999_999), "invalid_header_pfs_provider_info_expired"),
        ] {
            let responses = [
                client.send(client.get("profiles/BeaconTV", headers)),
                client.authorize(["lumen-sports-1"], mvpd: "BeaconTV", headers),
                client.preauthorize(["lumen-sports-1"], mvpd: "BeaconTV", headers),
            ]
            for response in responses { #expect(response.status == 400 && response.code == code) }
        }
    }

    @Test func `any fault of the status leads to a normal login`() throws {
        for headers in [[], status("denied"), status(expires: "1"), [Field("AP-Partner-Framework-Status", "%%%")]] {
            let response = begin(headers)
            #expect(response.status == 200)
            #expect(response.json["reasonType"] == "pfs_fallback")
            // The provider is unknown, so the normal login still lacks it.
            #expect(response.json["actionName"] == "resume" && response.json["actionType"] == "direct")
            #expect(response.json["missingParameters"] == ["mvpd"])
            #expect(response.json["code"]?.string != nil)
        }
    }

    @Test func `for a provider that is not onboarded here, the configuration leads to a normal login`() throws {
        let news = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24")
        let form = [Field("domainName", "news24.example"), Field("redirectUrl", "https://news24.example/done")]
        let response = news.send(news.post("sessions/sso/Hearth", form: form, status()))
        #expect(response.json["reasonType"] == "configuration_fallback")
        #expect(response.json["actionName"] == "authenticate" && response.json["actionType"] == "interactive")
        let bare = news.send(news.post("sessions/sso/Hearth", form: [], status()))
        #expect(bare.json["reasonType"] == "missing_parameters_fallback" && bare.json["actionName"] == "resume")
        #expect(bare.json["missingParameters"] == ["domainName", "redirectUrl"])
    }

    @Test func `with an existing login or under degradation, the request is not needed`() throws {
        try client.logIn("omar", mvpd: "BeaconTV")
        #expect(begin(status()).json["reasonType"] == "authenticated")
        let other = try TestClient(fixture, device: "other")
        _ = fixture.send(.post("/sandbox/degradation", json: ["rule": "AuthNAll", "provider": "BeaconTV"]))
        let degraded = other.send(other.post("sessions/sso/Hearth", form: Self.complete, status()))
        #expect(degraded.json["actionName"] == "authorize" && degraded.json["reasonType"] == "degraded")
        let profile = other.send(other.post("profiles/sso/Hearth", form: [Field("SAMLResponse", "x")], status()))
        #expect(profile.status == 200 && profile.profiles.first?.value["type"] == "degraded")
    }

    @Test func `the case of the partner's name does not matter, and an unknown name is refused`() {
        #expect(begin(status(), partner: "hearth").json["actionName"] == "partner_profile")
        #expect(begin(status(), partner: "Nobody").code == "invalid_parameter_partner")
        let response = client.send(client.post("profiles/sso/Nobody", form: [Field("SAMLResponse", "x")], status()))
        #expect(response.code == "invalid_parameter_partner")
    }

    @Test func `an answer that is altered, encoded twice, late, or from another box creates no profile`() throws {
        let begun = begin(status())
        let saml = try answer(begun.json)
        let bytes = try #require(decodeBase64(saml))
        let altered = String(decoding: bytes, as: UTF8.self).split(separator: "omar").joined(separator: "ada1")
        // A clean-up inside the signed text invalidates the signature.
        let squeezed = String(decoding: bytes, as: UTF8.self).split(separator: "<saml:Subject>").joined(
            separator: "<saml:Subject> ")
        for (name, text) in [
            ("empty", ""), ("rubbish", "rubbish!"), ("encoded twice", base64(saml.utf8)),
            ("altered", base64(altered.utf8)), ("a blank more", base64(squeezed.utf8)),
            ("cut", String(saml.dropLast(8))),
        ] { #expect(exchange(text).code == "invalid_parameter_saml_response", "\(name)") }
        let other = try TestClient(fixture, device: "other")
        let stolen = other.send(other.post("profiles/sso/Hearth", form: [Field("SAMLResponse", saml)], status()))
        #expect(stolen.code == "invalid_parameter_saml_response")
        fixture.clock.advance(.seconds(301))
        #expect(exchange(saml).code == "invalid_parameter_saml_response")
    }

    @Test func `the status must name the provider that answered`() throws {
        let fixture = try SandboxFixture { catalogue in
            for index in catalogue.providers.indices where catalogue.providers[index].id == "NorthCable" {
                catalogue.providers[index].platformMappingID = "ncable-07"
                catalogue.providers[index].boarding = .supported
            }
            for index in catalogue.integrations.indices where catalogue.integrations[index].provider == "NorthCable" {
                catalogue.integrations[index].partnerSignOn = true
            }
        }
        let client = try TestClient(fixture)
        let begun = client.send(client.post("sessions/sso/Hearth", form: Self.complete, status()))
        let text = try #require(begun.json["authenticationRequest"]?["request"]?.string)
        let form = [Field("request", text), Field("user", "omar"), Field("password", "lighthouse")]
        let saml = try #require(
            fixture.send(.post("/partner/Hearth/response", form: form)).json["SAMLResponse"]?.string)
        let other = client.send(
            client.post("profiles/sso/Hearth", form: [Field("SAMLResponse", saml)], status(provider: "ncable-07")))
        #expect(
            other.code == "invalid_parameter_saml_response" || other.code == "invalid_header_pfs_provider_id_mismatch")
        _ = client.send(client.post("profiles/sso/Hearth", form: [Field("SAMLResponse", saml)], status()))
        let wrong = client.send(client.get("profiles/BeaconTV", status(provider: "ncable-07")))
        #expect(wrong.code == "invalid_header_pfs_provider_id_mismatch")
    }

    @Test func `if partner sign-on is off, the exchange says so`() throws {
        let news = try TestClient(fixture, app: "news24", serviceProvider: "NEWS24")
        let response = news.send(news.post("profiles/sso/Hearth", form: [Field("SAMLResponse", "x")], status()))
        #expect(response.status == 500 && response.code == "invalid_configuration_platform_services")
    }

    @Test func `the test identity provider needs an open request and the right account`() throws {
        let begun = begin(status())
        let text = try #require(begun.json["authenticationRequest"]?["request"]?.string)
        func ask(_ request: String, _ user: String, _ password: String) -> Int {
            let form = [Field("request", request), Field("user", user), Field("password", password)]
            return fixture.send(.post("/partner/Hearth/response", form: form)).status
        }
        #expect(ask(text, "omar", "wrong") == 403)
        #expect(ask(text, "ada", "lovelace") == 403)
        #expect(ask("x", "omar", "lighthouse") == 400)
        #expect(ask(text, "omar", "lighthouse") == 200)
    }
}
