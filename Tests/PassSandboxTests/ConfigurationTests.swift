// Tests C1: the providers of a channel, with the members that the TV's picker needs.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md C1: configuration")
struct ConfigurationTests {
    private static func info(_ keys: String) -> Field {
        Field("X-Device-Info", base64("{\"model\":\"x\",\(keys)}".utf8))
    }

    @Test func `the answer has the channel, its domains and its providers, with flags as booleans`() throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(client.get("configuration"))
        #expect(answer.status == 200)
        #expect(answer.json["platform"]?.string != nil)
        #expect(answer.json["platformCategory"] == "TV Connected")
        #expect(answer.json["sdkType"]?.string != nil)
        #expect(answer.json["os"] == "Linux")
        let requestor = try #require(answer.json["requestor"])
        #expect(requestor["id"] == "LUMENTV")
        #expect(requestor["name"] == "Lumen TV")
        #expect(
            requestor["domains"]
                == .array(
                    ["lumentv.example", "localhost", "127.0.0.1"].map {
                        ["mvpdInitiated": false, "name": .string($0)]
                    }))
        let mvpds = try #require(requestor["mvpds"]?.array)
        #expect(
            mvpds.map { $0["id"]?.string } == ["NorthCable", "AlpenTel", "LumenPreview", "LumenPromo", "BeaconTV"])
        for mvpd in mvpds {
            let logo = try #require(mvpd["logoUrl"]?.string)
            #expect(logo.hasPrefix(SandboxFixture.origin + "/"))
        }
        #expect(
            mvpds.map { $0.without("logoUrl") } == [
                ["displayName": "North Cable", "id": "NorthCable"],
                ["authPerAggregator": true, "displayName": "AlpenTel", "id": "AlpenTel"],
                ["authPerAggregator": true, "displayName": "Free preview", "id": "LumenPreview", "isTempPass": true],
                [
                    "authPerAggregator": true, "displayName": "Three titles free", "id": "LumenPromo",
                    "isTempPass": true,
                ],
                [
                    "boardingStatus": "SUPPORTED", "displayInPlatformPicker": true, "displayName": "Beacon TV",
                    "enablePlatformServices": true, "id": "BeaconTV", "platformMappingId": "beacon-11",
                ],
            ])
    }

    @Test func `another channel of the same app has its own list`() throws {
        let client = try TestClient(SandboxFixture(), serviceProvider: "LUMENKIDS")
        let requestor = client.send(client.get("configuration")).json["requestor"]
        #expect(requestor?["id"] == "LUMENKIDS")
        #expect(requestor?["mvpds"]?.array?.map { $0["id"]?.string } == ["NorthCable", "BeaconTV"])
    }

    @Test func `an integration that is switched off is missing from the list`() throws {
        let client = try TestClient(SandboxFixture(), app: "summit", serviceProvider: "SUMMITTV")
        let mvpds = client.send(client.get("configuration")).json["requestor"]?["mvpds"]?.array
        #expect(mvpds?.map { $0["id"]?.string } == ["AlpenTel", "BeaconTV"])
    }

    @Test func `the list does not depend on logins`() throws {
        let client = try TestClient(SandboxFixture())
        let before = client.send(client.get("configuration")).json["requestor"]
        try client.logIn()
        #expect(client.send(client.get("configuration")).json["requestor"] == before)
    }

    @Test func `a slash at the end of the path and the undocumented parameter profile are accepted`() throws {
        let client = try TestClient(SandboxFixture())
        let plain = client.send(client.get("configuration"))
        #expect(client.send(client.get("configuration/")).json == plain.json)
        #expect(client.send(client.get("configuration", query: [Field("profile", "x")])).json == plain.json)
    }

    @Test(arguments: [
        ("\"osName\":\"Linux\",\"primaryHardwareType\":\"TV\"", "Linux", "TV Connected"),
        ("\"osName\":\"Android\",\"primaryHardwareType\":\"MobilePhone\"", "Android", "Mobile"),
        ("\"osName\":\"Windows\",\"primaryHardwareType\":\"Desktop\"", "Windows", "Desktop"),
        ("\"osName\":\"Linux\"", "Linux", "unknown"), ("\"osName\":\"BeOS\"", "Unknown", "unknown"),
        ("\"osName\":\"Linux\",\"primaryHardwareType\":\"Toaster\"", "Linux", "unknown"),
    ])
    func `the platform follows from the device's description, and is unknown if the description is`(
        _ keys: String, _ system: String, _ category: String
    ) throws {
        let client = try TestClient(SandboxFixture())
        let request = client.get("configuration").with(header: "X-Device-Info", Self.info(keys).value)
        let answer = client.send(request)
        #expect(answer.json["os"] == .string(system))
        #expect(answer.json["platformCategory"] == .string(category))
    }

    @Test func `without device headers the platform is unknown and the list is the same`() throws {
        let client = try TestClient(SandboxFixture())
        let bare = Request.get(client.path("configuration"), [Field("Authorization", "Bearer \(client.token)")])
        let answer = client.send(bare)
        #expect(answer.status == 200)
        #expect(answer.json["platformCategory"] == "unknown")
        #expect(answer.json["requestor"] == client.send(client.get("configuration")).json["requestor"])
    }
}
