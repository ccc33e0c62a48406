// Tests temporary passes in the older interface, and their reset by the operator.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §9: temporary passes")
struct FreePreviewTests {
    private static func person(_ name: String) -> Field {
        Field("generic_data", "{\"email\":\"\(hexadecimal(sha256(name.utf8)))\"}")
    }

    private let ada = Self.person("ada@lumentv.example")
    private let kim = Self.person("kim@lumentv.example")

    @Test func `§9.3: the time runs from the first authorization on`() throws {
        let client = try V1Client(SandboxFixture())
        let answer = client.preview()
        #expect((answer.status, answer.body) == (204, []))
        #expect(client.get("tokens/authn").json["mvpd"] == "LumenPreview")
        client.fixture.clock.advance(.seconds(300))
        #expect(client.authorize("anything").status == 200)
        #expect(client.mediaToken("anything").status == 200)
        client.fixture.clock.advance(.milliseconds(599_999))
        #expect(client.authorize("more").status == 200)
        #expect(client.get("checkauthn").status == 200)
        client.fixture.clock.advance(.milliseconds(1))
        #expect(client.authorize("anything").status == 403)
        #expect(client.mediaToken("anything").status == 403)
        #expect(client.get("tokens/authn").status == 410)
    }

    @Test func `§9.3: a login with a used-up pass is not valid`() throws {
        let fixture = try SandboxFixture { $0.programmers[0].serviceProviders[0].enhancedErrors = true }
        let client = try V1Client(fixture)
        _ = client.preview()
        _ = client.authorize()
        fixture.clock.advance(.seconds(600))
        #expect(client.preview().status == 204)
        #expect(client.get("checkauthn").status == 403)
        expect(
            client.authorize().json, enhanced: 403, "temporary_access_duration_limit_exceeded",
            action: "authentication")
    }

