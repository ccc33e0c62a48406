// Tests S3: the second application asks about a typed code, and about the device that shows it.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md S3: read session")
struct ReadSessionTests {
    private func read(_ client: TestClient, _ form: [Field], _ headers: [Field] = []) throws -> Response {
        let code = try #require(client.openSession(form, headers))
        return client.send(
            .get(client.path("sessions/\(code)"), [Field("Authorization", "Bearer \(client.token)")]))
    }

    @Test func `a complete session has all parameters, the device and the times, and no missing parameters`() throws {
        let client = try TestClient(SandboxFixture())
        let answer = try read(
            client, TestClient.loginForm(), [Field("X-Forwarded-For", "203.0.113.9"), Field("User-Agent", "passd/1.0")])
        let version = { (major: JSONValue, minor: JSONValue) -> JSONValue in
            ["major": major, "minor": minor, "patch": 0, "profile": ""]
        }
        expect(
            answer, 200,
            is: [
                "existingParameters": [
                    "serviceProvider": "LUMENTV", "mvpd": "NorthCable", "domainName": "lumentv.example",
                    "redirectUrl": "https://lumentv.example/done",
                ],
                "device": [
                    "type": "SetTopBox", "model": "LTV-200", "applicationId": "lumen-sports",
                    "version": version(2, 1),
                    "hardware": [
                        "name": "LTV-200", "vendor": nil, "manufacturer": "Lumen Devices", "version": version(2, 1),
                    ],
                    "operatingSystem": [
                        "name": "Linux", "family": "Linux", "vendor": nil, "version": version(6, 12),
                    ],
                    "browser": [
                        "name": nil, "vendor": nil, "version": nil, "userAgent": "passd/1.0",
                        "originalUserAgent": "passd/1.0",
                    ],
                    "display": [
                        "name": "DISPLAY", "vendor": nil, "width": 0, "height": 0, "ppi": 0, "version": nil,
                        "diagonalSize": nil,
                    ],
                    "connection": ["ipAddress": "203.0.113.9", "port": nil, "secure": false, "type": "LAN"],
                ],
                "notBefore": "1795564800000", "notAfter": "1795566600000",
            ])
    }

    @Test(arguments: SessionTests.incomplete)
    func `present and missing parameters are listed separately`(
        _ row: Row<(given: [String], missing: [JSONValue])>
    ) throws {
        let client = try TestClient(SandboxFixture())
        let form = TestClient.loginForm().filter { row.value.given.contains($0.name) }
        let answer = try read(client, form)
        #expect(answer.json["missingParameters"] == .array(row.value.missing))
        #expect(answer.json["existingParameters"]?.names == (["serviceProvider"] + row.value.given).sorted())
        #expect(answer.json.names == ["device", "existingParameters", "missingParameters", "notAfter", "notBefore"])
    }

    @Test func `the device is the device that shows the code, not the one that asks`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let code = try #require(
            client.openSession([], [Field("X-Forwarded-For", "203.0.113.9"), Field("User-Agent", "passd/1.0")]))
        let phone = try TestClient(fixture, device: "phone")
        let info = base64("{\"model\":\"Phone\",\"osName\":\"Android\"}".utf8)
        let answer = phone.send(
            phone.get("sessions/\(code)", [Field("X-Forwarded-For", "198.51.100.1"), Field("User-Agent", "Browser/1")])
                .with(header: "X-Device-Info", info))
        #expect(answer.json["device"]?["model"] == "LTV-200")
        #expect(answer.json["device"]?["connection"]?["ipAddress"] == "203.0.113.9")
        #expect(answer.json["device"]?["browser"]?["userAgent"] == "passd/1.0")
    }

    @Test func `the device's own data override the data of the connection`() throws {
        let client = try TestClient(SandboxFixture())
        let keys =
            "{\"model\":\"M\",\"osName\":\"BeOS\",\"userAgent\":\"Box/2\",\"connectionIp\":\"198.51.100.7\","
            + "\"connectionPort\":\"40112\",\"connectionSecure\":true,\"displayWidth\":\"1920\",\"displayHeight\":1080}"
        let request = client.post("sessions", form: [], [Field("User-Agent", "libcurl")])
            .with(header: "X-Device-Info", base64(keys.utf8))
        let code = try #require(client.send(request).json["code"]?.string)
        let device = client.send(client.get("sessions/\(code)")).json["device"]
        #expect(
            device?["connection"]
                == ["ipAddress": "198.51.100.7", "port": "40112", "secure": true, "type": nil])
        #expect(device?["browser"]?["userAgent"] == "Box/2")
        #expect(device?["display"]?["width"] == 1920)
        #expect(device?["display"]?["height"] == 1080)
        #expect(device?["version"] == .null)
        #expect(device?["type"] == "Unknown")
        #expect(device?["operatingSystem"]?["name"] == "Unknown")
    }

    @Test func `a read does not change the session`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        let first = client.send(client.get("sessions/\(code)"))
        client.fixture.clock.advance(.seconds(600))
        #expect(client.send(client.get("sessions/\(code)")).json == first.json)
    }
}
