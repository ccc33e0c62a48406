// Tests all problems that a viewer can meet. Each page says what to do next and how to continue.

import Testing

@testable import PassSandbox

@Suite struct PageProblemTests {
    enum CodeCase: String, CaseIterable { case unknown, misread, malformed, empty, expired, used, superseded }

    /// Makes the code unusable in the given way, and returns it in the form that the viewer types.
    private func spoil(_ code: String, _ what: CodeCase, _ fixture: PageFixture) -> String {
        switch what {
        case .unknown: return "ZZZZZZZ"
        case .misread: return "K0Q2M4X"
        case .malformed: return "K7?"
        case .empty: return ""
        case .expired: fixture.sandbox.clock.advance(.seconds(31 * 60))
        case .used: #expect(fixture.login(code).submit().status == 303)
        case .superseded: _ = fixture.code()
        }
        return code
    }

    @Test(
        arguments: [
            (CodeCase.unknown, "We do not know this code", "letter by letter"),
            (.misread, "We do not know this code", "Codes never have a zero"),
            (.malformed, "That is not a code", "type the code again"), (.empty, "Type the code", "that your TV shows"),
            (.expired, "This code has expired", "to get a new code"),
            (.used, "This code has already been used", "you are done"),
            (.superseded, "Your TV shows a newer code", "the one that is on your TV now"),
        ])
    func `for an unusable code the page says what to do next`(
        _ what: CodeCase, _ title: String, _ advice: String
    ) throws {
        let fixture = try PageFixture()
        let typed = spoil(fixture.code(), what, fixture)
        let page = fixture.activate(typed)
        #expect(page.status == 400)
        #expect(page.title == "Error: \(title) – Activate your TV")
        #expect(page.text.contains("role=\"alert\""))
        #expect(page.text.contains(advice))
        #expect(page.text.contains("aria-invalid=\"true\""))
        #expect(page.text.contains("aria-describedby=\"problem hint\""))
        #expect(page.text.contains("action=\"/activate\""))
        guard what != .empty else { return }
        #expect(fixture.send(.get("/activate", query: [Field("code", typed)])).title == page.title)
    }

    /// rest-v2.md S4: errors are `text/html`.
    @Test(arguments: [CodeCase.unknown, .expired, .used, .superseded])
    func `a browser that comes from S4 with an unusable code is told what to do`(_ what: CodeCase) throws {
        let fixture = try PageFixture()
        let page = fixture.authenticate(spoil(fixture.completeCode(), what, fixture))
        #expect(page.status == 400)
        #expect(page.header("Content-Type") == "text/html;charset=utf-8")
        #expect(page.text.contains("href=\"/activate\""))
    }

