// Tests preauthorization of several resources in one call.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v1.md §6.11, OQ-49, OQ-55: preauthorization")
struct OlderPreauthorizationTests {
    private func ask(_ client: V1Client, _ resources: String...) -> Response {
        client.get("preauthorize", resources.map { Field("resource", $0) })
    }

    private func verdicts(_ response: Response) -> [String: Bool] {
        (response.json["resources"]?.array ?? []).reduce(into: [:]) { all, item in
            all[item["id"]?.string ?? ""] = item["authorized"]?.bool
        }
    }

    @Test func `§6.11: while enhanced errors are off, items say only yes or no`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        let answer = ask(client, "lumen-sports-1,nothing")
        expect(
            answer, 200,
            is: [
                "resources": [
                    ["id": "lumen-sports-1", "authorized": true], ["id": "nothing", "authorized": false],
                ]
            ])
        #expect(answer.header("Adobe-Request-Id")?.split(separator: "-").count == 5)
        #expect(answer.header("Adobe-Response-Confidence") == "full")
    }

    @Test func `§6.11: with enhanced errors a denied item has the whole object`() throws {
        let client = try V1Client(SandboxFixture(), app: "news24-legacy", requestor: "NEWS24")
        try client.logIn("noor")
        let item = try #require(ask(client, "news24-live").json["resources"]?.array?.first)
        #expect(item["authorized"] == false)
        let error = try #require(item["error"])
        expect(error, enhanced: 403, "preauthorization_denied_by_mvpd", action: "none")
        #expect(error["details"]?.string?.contains("555-0100") == true)
    }

    @Test func `§6.11: five resources are answered, six are refused`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        #expect(verdicts(ask(client, "a,b,c,d,e")).count == 5)
        let answer = ask(client, "a,b,c,d,e,f")
        #expect(answer.status == 403)
        expect(answer.json, enhanced: 403, "too_many_resources", action: "configuration")
        #expect(answer.json["resources"] == [])
    }

    @Test func `§6.11: with enhanced errors the answer is only the error`() throws {
        let client = try V1Client(SandboxFixture(), app: "news24-legacy", requestor: "NEWS24")
        try client.logIn()
        let answer = ask(client, "a,b,c,d,e,f")
        #expect(answer.status == 403)
        #expect(answer.json["resources"] == nil)
        #expect(answer.json["code"] == "too_many_resources")
    }

    @Test func `OQ-55: a repeated parameter is accepted as well, and with the switch commas do not split`() throws {
        let client = try V1Client(SandboxFixture())
        try client.logIn()
        #expect(verdicts(ask(client, "lumen-sports-1", "nothing")) == ["lumen-sports-1": true, "nothing": false])
        let whole = try V1Client(SandboxFixture { $0.settings.splitCommas = false })
        try whole.logIn()
        #expect(verdicts(ask(whole, "lumen-sports-1,nothing")) == ["lumen-sports-1,nothing": false])
    }

    @Test func `OQ-49: a fault of the request always has its code`() throws {
        let client = try V1Client(SandboxFixture())
        let early = ask(client, "a")
        #expect(early.status == 412)
        expect(
            early.json, enhanced: 412, "preauthorization_authentication_session_missing", action: "authentication")
        try client.logIn()
        let missing = client.get("preauthorize")
        #expect(missing.status == 400)
        expect(missing.json, enhanced: 400, "missing_resource", action: "none")
        for empty in ["", ",", " , "] {
            let answer = ask(client, empty)
            #expect(answer.status == 412)
            expect(answer.json, enhanced: 412, "missing_resource", action: "none")
        }
        expect(ask(client, "<rss>").json, enhanced: 400, "malformed_authz_request", action: "none")
    }

    @Test func `an expired login has a code of its own`() throws {
        let client = try V1Client(SandboxFixture.longLived())
        try client.logIn()
        client.fixture.clock.advance(.seconds(90 * 86_400))
        let answer = ask(client, "a")
        expect(
            answer.json, enhanced: 412, "preauthorization_authentication_session_expired", action: "authentication")
    }

    @Test func `the second screen asks with the code, without a token`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        func ask(_ code: String, _ query: [Field]) -> Response {
            client.send(
                .get("/api/v1/preauthorize/\(code)", query: query, [Field("Accept", "application/json")]))
        }
        let query = [Field("requestor", "LUMENTV"), Field("resource", "lumen-sports-1,nothing")]
        #expect(ask(code, query).status == 412)
        try client.client.completeLogin(code: code, user: "ada")
        #expect(verdicts(ask(code, query)) == ["lumen-sports-1": true, "nothing": false])
        #expect(ask("NOCODE7", query).status == 400)
        #expect(ask(code, query.without("requestor")).json["code"] == "invalid_requestor")
        #expect(ask(code, query.without("resource")).json["code"] == "missing_resource")
    }

    @Test func `a temporary pass permits everything while it is valid`() throws {
        let client = try V1Client(SandboxFixture())
        #expect(client.preview().status == 204)
        #expect(verdicts(ask(client, "a,b")) == ["a": true, "b": true])
    }
}
