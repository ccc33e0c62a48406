// Tests D2, which tells for several resources whether the viewer may watch them, for information only.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md D2: preauthorize")
struct PreauthorizeTests {
    @Test func `permits and denials have the order of the request, without tokens and times`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("kim")
        let answer = client.preauthorize(["lumen-sports-1", "lumen-movies", "summit-live", "lumen-kids", "news24-live"])
        #expect(answer.status == 200)
        #expect(answer.json.names == ["decisions"])
        let items = answer.decisions
        #expect(
            items.map { $0["resource"] } == [
                "lumen-sports-1", "lumen-movies", "summit-live", "lumen-kids", "news24-live",
            ])
        #expect(items.map { $0["authorized"] } == [true, false, false, true, true])
        #expect(
            items.map { $0["error"]?["code"]?.string } == [
                nil, "authorization_denied_by_parental_controls", "preauthorization_denied_by_mvpd", nil, nil,
            ])
        #expect(
            items[0]
                == [
                    "authorized": true, "mvpd": "NorthCable", "resource": "lumen-sports-1",
                    "serviceProvider": "LUMENTV", "source": "mvpd",
                ])
        #expect(items[2].names == ["authorized", "error", "mvpd", "resource", "serviceProvider", "source"])
        #expect(items[2]["error"]?["status"] == 403)
        #expect(items[2]["error"]?["action"] == "none")
    }

    @Test func `the provider's text is passed on`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("noor")
        let error = client.preauthorize(["lumen-sports-1"]).itemError
        #expect(error?["code"] == "preauthorization_denied_by_mvpd")
        #expect(
            error?["details"] == "Your package does not include this channel. Call North Cable on 555-0100 to add it.")
    }

    @Test func `up to five resources are accepted, six are not`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        let six = (1...6).map { "channel-\($0)" }
        #expect(client.preauthorize(Array(six.prefix(5))).decisions.count == 5)
        expect(
            client.preauthorize(six), refuses: 400, "too_many_resources", bodyStatus: 403, action: "configuration")
    }

    @Test func `the limit comes from the integration`() throws {
        let fixture = try SandboxFixture { catalogue in
            catalogue.integration("LUMENTV", "NorthCable") { $0.preauthorizeLimit = 1 }
        }
        let client = try TestClient(fixture)
        try client.logIn()
        #expect(client.preauthorize(["lumen-sports-1"]).status == 200)
        #expect(client.preauthorize(["lumen-sports-1", "lumen-movies"]).code == "too_many_resources")
    }

    @Test func `in a mixed answer the failed items say retry and the other items are valid`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("flora")
        let first = client.preauthorize(["lumen-sports-1", "lumen-movies", "lumen-kids"])
        #expect(
            first.decisions.map { $0["error"]?["action"]?.string } == ["retry", "retry", "none"])
        #expect(
            first.decisions.map { $0["error"]?["code"]?.string } == [
                "network_received_error", "network_connection_timeout", "preauthorization_denied_by_mvpd",
            ])
        let second = client.preauthorize(["lumen-sports-1", "lumen-movies"])
        #expect(second.decisions.map { $0["authorized"] } == [true, false])
    }

    @Test func `without a login every item is denied`() throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.preauthorize(["lumen-sports-1", "lumen-movies"])
        #expect(answer.status == 200)
        #expect(
            answer.decisions.map { $0["error"]?["code"] } == [
                "authenticated_profile_missing", "authenticated_profile_missing",
            ])
        #expect(answer.decisions.map { $0["error"]?["action"] } == ["authentication", "authentication"])
    }

    @Test(arguments: ["expired", "invalidated"])
    func `an ended login leads to a denial with that reason`(_ reason: String) throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        try client.fixture.control("expire", ["kind": "login", "reason": .string(reason)])
        #expect(
            client.preauthorize(["lumen-sports-1"]).itemError?["code"] == .string("authenticated_profile_\(reason)"))
    }

    @Test func `a preauthorization does not store a decision for an authorization`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try client.logIn()
        #expect(client.preauthorize(["lumen-sports-1"]).decisions.first?["authorized"] == true)
        fixture.clock.advance(.seconds(60))
        #expect(
            client.authorize(["lumen-sports-1"]).decisions.first?["notBefore"] == .int(TestClock.start + 60_000))
    }
}