    @Test(arguments: [CodeCase.expired, .used, .superseded])
    func `a code that became unusable while the viewer typed the password is noticed`(_ what: CodeCase) throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let login = fixture.login(code)
        _ = spoil(code, what, fixture)
        let user = fixture.user(of: code)
        let page = login.submit("kim", "pingpong")
        #expect(page.status == 410)
        #expect(page.text.contains("href=\"/activate\""))
        #expect(fixture.user(of: code) == user)
    }

    @Test(arguments: [("ada", "wrong"), ("nobody", "lovelace"), ("ADA", "lovelace"), ("omar", "lighthouse")])
    func `a wrong password is reported, and the name is kept`(_ user: String, _ password: String) throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let page = fixture.login(code).submit(user, password)
        #expect(page.status == 401)
        #expect(page.title == "Error: User name or password is wrong – Sign in – North Cable")
        #expect(page.text.contains("role=\"alert\""))
        #expect(page.text.contains("You have 4 tries left."))
        #expect(page.text.contains("value=\"\(user)\""))
        #expect(!page.text.contains("value=\"\(password)\""))
        #expect(page.text.between("<input id=\"password\"", ">")?.contains("autofocus") == true)
        #expect(fixture.user(of: code) == nil)
    }

    @Test(arguments: [("", "lovelace"), ("ada", ""), ("", "")])
    func `an incomplete form is reported`(_ user: String, _ password: String) throws {
        let fixture = try PageFixture()
        let page = fixture.login(fixture.code()).submit(user, password)
        #expect(page.status == 400)
        #expect(page.text.contains("Type both your user name and your password."))
    }

    @Test func `after five wrong passwords the sign-in ends, and a new sign-in may begin`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let login = fixture.login(code)
        for _ in 1...4 { #expect(login.submit("ada", "wrong").status == 401) }
        let page = login.submit("ada", "wrong")
        #expect(page.status == 403)
        #expect(page.heading == "Too many wrong passwords")
        #expect(page.text.contains("href=\"/activate\""))
        #expect(login.submit().heading == "Too many wrong passwords")
        #expect(fixture.send(.get(login.path)).heading == "Too many wrong passwords")
        #expect(fixture.user(of: code) == nil)
        #expect(fixture.login(code).submit().status == 303)
    }

    @Test func `a subscriber without the channel is signed in and told what the package lacks`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let end = fixture.login(code).submit("noor", "nothing")
        #expect(end.status == 303)
        #expect(fixture.user(of: code) == "noor")
        let page = fixture.send(.get("/activated", query: [Field("login", String(end.location.dropFirst(17)))]))
        #expect(page.heading == "You are signed in, but Lumen TV is not in your package")
        #expect(page.text.contains("Call North Cable on 555-0100 to add it."))
        #expect(page.text.contains("href=\"/activate\""))
    }

    @Test func `without the id of the login, the last page shows few details`() throws {
        let fixture = try PageFixture()
        let login = fixture.login(fixture.code())
        for id in ["", "x", String(login.path.dropFirst(7))] {
            let page = fixture.send(.get("/activated", query: [Field("login", id)]))
            #expect(page.heading == "You can go back to your TV")
            #expect(!page.text.contains("Lumen TV"))
        }
    }

    /// The client of the evidence fetches S4 with one HTTP client and opens the provider's page with another.
    @Test func `E5: a login needs no cookie`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let begun = fixture.activate(code, provider: "NorthCable")
        #expect(begun.header("Set-Cookie") == nil)
        let login = LoginInBrowser(fixture, begun)
        #expect(login.page.status == 200 && login.page.header("Set-Cookie") == nil)
        #expect(login.submit("ada", "lovelace", nil, [Field("Cookie", "login=another")]).status == 303)
        #expect(fixture.user(of: code) == "ada")
    }

    @Test(arguments: ["", "wrong", String(repeating: "x", count: 5000)])
    func `a form that did not come from the page signs no viewer in`(_ token: String) throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let page = fixture.login(code).submit("ada", "lovelace", token)
        #expect(page.status == 403)
        #expect(page.title.hasPrefix("Error: Please sign in again"))
        #expect(fixture.user(of: code) == nil)
    }

    @Test func `the token of another login is refused`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let one = fixture.login(code)
        let two = fixture.login(code)
        #expect(one.submit("ada", "lovelace", two.token).status == 403)
        #expect(fixture.user(of: code) == nil)
    }

    @Test func `a login page that was open for too long sends the viewer back to the code`() throws {
        let fixture = try PageFixture()
        let login = fixture.login(fixture.code())
        fixture.sandbox.clock.advance(.seconds(15 * 60))
        for page in [fixture.send(.get(login.path)), login.submit()] {
            #expect(page.status == 410)
            #expect(page.heading == "This sign-in page has expired")
        }
        #expect(fixture.send(.get("/login/none")).status == 410)
    }

    @Test func `after ten wrong codes in a minute further codes are refused`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let wrong = "\(code.prefix(2))ZZZZZ"
        for _ in 1...10 { #expect(fixture.activate(wrong).status == 400) }
        for typed in [wrong, code] {
            let page = fixture.activate(typed, [Field("X-Forwarded-For", "198.51.100.9")])
            #expect(page.status == 429)
            #expect(page.heading == "Too many wrong codes")
            #expect(page.text.contains("Wait a minute"))
            #expect(page.header("Retry-After") == "60")
        }
        #expect(fixture.send(.get("/activate")).status == 200)
        var elsewhere = Request.post("/activate", form: [Field("code", code)])
        elsewhere.peer = "192.0.2.7"
        #expect(fixture.send(elsewhere).status == 200)
        fixture.sandbox.clock.advance(.seconds(60))
        #expect(fixture.activate(code).status == 200)
    }

    @Test func `guesses are remembered for at most ten thousand addresses`() throws {
        let fixture = try PageFixture()
        let most = fixture.sandbox.sandbox.withWorld { world, now in
            for number in 0...Guesses.maxAddresses {
                var request = Request.get("/activate")
                request.peer = "\(number)"
                world.countWrongGuess(Call(request: request, now: now, trace: ""), .code("ABCDEFG"))
            }
            return world.state.guesses.rows.count
        }
        #expect(most <= Guesses.maxAddresses)
    }

    @Test func `the number of open login pages for one code is limited`() throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode()
        for _ in 1...50 { _ = fixture.authenticate(code) }
        #expect(fixture.sandbox.sandbox.withWorld { world, _ in world.state.attempts.rows.count } == 20)
    }

    /// The error for a misconfigured integration: rest-v2.md §6.2.
    @Test func `a misconfigured provider is not reported as the viewer's mistake`() throws {
        let fixture = try PageFixture(app: "summit")
        let page = fixture.activate(fixture.code("SUMMITTV"), provider: "BeaconTV")
        #expect(page.status == 500)
        #expect(page.heading == "This TV provider cannot be reached")
        #expect(page.text.contains("choose=provider"))
    }

    @Test func `for a service provider without TV providers the page says so`() throws {
        let fixture = try PageFixture { $0.integrations = [] }
        #expect(fixture.activate(fixture.code()).heading == "No TV provider is available")
    }

    /// A page of another site posts another viewer's code.
    @Test func `a form of another site leads only to the confirmation`() throws {
        let fixture = try PageFixture()
        let code = fixture.code("LUMENTV", [Field("mvpd", "NorthCable")])
        let page = fixture.activate(code, provider: "NorthCable", [Field("Sec-Fetch-Site", "cross-site")])
        #expect(page.heading == "Sign in on your TV?")
    }

    @Test(arguments: [
        "https://evil.example/", "http://lumentv.example.evil.example/", "//evil.example", "javascript:alert(1)",
        "http://evil.example/lumentv.example",
    ])
    func `a redirect that is no longer registered leads to the sandbox's own page`(_ url: String) throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode()
        let login = LoginInBrowser(fixture, fixture.authenticate(code))
        fixture.sandbox.sandbox.withWorld { world, _ in world.state.sessions[code]?.redirectURL = url }
        let form = fixture.send(.get(login.path))
        #expect(form.header("Content-Security-Policy")?.contains("form-action 'self';") == true)
        #expect(fixture.send(.get(login.path + "/cancel")).header("Location") == nil)
        #expect(login.submit().location.hasPrefix("/activated?login="))
    }
}
