// Tests logins that only the home network has proved. They are shorter, and not valid at another address.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §11: home-based authentication")
struct HomeBasedTests {
    private static let home = Field("X-Forwarded-For", "203.0.113.7")
    private static let away = Field("X-Forwarded-For", "198.51.100.1")

    /// A client of Resi. AlpenTel has signed her in by her address.
    private func resi(_ fixture: SandboxFixture) throws -> TestClient {
        let client = try TestClient(fixture)
        let code = try #require(client.openSession([Field("mvpd", "AlpenTel")], [Self.home]))
        try #require(
            fixture.sandbox.withWorld { world, now in
                guard let session = world.state.sessions[code],
                    let subscriber = world.catalogue.provider("AlpenTel")?.subscriber("resi")
                else { return false }
                world.completeLogin(session, mvpd: "AlpenTel", subscriber: subscriber, home: "203.0.113.7", at: now)
                return true
            })
        return client
    }

    @Test func `the login is a regular login with hba_status, but shorter`() throws {
        let client = try resi(SandboxFixture())
        let profile = client.send(client.get("profiles/AlpenTel")).profile("AlpenTel")
        #expect(profile?["type"] == "regular")
        #expect(profile?["issuer"] == "AlpenTel")
        #expect(profile?["attributes"]?["hba_status"] == .plain("true"))
        #expect(profile?["notAfter"] == .int(TestClock.start + 7 * 86_400_000), "seven days instead of thirty")
    }

    @Test func `at home everything is permitted, elsewhere the viewer must sign in again`() throws {
        let client = try resi(SandboxFixture())
        func ask(_ place: Field) -> Response { client.authorize(["lumen-sports-1"], mvpd: "AlpenTel", [place]) }
        #expect(ask(Self.home).mediaToken != nil)
        let denied = ask(Self.away)
        #expect(denied.status == 200)
        #expect(denied.decisions.first?["authorized"] == false)
        #expect(denied.itemError?["code"] == "authorization_denied_by_hba_policies")
        #expect(denied.itemError?["action"] == "authentication")
        #expect(denied.itemError?["status"] == 403)
        #expect(denied.decisions.first?["notAfter"] == nil, "the decision is not stored")
        #expect(ask(Self.home).mediaToken != nil, "at home it is permitted again")
    }

    @Test func `a preauthorization also depends on the address`() throws {
        let client = try resi(SandboxFixture())
        let home = client.preauthorize(["lumen-sports-1"], mvpd: "AlpenTel", [Self.home])
        #expect(home.decisions.first?["authorized"] == true)
        let away = client.preauthorize(["lumen-sports-1"], mvpd: "AlpenTel", [Self.away])
        #expect(away.itemError?["code"] == "authorization_denied_by_hba_policies")
    }

    @Test func `a login with a password is valid at any address`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("resi", mvpd: "AlpenTel", [Self.home])
        #expect(client.authorize(["lumen-sports-1"], mvpd: "AlpenTel", [Self.away]).mediaToken != nil)
        let profile = client.send(client.get("profiles")).profile("AlpenTel")
        #expect(profile?["notAfter"] == .int(TestClock.start + 30 * 86_400_000))
    }

    @Test func `after a sign-in with the password everything is permitted again`() throws {
        let client = try resi(SandboxFixture())
        #expect(client.send(client.get("logout/AlpenTel")).status == 200)
        try client.logIn("resi", mvpd: "AlpenTel", [Self.away])
        #expect(client.authorize(["lumen-sports-1"], mvpd: "AlpenTel", [Self.away]).mediaToken != nil)
    }
}
