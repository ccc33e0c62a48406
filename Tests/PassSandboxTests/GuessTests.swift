// Tests that guessing of codes and passwords does not succeed. Every guess is counted, both for the address and for the
// code.

import Testing

@testable import PassSandbox

@Suite("docs/sandbox.md: guesses")
struct GuessTests {
    private static let alphabet = Array("ABCDEFGHJK")

    /// A code that does not exist.
    private static func code(_ number: Int, like good: String = "ZZ") -> String {
        "\(good.prefix(2))\(alphabet[number % 10])\(alphabet[number / 10])ZZ2"
    }

    private func expectBounded(
        _ fixture: SandboxFixture, _ request: (String) -> Request, good: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for number in 0..<Guesses.maxWrong {
            let guess = Self.code(number, like: good)
            #expect(fixture.send(request(guess)).status != 429, sourceLocation: sourceLocation)
        }
        // From now on, both right and wrong guesses of this kind get the same answer.
        for code in [Self.code(20, like: good), good] {
            #expect(fixture.send(request(code)).status == 429, sourceLocation: sourceLocation)
        }
        // A code with another beginning is not affected, although all of this machine has one address.
        let other = good.hasPrefix("Z") ? "AAAAAA2" : "ZZZZZZ2"
        #expect(fixture.send(request(other)).status != 429, sourceLocation: sourceLocation)
        var elsewhere = request(good)
        elsewhere.peer = "192.0.2.7"
        #expect(fixture.send(elsewhere).status != 429, sourceLocation: sourceLocation)
        fixture.clock.advance(.seconds(60))
        #expect(fixture.send(request(good)).status != 429, sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        "GET /api/v2/authenticate/LUMENTV/*", "GET /api/v2/LUMENTV/sessions/*", "GET /api/v2/LUMENTV/profiles/code/*",
    ]) func `codes of REST V2`(_ route: String) throws {
        let fixture = try PageFixture()
        let words = route.split(separator: " ").map(String.init)
        let device = [
            Field("AP-Device-Identifier", "fingerprint " + base64("box-1".utf8)),
            Field("X-Device-Info", Request.deviceInfo),
        ]
        expectBounded(
            fixture.sandbox,
            { code in
                Request(
                    method: words[0], path: String(words[1].dropLast()) + code, query: [],
                    headers: fixture.bearer + device)
            }, good: fixture.completeCode())
    }

    @Test func `codes of REST V1 in a browser`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        expectBounded(
            client.fixture, { .get("/api/v1/authenticate", query: V1Client.authenticate($0)) }, good: code)
    }

    @Test func `codes of REST V1 that a program reads`() throws {
        let client = try V1Client(SandboxFixture())
        let code = try client.code()
        expectBounded(
            client.fixture, { client.request("GET", "/reggie/v1/\(client.requestor)/regcode/\($0)") }, good: code)
    }

    @Test func `a program's guesses do not prevent a viewer from typing a code`() throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode()
        for number in 0...Guesses.maxWrong {
            _ = fixture.send(.get("/api/v2/LUMENTV/sessions/\(Self.code(number, like: code))", fixture.bearer))
        }
        #expect(fixture.activate(code).status != 429)
    }

    @Test func `a client that guesses does not lock out other viewers at the same address`() throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode()
        let beginning = code.hasPrefix("Z") ? "A" : "Z"
        for number in 0..<3 * Guesses.maxWrong {
            _ = fixture.activate(Self.code(number, like: beginning + beginning))
        }
        #expect(fixture.activate(Self.code(50, like: beginning + beginning)).status == 429)
        #expect(fixture.activate(code).status == 302)
        for number in 0..<Guesses.maxWrong {
            _ = fixture.login(fixture.completeCode()).submit("mallory", "wrong-\(number)")
        }
        #expect(fixture.login(fixture.completeCode()).submit("mallory", "x").status == 429)
        #expect(fixture.login(fixture.completeCode()).submit().status == 303)
    }

    @Test func `--no-throttle removes the limit`() throws {
        let fixture = try PageFixture(limitsGuesses: false)
        let code = fixture.completeCode()
        for number in 0..<3 * Guesses.maxWrong {
            #expect(fixture.activate(Self.code(number, like: code)).status == 400)
        }
        #expect(fixture.activate(code).status == 302)
    }

    /// After five wrong passwords the sign-in ends. A new sign-in does not reset the count.
    @Test func `passwords are counted by the address`() throws {
        let fixture = try PageFixture()
        for number in 0..<Guesses.maxWrong {
            // Each attempt uses another code, and so another sign-in.
            let answer = fixture.login(fixture.completeCode()).submit("ada", "wrong-\(number)")
            #expect(answer.status == 401)
        }
        let page = fixture.login(fixture.completeCode()).submit()
        #expect(page.status == 429 && page.heading == "Too many wrong passwords")
        #expect(page.header("Retry-After") == "60")
        fixture.sandbox.clock.advance(.seconds(60))
        #expect(fixture.login(fixture.completeCode()).submit().status == 303)
    }

    @Test func `passwords are counted by the code, from any number of addresses`() throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode()
        func submit(_ peer: String, _ password: String) -> Response {
            let login = fixture.login(code)
            var request = Request.post(
                login.path, form: [Field("csrf", login.token), Field("user", "ada"), Field("password", password)])
            request.peer = peer
            return fixture.send(request)
        }
        for number in 0..<Guesses.maxWrong { #expect(submit("192.0.2.\(number)", "wrong").status == 401) }
        #expect(submit("192.0.2.99", "lovelace").status == 429)
        #expect(fixture.user(of: code) == nil)
        fixture.sandbox.clock.advance(.seconds(60))
        #expect(submit("192.0.2.99", "lovelace").status == 303)
    }

    @Test func `guesses from many addresses do not reset the count of a code`() throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode()
        func submit(_ peer: String) -> Response {
            let login = fixture.login(code)
            var request = Request.post(
                login.path, form: [Field("csrf", login.token), Field("user", "ada"), Field("password", "wrong")])
            request.peer = peer
            return fixture.send(request)
        }
        for number in 0..<Guesses.maxWrong { #expect(submit("192.0.2.\(number)").status == 401) }
        for number in 0..<(Guesses.maxAddresses + 10) {
            var request = Request.post("/activate", form: [Field("code", "ABCDEFG")], [])
            request.peer = "127.\(number / 250 / 250).\(number / 250 % 250).\(number % 250)"
            _ = fixture.send(request)
        }
        #expect(submit("192.0.2.99").status == 429)
    }
}
