// Tests the headers of REST V2. They are required exactly where the contract's table says so, and accepted everywhere
// else.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §3: headers")
struct HeaderTests {
    static let badIdentifiers: [Row<String?>] = [
        .init("absent", nil), .init("empty", ""), .init("the type alone", "fingerprint"),
        .init("the type and a blank", "fingerprint "), .init("no type", base64("box-1".utf8)),
        .init("another type", "serial \(base64("box-1".utf8))"),
        .init("the type in capitals", "Fingerprint \(base64("box-1".utf8))"),
        .init("two blanks", "fingerprint  \(base64("box-1".utf8))"),
        .init("text after it", "fingerprint \(base64("box-1".utf8)) x"),
        .init("not Base64", "fingerprint box-1!"), .init("URL-safe Base64", "fingerprint _-_-"),
        .init("Base64 of data that are not text", "fingerprint /////w=="),
    ]

    /// §3.3: AP-Device-Identifier.
    @Test(arguments: V2Call.wantingDevice, badIdentifiers)
    func `a missing or malformed device identifier is refused where it is required`(
        _ call: V2Call, _ row: Row<String?>
    ) throws {
        let client = try TestClient(SandboxFixture())
        var request = call.request(client, code: "").without(header: "AP-Device-Identifier")
        if let value = row.value { request = request.with(header: "AP-Device-Identifier", value) }
        expect(client.send(request), refuses: 400, "invalid_header_device_identifier")
    }

    static let badDeviceInfo: [Row<String?>] = [
        .init("empty", ""), .init("bare JSON", "{\"model\":\"a\",\"osName\":\"Linux\"}"),
        .init("an array", base64("[]".utf8)), .init("cut off", String(Request.deviceInfo.prefix(41))),
        .init("no model", base64("{\"osName\":\"Linux\"}".utf8)),
        .init("no osName", base64("{\"model\":\"LTV-200\"}".utf8)),
        .init("model empty", base64("{\"model\":\"\",\"osName\":\"Linux\"}".utf8)),
    ]

    /// §3.4: X-Device-Info.
    @Test(arguments: V2Call.wantingDevice, badDeviceInfo)
    func `an unreadable device description is refused where it is used`(
        _ call: V2Call, _ row: Row<String?>
    ) throws {
        let client = try TestClient(SandboxFixture())
        var request = call.request(client, code: "").without(header: "X-Device-Info")
        if let value = row.value { request = request.with(header: "X-Device-Info", value) }
        expect(client.send(request), refuses: 400, "invalid_header_device_info")
    }

    /// §3.1 note 1: device headers of other calls.
    @Test(arguments: V2Call.notWantingDevice)
    func `where the table has no device headers, they are neither required nor read`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        let full = call.request(client, code: code)
        let bare = full.without(header: "AP-Device-Identifier").without(header: "X-Device-Info")
        let broken = full.with(header: "AP-Device-Identifier", "x").with(header: "X-Device-Info", "x")
        for request in [full, bare, broken] { #expect(client.send(request).status == 200) }
    }

