// Tests how long the service stores a provider's decisions. Permits and denials have a lifetime, but every permit has a
// new token. Decisions that ask for a retry are not stored.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md D1, §8: stored decisions")
struct DecisionCacheTests {
    private static let day: Int64 = 86_400_000

    /// A sandbox in which only Ada has scripted answers, for one channel.
    private func fixture(
        _ answers: [String], _ change: @escaping (inout Integration) -> Void = { _ in }
    ) throws -> SandboxFixture {
        try .longLived { catalogue in
            for index in catalogue.providers.indices where catalogue.providers[index].id == "NorthCable" {
                catalogue.providers[index].subscribers[0].answers = ["lumen-sports-1": answers]
            }
            catalogue.integration("LUMENTV", "NorthCable", change)
        }
    }

    private func validity(_ answer: Response) -> [Int64?] {
        [answer.decisions.first?["notBefore"]?.int, answer.decisions.first?["notAfter"]?.int]
    }

    @Test func `during its lifetime a permit is given without asking the provider, each time with a new token`() throws
    {
        let fixture = try fixture(["permit", "authorization_denied_by_mvpd"])
        let client = try TestClient(fixture)
        try client.logIn()
        var tokens: Set<String> = []
        for _ in 0..<3 {
            let answer = client.authorize(["lumen-sports-1"])
            #expect(validity(answer) == [TestClock.start, TestClock.start + Self.day])
            tokens.insert(try #require(answer.mediaToken))
            #expect(
                answer.decisions.first?["token"]?["notAfter"] == .int(fixture.clock.now + 420_000),
                "the token's time runs from now")
            fixture.clock.advance(.milliseconds(Self.day / 3 - 1))
        }
        #expect(tokens.count == 3)
        fixture.clock.advance(.milliseconds(3))
        let answer = client.authorize(["lumen-sports-1"])
        #expect(answer.itemError?["code"] == "authorization_denied_by_mvpd", "now the provider was asked again")
    }

    @Test func `the switch authorizationLifetime of an integration sets the lifetime of a permit`() throws {
        let client = try TestClient(SandboxFixture.longLived(), app: "news24", serviceProvider: "NEWS24")
        try client.logIn()
        let sixHours: Int64 = 6 * 3600 * 1000
        #expect(validity(client.authorize(["news24-live"])) == [TestClock.start, TestClock.start + sixHours])
        client.fixture.clock.advance(.milliseconds(sixHours))
        #expect(
            validity(client.authorize(["news24-live"])) == [
                TestClock.start + sixHours, TestClock.start + 2 * sixHours,
            ])
    }

    @Test(arguments: ["authorization_denied_by_mvpd", "authorization_denied_by_parental_controls"])
    func `a denial has a lifetime, too`(_ code: String) throws {
        let fixture = try fixture([code, "permit"])
        let client = try TestClient(fixture)
        try client.logIn()
        let first = client.authorize(["lumen-sports-1"])
        #expect(validity(first) == [TestClock.start, TestClock.start + 3_600_000])
        fixture.clock.advance(.milliseconds(3_599_999))
        let kept = client.authorize(["lumen-sports-1"])
        #expect(kept.itemError?["code"] == .string(code))
        #expect(kept.itemError?.without("trace") == first.itemError?.without("trace"))
        #expect(validity(kept) == validity(first))
        fixture.clock.advance(.milliseconds(1))
        #expect(client.authorize(["lumen-sports-1"]).decisions.first?["authorized"] == true)
    }

    @Test(arguments: [
        "network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded",
        "identity_not_recognized_by_mvpd",
    ])
    func `a denial that asks for a retry or a change by the viewer is not stored`(_ code: String) throws {
        let client = try TestClient(fixture([code, "permit"]))
        try client.logIn()
        let first = client.authorize(["lumen-sports-1"])
        #expect(first.itemError?["code"] == .string(code))
        #expect(validity(first) == [nil, nil])
        #expect(client.authorize(["lumen-sports-1"]).decisions.first?["authorized"] == true)
    }

    @Test(arguments: ["permit", "authorization_denied_by_mvpd"])
    func `no decision outlives the login`(_ answer: String) throws {
        let client = try TestClient(fixture([answer]) { $0.authenticationLifetime = .seconds(600) })
        try client.logIn()
        client.fixture.clock.advance(.seconds(60))
        #expect(
            validity(client.authorize(["lumen-sports-1"])) == [TestClock.start + 60_000, TestClock.start + 600_000])
        client.fixture.clock.advance(.seconds(540))
        #expect(client.authorize(["lumen-sports-1"]).itemError?["code"] == "authenticated_profile_expired")
    }

    @Test func `after a new login the provider is asked again, although the earlier permit was still valid`() throws {
        let fixture = try fixture(["permit", "authorization_denied_by_mvpd"])
        let client = try TestClient(fixture)
        try client.logIn()
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil)
        try fixture.control("expire", ["kind": "login"])
        try client.logIn()
        #expect(client.authorize(["lumen-sports-1"]).itemError?["code"] == "authorization_denied_by_mvpd")
    }

    @Test func `a permit is for one resource, one device and one client`() throws {
        let fixture = try fixture(["permit", "authorization_denied_by_mvpd"])
        let client = try TestClient(fixture)
        try client.logIn()
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil)
        fixture.clock.advance(.seconds(60))
        #expect(validity(client.authorize(["lumen-movies"]))[0] == TestClock.start + 60_000)
        let other = try TestClient(fixture, device: "box-2")
        try other.logIn()
        #expect(other.authorize(["lumen-sports-1"]).itemError?["code"] == "authorization_denied_by_mvpd")
        #expect(client.authorize(["lumen-sports-1"]).mediaToken != nil)
    }

    @Test
    func `if the provider ends a session at the second request, this happens only after the permit has expired`()
        throws
    {
        let client = try TestClient(SandboxFixture.longLived(), app: "summit", serviceProvider: "SUMMITTV")
        try client.logIn("urs", mvpd: "AlpenTel")
        for _ in 0..<2 { #expect(client.authorize(["summit-live"], mvpd: "AlpenTel").mediaToken != nil) }
        client.fixture.clock.advance(.milliseconds(Self.day))
        func code() -> JSONValue? { client.authorize(["summit-live"], mvpd: "AlpenTel").itemError?["code"] }
        #expect(code() == "authorization_denied_by_session_invalidated")
        #expect(code() == "authenticated_profile_invalidated")
    }
}