    @Test func `§9.3: a promotion ends with its last title`() throws {
        let fixture = try SandboxFixture { $0.programmers[0].serviceProviders[0].enhancedErrors = true }
        let client = try V1Client(fixture)
        #expect(client.preview("LumenPromo", [ada]).status == 204)
        for title in ["one", "two", "three", "one"] { #expect(client.authorize(title, [ada]).status == 200) }
        let fourth = client.authorize("four", [ada])
        #expect(fourth.status == 403)
        expect(
            fourth.json, enhanced: 403, "temporary_access_resources_limit_exceeded", action: "authentication")
    }

    /// Table in §9.3: a known device or person continues the existing trial.
    @Test func `§9.3: a known device with a new person, and a known person on a new device, continue the trial`()
        throws
    {
        let client = try V1Client(SandboxFixture())
        let other = try V1Client(client.fixture, device: "box-2")
        let third = try V1Client(client.fixture, device: "box-3")
        #expect(client.preview("LumenPromo", [ada]).status == 204)
        for title in ["one", "two", "three"] { #expect(client.authorize(title, [ada]).status == 200) }
        for (device, person) in [(client, kim), (other, ada)] {
            _ = device.preview("LumenPromo", [person])
            #expect(device.authorize("four", [person]).status == 403)
            // The login remembers the person.
            #expect(device.authorize("five").status == 403)
        }
        #expect(third.preview("LumenPromo", [Self.person("new")]).status == 204)
        #expect(third.authorize("four", [Self.person("new")]).status == 200)
    }

    @Test func `both interfaces use the same pass`() throws {
        let fixture = try SandboxFixture()
        let newer = try TestClient(fixture)
        let older = try V1Client(fixture)
        #expect(newer.authorize(["x"], mvpd: "LumenPreview").mediaToken != nil)
        fixture.clock.advance(.seconds(600))
        _ = older.preview()
        #expect(older.authorize().status == 403)
    }

    @Test(
        arguments: [
            Row("no requestor", ("requestor_id", nil)), Row("unknown requestor", ("requestor_id", "NOBODY")),
            Row("no device", ("deviceId", nil)), Row("no provider", ("mso_id", nil)),
            Row("unknown provider", ("mso_id", "Nobody")), Row("no pass", ("mso_id", "NorthCable")),
            Row("no domain", ("domain_name", nil)), Row("foreign domain", ("domain_name", "evil.example")),
            Row("contradiction", ("+deviceId", "box-2")), Row("clear text", ("+generic_data", "ada")),
        ] as [Row<(String, String?)>])
    func `a missing or wrong parameter is a 400`(_ row: Row<(String, String?)>) throws {
        let client = try V1Client(SandboxFixture())
        var form = client.previewForm("LumenPromo")
        let (name, value) = row.value
        if name.hasPrefix("+") {
            form.append(Field(String(name.dropFirst()), value ?? ""))
        } else {
            form = value.map { form.with(name, $0) } ?? form.without(name)
        }
        expect(client.send(.post("/api/v1/authenticate/freepreview", form: form, client.headers)), basic: 400)
        #expect(client.get("checkauthn").status == 403)
    }

    @Test func `the parameters may be in the query`() throws {
        let client = try V1Client(SandboxFixture())
        let request = Request(
            method: "POST", path: "/api/v1/authenticate/freepreview", query: client.previewForm(),
            headers: client.headers)
        #expect(client.send(request).status == 204)
        #expect(client.get("checkauthn").status == 200)
    }

    // MARK: Reset

    private func reset(_ client: V1Client, _ path: String, _ query: [Field]) throws -> Response {
        let tool = try TestClient(client.fixture, app: "operator")
        return client.send(
            Request(
                method: "DELETE", path: "/reset-tempass/v3/reset" + path, query: query,
                headers: [Field("Authorization", "Bearer \(tool.token)"), Field("Accept", "application/json")]))
    }

    private func pass(_ mvpd: String, _ extra: [Field] = []) -> [Field] {
        [Field("requestor_id", "LUMENTV"), Field("mvpd_id", mvpd)] + extra
    }

    @Test(arguments: [[], [Field("device_id", "all")], [Field("device_id", "box-1")]])
    func `§9.4, §9.3: after a reset a new trial begins`(_ extra: [Field]) throws {
        let client = try V1Client(SandboxFixture())
        let other = try V1Client(client.fixture, device: "box-2")
        for device in [client, other] {
            _ = device.preview()
            _ = device.authorize()
        }
        client.fixture.clock.advance(.seconds(600))
        #expect(client.authorize().status == 403)
        #expect(try reset(client, "", pass("LumenPreview", extra)).status == 204)
        for device in [client, other] { _ = device.preview() }
        #expect(client.authorize().status == 200)
        #expect(other.authorize().status == (extra.first?.value == "box-1" ? 403 : 200))
    }

    @Test func `§9.4: after a reset a person has the promotion again`() throws {
        let client = try V1Client(SandboxFixture())
        _ = client.preview("LumenPromo", [ada])
        for title in ["one", "two", "three"] { _ = client.authorize(title, [ada]) }
        let hash = hexadecimal(sha256("ada@lumentv.example".utf8))
        #expect(try reset(client, "/generic", pass("LumenPromo", [Field("key", hash)])).status == 204)
        #expect(client.preview("LumenPromo", [ada]).status == 204)
        #expect(client.authorize("four", [ada]).status == 200)
    }

    @Test func `§9.4: a reset requires its parameters, a pass, and an operator`() throws {
        let client = try V1Client(SandboxFixture())
        for query in [
            pass("NorthCable"), pass("Nobody"), pass("LumenPreview").without("mvpd_id"),
            pass("LumenPreview").without("requestor_id"), pass("LumenPreview").with("requestor_id", "NOBODY"),
        ] { expect(try reset(client, "", query), basic: 400) }
        expect(try reset(client, "/generic", pass("LumenPreview")), basic: 400)
        let request = client.request("DELETE", "/reset-tempass/v3/reset", pass("LumenPreview"))
        let refused = client.send(request)
        #expect((refused.status, refused.json["error"]) == (403, "invalid_client"))
        #expect(client.send(request.without(header: "Authorization")).status == 401)
    }
}