    /// §3.1, §3.10, §3.11: optional headers.
    @Test(arguments: V2Call.simple)
    func `optional headers, and those of other calls, have no effect`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        var request = call.request(client, code: code)
        request.headers += [
            Field("Accept", "application/json;charset=utf-8"), Field("User-Agent", "passd/1.0"),
            Field("X-Forwarded-For", "203.0.113.9"), Field("AP-Visitor-Identifier", "12345678901234567890"),
            Field("Adobe-Subject-Token", "not.a.token"), Field("AD-Service-Token", "nonsense"),
            Field("AP-TempPass-Identity", "nonsense"), Field("AP-Partner-Framework-Status", "nonsense"),
            Field("X-Something", "else"),
        ]
        #expect(client.send(request).status == 200)
    }

    /// §3: header names.
    @Test(arguments: V2Call.simple)
    func `header names and the word bearer are compared without regard to case`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        var request = call.request(client, code: code)
        request.headers = request.headers.map { Field($0.name.uppercased(), $0.value) }
        request = request.with(header: "AUTHORIZATION", "bearer \(client.token)")
        #expect(client.send(request).status == 200)
    }

    static let types: [Row<String?>] = [
        .init("absent", nil), .init("text/plain", "text/plain"), .init("XML", "application/xml"),
    ]

    /// §3.11: form bodies.
    @Test(arguments: V2Call.wantingForm, types + [.init("JSON", "application/json")])
    func `a body that should be a form but is not is refused`(_ call: V2Call, _ row: Row<String?>) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        var request = call.request(client, code: code).without(header: "Content-Type")
        request.form = nil
        if let value = row.value { request = request.with(header: "Content-Type", value) }
        #expect(client.send(request).status == 400)
    }

    /// §3.11: JSON bodies.
    @Test(
        arguments: V2Call.wantingJSON,
        types + [.init("a form", "application/x-www-form-urlencoded")])
    func `a body that should be JSON but is not is refused`(_ call: V2Call, _ row: Row<String?>) throws {
        let client = try TestClient(SandboxFixture())
        var request = call.request(client, code: "").without(header: "Content-Type")
        if let value = row.value { request = request.with(header: "Content-Type", value) }
        expect(client.send(request), refuses: 400, "invalid_parameter_resources")
    }

    /// §3.11: character sets.
    @Test(arguments: V2Call.wantingForm + V2Call.wantingJSON)
    func `the content type may name a character set`(_ call: V2Call) throws {
        guard call != .partnerProfile else { return }
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        let request = call.request(client, code: code)
        let type = try #require(request.header("Content-Type"))
        #expect(client.send(request.with(header: "Content-Type", type + ";charset=utf-8")).status == 200)
        #expect(client.send(request.with(header: "Content-Type", type.uppercased() + "; charset=UTF-8")).status == 200)
    }

    /// §3.3: the identifier identifies the device.
    @Test
    func `the same identifier in another Base64 form is the same device, and another identifier another device`() throws
    {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        let request = client.get("profiles")
        #expect(client.send(request).profiles.count == 1)
        let other = request.with(header: "AP-Device-Identifier", "fingerprint \(base64("box-2".utf8))")
        #expect(client.send(other).json == ["profiles": [:]])
    }

    /// §3.4: the switch strict.
    @Test(arguments: ["model", "version", "osName", "osVersion", "connectionType"])
    func `with the switch strict all five keys are required`(_ key: String) throws {
        let keys = ["model", "version", "osName", "osVersion", "connectionType"]
        let all = keys.map { JSONObject.Member($0, $0 == "osName" ? "Linux" : "1") }
        let fixture = try SandboxFixture { $0.settings.strict = true }
        let client = try strictClient(fixture)
        let full = client.get("profiles").with(header: "X-Device-Info", base64(JSONValue.object(all).bytes))
        #expect(client.send(full).status == 200)
        let poor = JSONValue.object(all.filter { $0.name != key })
        expect(
            client.send(full.with(header: "X-Device-Info", base64(poor.bytes))), refuses: 400,
            "invalid_header_device_info")
        let lenient = try TestClient(SandboxFixture())
        let answer = lenient.send(lenient.get("profiles").with(header: "X-Device-Info", base64(poor.bytes)))
        #expect(answer.status == (["model", "osName"].contains(key) ? 400 : 200))
    }

    static let strictlyWrong: [Row<String>] = [
        .init("an unknown hardware type", base64(info("\"primaryHardwareType\":\"Toaster\"").utf8)),
        .init("an unknown family", base64(info("\"osFamily\":\"BeOS\"").utf8)),
        .init("an unknown vendor", base64(info("\"osVendor\":\"Nobody\"").utf8)),
        .init("escaped as in the older interface", percentEncoded(base64(info("\"vendor\":\"~~~?\"").utf8))),
        .init("URL-safe Base64", base64URL(info("\"vendor\":\"~~~?\"").utf8)),
        .init("URL-safe Base64 with padding", padded(base64URL(info("\"vendor\":\"~~~?1\"").utf8))),
    ]

    private static func padded(_ text: String) -> String {
        text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    private static func info(_ more: String) -> String {
        "{\"model\":\"a\",\"version\":\"1\",\"osName\":\"Linux\",\"osVersion\":\"6\",\"connectionType\":\"LAN\",\(more)}"
    }

    /// §3.4: closed sets and plain Base64.
    @Test(arguments: strictlyWrong)
    func `with the switch strict only listed values and the standard alphabet are accepted`(_ row: Row<String>) throws {
        let client = try strictClient(try SandboxFixture { $0.settings.strict = true })
        let request = client.get("profiles").with(header: "X-Device-Info", row.value)
        expect(client.send(request), refuses: 400, "invalid_header_device_info")
        let lenient = try TestClient(SandboxFixture())
        #expect(lenient.send(lenient.get("profiles").with(header: "X-Device-Info", row.value)).status == 200)
    }

    /// A strict service requires a redirect URI for registration. These tests are about the calls after registration.
    private func strictClient(_ fixture: SandboxFixture) throws -> TestClient {
        let client = try TestClient(SandboxFixture())
        fixture.sandbox.withWorld { world, now in
            world.state.clients[client.clientID] = Client(
                id: client.clientID, secret: client.secret, app: "lumen-tv", issued: now)
            world.state.tokens[tokenKey(client.token)] = AccessToken(
                client: client.clientID, issued: now, ends: now + 21_600_000)
        }
        return TestClient(client, on: fixture)
    }
}
