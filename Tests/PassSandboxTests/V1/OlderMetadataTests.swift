// Tests user metadata in the older interface.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.12, OQ-21, OQ-23, OQ-45: user metadata")
struct OlderMetadataTests {
    @Test func `values are plain, and the names of the encrypted values are listed`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let answer = client.get("tokens/usermetadata")
        #expect(answer.status == 200)
        #expect(answer.json.names == ["data", "encrypted", "updated"])
        #expect(answer.json["updated"]?.int == TestClock.start / 1000)
        #expect(answer.json["encrypted"] == ["zip"])
        let data = try #require(answer.json["data"])
        #expect(data["householdID"] == "nc-house-1001")
        #expect(data["maxRating"] == ["MPAA": "R", "VCHIP": "TV-MA"])
        #expect(data["channelID"]?.array?.count == 5)
        #expect(data["userID"] == client.get("tokens/authn").json["userId"])
        #expect(data["tokenSource"] == nil)
        let sealed = try #require(data["zip"]?.string.flatMap(decodeBase64))
        #expect(sealed.count == 256)
    }

    @Test func `§6.15: without a login the answer is 412`() throws {
        let client = try V1Client(SandboxFixture())
        expect(client.get("tokens/usermetadata"), basic: 412, message: "User not authenticated")
    }

    @Test func `§9.3: a promotional pass tells its remaining time and titles, and when they last changed`() throws {
        let client = try V1Client(SandboxFixture())
        let hash = hexadecimal(sha256("ada@lumentv.example".utf8))
        let data = Field("generic_data", "{\"email\":\"\(hash)\"}")
        #expect(client.preview("LumenPromo", [data]).status == 204)
        let before = client.get("tokens/usermetadata").json
        #expect(before["data"]?["remaining_resources"] == 3)
        #expect(before["data"]?["used_assets"] == [])
        client.fixture.clock.advance(.seconds(60))
        #expect(client.authorize("one", [data]).status == 200)
        let after = client.get("tokens/usermetadata").json
        #expect(after["data"]?["remaining_resources"] == 2)
        #expect(after["data"]?["used_assets"] == ["one"])
        #expect(after["data"]?["expiration_date"] == .int(client.fixture.clock.now + 2 * 86_400_000))
        #expect(after["updated"]?.int == TestClock.start / 1000 + 60)
    }
}
