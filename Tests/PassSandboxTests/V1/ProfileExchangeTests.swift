// Tests a login with the platform's own TV account.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §10, OQ-28, OQ-51: partner sign-on")
struct ProfileExchangeTests {
    private func profileRequest(
        _ client: V1Client, _ mvpd: String = "BeaconTV", _ query: [Field] = [Field("deviceType", "tvOS")]
    ) -> Response {
        client.send(
            Request(
                method: "GET", path: "/api/v1/\(client.requestor)/profile-requests/\(mvpd)", query: query,
                headers: client.headers))
    }

    /// The answer of the platform's identity provider.
    private func saml(_ client: V1Client, _ partner: String = "Apple", type: String = "tvOS") throws -> String {
        let request = profileRequest(client, "BeaconTV", [Field("deviceType", type)])
        try #require(request.status == 200, "\(request.text)")
        let form = [
            Field("request", base64(request.body)), Field("user", "omar"), Field("password", "lighthouse"),
        ]
        return try #require(client.send(.post("/partner/\(partner)/response", form: form)).json["SAMLResponse"]?.string)
    }

    private func form(_ client: V1Client, _ saml: String, type: String = "tvOS") -> [Field] {
        client.identity + [
            Field("mvpd", "BeaconTV"), Field("deviceType", type), Field("SAMLResponse", saml),
        ]
    }

    private func exchange(_ client: V1Client, _ form: [Field]) -> Response {
        client.send(.post("/api/v1/tokens/authn", form: form, client.headers))
    }

    @Test func `§10.1: the request is opaque bytes`() throws {
        let answer = profileRequest(try V1Client(SandboxFixture()))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/octet-stream")
        #expect(!answer.body.isEmpty)
    }

    @Test(arguments: [Row("Apple", ("tvOS", "Apple")), Row("our own", ("hearth-box", "Hearth"))])
    func `§10: the platform's answer creates a login that names its source`(_ row: Row<(String, String)>) throws {
        let client = try V1Client(SandboxFixture())
        let (type, partner) = row.value
        let answer = exchange(client, form(client, try saml(client, partner, type: type), type: type))
        #expect((answer.status, answer.body) == (204, []))
        let token = client.get("tokens/authn")
        #expect(token.json["mvpd"] == "BeaconTV")
        #expect(token.header("X-Sandbox-Origin") == "partner")
        #expect(client.get("tokens/usermetadata").json["data"]?["tokenSource"] == .string(partner))
        #expect(client.authorize().status == 200)
    }

    @Test func `§10: an answer that is encoded twice, used twice, late or from another device type is refused`()
        throws
    {
        let client = try V1Client(SandboxFixture())
        let text = try saml(client)
        expect(exchange(client, form(client, percentEncoded(text))), basic: 400)
        expect(exchange(client, form(client, text, type: "hearth-box")), basic: 400)
        #expect(client.get("checkauthn").status == 403)
        #expect(exchange(client, form(client, text)).status == 204)
        expect(exchange(client, form(client, text)), basic: 400)
        let late = try saml(client)
        client.fixture.clock.advance(.seconds(300))
        expect(exchange(client, form(client, late)), basic: 400)
    }

    @Test func `OQ-51: an answer after the documented clean-up is accepted, but not with a line break in its text`()
        throws
    {
        let client = try V1Client(SandboxFixture())
        let text = String(decoding: try #require(decodeBase64(try saml(client))), as: UTF8.self)
        let cleaned = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
            .filter { !$0.isNewline }
        #expect(cleaned == text)
        let broken = text.replacing("<saml:Subject>", with: "<saml:Subject>\n")
        expect(exchange(client, form(client, base64(broken.utf8))), basic: 400)
        #expect(exchange(client, form(client, base64(text.utf8))).status == 204)
    }

    @Test func `an answer is valid only for the client that asked`() throws {
        let client = try V1Client(SandboxFixture())
        let text = try saml(client)
        let other = try V1Client(client.fixture)
        expect(exchange(other, form(other, text)), basic: 400)
    }

    @Test(arguments: ["requestor", "deviceId", "mvpd", "deviceType", "SAMLResponse"])
    func `§10.3: every parameter is required`(_ name: String) throws {
        let client = try V1Client(SandboxFixture())
        let form = form(client, try saml(client))
        expect(exchange(client, form.without(name)), basic: 400)
        #expect(exchange(client, form).status == 204)
    }

    @Test(
        arguments: [
            Row("no device type", ("BeaconTV", nil)), Row("unknown device type", ("BeaconTV", "fridge")),
            Row("unknown provider", ("Nobody", "tvOS")), Row("provider without sign-on", ("NorthCable", "tvOS")),
        ] as [Row<(String, String?)>])
    func `§10.1: an invalid request is a 400`(_ row: Row<(String, String?)>) throws {
        let client = try V1Client(SandboxFixture())
        let query = row.value.1.map { [Field("deviceType", $0)] } ?? []
        expect(profileRequest(client, row.value.0, query), basic: 400)
    }

    @Test func `§10: with sign-on switched off both calls are refused`() throws {
        let client = try V1Client(
            SandboxFixture { $0.integration("LUMENTV", "BeaconTV") { $0.partnerSignOn = false } })
        expect(profileRequest(client), basic: 400)
        expect(exchange(client, form(client, "x")), basic: 400)
    }
}
