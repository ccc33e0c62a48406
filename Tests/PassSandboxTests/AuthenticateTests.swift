// Tests the redirects and refusals of S4, the browser's path to the login page, as described in the contract. The pages
// have tests of their own.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md S4: log in with a browser")
struct AuthenticateTests {
    @Test func `a complete session leads to a page of the same service, without a bearer token`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        let answer = client.send(.get("/api/v2/authenticate/LUMENTV/\(code)"))
        #expect(answer.status == 302)
        #expect(answer.header("Location")?.hasPrefix("/login/") == true)
    }

    @Test func `a session without its MVPD leads to a page for its choice`() throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        let answer = client.send(.get("/api/v2/authenticate/LUMENTV/\(code)"))
        #expect(answer.status == 302)
        #expect(answer.header("Location") == "/activate?code=\(code)")
    }

    static let refused: [Row<@Sendable (TestClient, String) throws -> String>] = [
        .init("an unknown code") { _, _ in "LUMENTV/ZZZZZZZ" },
        .init("no code") { _, _ in "LUMENTV/" },
        .init("an unknown service provider") { _, code in "NOBODY/\(code)" },
        .init("another service provider") { _, code in "NEWS24/\(code)" },
        .init("an expired code") { client, code in
            client.fixture.clock.advance(.seconds(1800))
            return "LUMENTV/\(code)"
        },
        .init("a used code") { client, code in
            try client.completeLogin(code: code, user: "ada")
            return "LUMENTV/\(code)"
        },
        .init("a superseded code") { client, code in
            _ = client.openSession([])
            return "LUMENTV/\(code)"
        },
    ]

    @Test(arguments: refused)
    func `an unusable code is refused with a page, not with an error object`(
        _ row: Row<@Sendable (TestClient, String) throws -> String>
    ) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        let answer = client.send(.get("/api/v2/authenticate/\(try row.value(client, code))"))
        #expect(answer.status == 400)
        #expect(answer.header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(answer.json == .null)
    }

    @Test(arguments: ["POST", "PUT", "DELETE"])
    func `a wrong method is refused with a page, too`(_ method: String) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession(TestClient.loginForm()))
        let answer = client.send(Request(method: method, path: "/api/v2/authenticate/LUMENTV/\(code)"))
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == "GET")
        #expect(answer.header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(answer.json == .null)
    }
}
