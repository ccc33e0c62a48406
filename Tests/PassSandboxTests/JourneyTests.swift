// Tests the whole path once, call by call, without a network.

import PassJSON
import Testing

@testable import PassSandbox

@Suite struct JourneyTests {
    @Test func `from software statement to a media token that is valid once`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        #expect(client.send(client.get("profiles")).json == ["profiles": [:]])
        let code = try #require(client.openSession(TestClient.loginForm()))
        #expect(client.send(client.get("profiles/code/\(code)")).profiles.isEmpty)
        try client.completeLogin(code: code, user: "ada")
        #expect(client.send(client.get("profiles/code/\(code)")).profiles.first?.name == "NorthCable")
        let answer = client.authorize(["lumen-sports-1"])
        let decision = try #require(answer.decisions.first)
        #expect(decision["authorized"]?.bool == true)
        let token = try #require(decision["token"]?["serializedToken"])
        let verify = Request.post("/sandbox/verify", json: ["token": token])
        #expect(fixture.send(verify).json["result"]?.string == "VALID_TOKEN")
        #expect(fixture.send(verify).json["result"]?.string == "TOKEN_ALREADY_USED")
        #expect(client.send(client.get("logout/NorthCable")).json["logouts"]?["NorthCable"]?["actionName"] == "logout")
        #expect(client.send(client.get("profiles/NorthCable")).profiles.isEmpty)
    }
}
