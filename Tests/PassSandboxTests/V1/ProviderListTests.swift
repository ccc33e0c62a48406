// Tests the list of providers for the caller's platform.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.3, OQ-38: the list of providers")
struct ProviderListTests {
    private func list(_ client: V1Client, _ query: [Field] = [], path: String = "/api/v1/config/LUMENTV") -> Response {
        client.send(Request(method: "GET", path: path, query: query, headers: client.headers))
    }

    private func provider(_ answer: Response, _ id: String) -> JSONValue? {
        answer.json["requestor"]?["mvpds"]?.array?.first { $0["id"]?.string == id }
    }

    @Test(arguments: ["/api/v1/config/LUMENTV", "/adobe-services/config/LUMENTV"])
    func `the requestor with its domains and providers`(_ path: String) throws {
        let client = try V1Client(SandboxFixture())
        let answer = list(client, path: path)
        #expect(answer.status == 200)
        #expect(answer.json.names == ["clientType", "device", "os", "requestor", "time"])
        #expect(answer.json["clientType"] == "clientless")
        #expect(answer.json["os"] == "Linux")
        #expect(answer.json["time"] == .int(TestClock.start))
        let requestor = try #require(answer.json["requestor"])
        #expect(requestor["id"] == "LUMENTV")
        #expect(requestor["name"] == "Lumen TV")
        #expect(requestor["domains"]?.array?.first == ["name": "lumentv.example", "mvpdInitiated": false])
        #expect(
            requestor["mvpds"]?.array?.compactMap { $0["id"]?.string }
                == ["NorthCable", "AlpenTel", "LumenPreview", "LumenPromo", "BeaconTV"])
        #expect(provider(answer, "NorthCable")?["displayName"] == "North Cable")
        #expect(provider(answer, "NorthCable")?["logoUrl"]?.string?.hasPrefix(SandboxFixture.origin) == true)
        #expect(provider(answer, "NorthCable")?["authPerAggregator"] == false)
        #expect(provider(answer, "AlpenTel")?["authPerAggregator"] == true)
        #expect(provider(answer, "LumenPreview")?["isTempPass"] == true)
    }

    @Test func `the members for platform sign-on are listed only on its platforms`() throws {
        let client = try V1Client(SandboxFixture())
        let names = [
            "boardingStatus", "displayInPlatformPicker", "enablePlatformServices", "platformMappingId",
            "requiredMetadataFields",
        ]
        let elsewhere = try #require(provider(list(client), "BeaconTV"))
        #expect(elsewhere.names.allSatisfy { !names.contains($0) })
        for type in ["tvOS", "iOS", "hearth-box"] {
            let beacon = try #require(provider(list(client, [Field("deviceType", type)]), "BeaconTV"))
            #expect(beacon.names.filter(names.contains) == names)
            #expect(beacon["platformMappingId"] == "beacon-11")
            #expect(beacon["enablePlatformServices"] == true)
            #expect(beacon["requiredMetadataFields"] == ["householdID"])
            let cable = try #require(provider(list(client, [Field("deviceType", type)]), "NorthCable"))
            #expect(cable.names.allSatisfy { !names.contains($0) })
        }
    }

    @Test func `an unknown requestor is a 400, another app's requestor a 401`() throws {
        let client = try V1Client(SandboxFixture())
        expect(list(client, path: "/api/v1/config/NOBODY"), basic: 400)
        expect(list(client, path: "/api/v1/config/SUMMITTV"), basic: 401)
    }
}
