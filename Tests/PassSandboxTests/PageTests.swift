// Tests a viewer's path from the code to the end, page by page. Contract: rest-v2.md §4 S2–S4, §11, §14.

import Testing

@testable import PassSandbox

@Suite struct PageTests {
    @Test func `a viewer types the code, chooses the provider, signs in and is sent back to the TV`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let choice = fixture.activate(code)
        #expect(choice.status == 200)
        #expect(choice.heading == "Who is your TV provider?")
        #expect(choice.text.contains("<strong>Lumen TV</strong> on <strong>LTV-200 by Lumen Devices</strong>"))
        let login = fixture.login(code)
        #expect(login.page.heading == "Sign in with North Cable")
        let end = login.submit()
        #expect(end.status == 303)
        #expect(end.location.hasPrefix("/activated"))
        #expect(fixture.user(of: code) == "ada")
        let path = end.location.split(separator: "?")
        let last = fixture.send(.get("/activated", query: [Field("login", String(path[1].dropFirst(6)))]))
        #expect(last.heading == "You are signed in")
        #expect(last.text.contains("Back to the TV: Lumen TV is signed in and continues by itself."))
        #expect(last.text.contains("with North Cable"))
    }

    @Test(arguments: ["k7q2m4x", " K7Q 2M4X ", "K7Q-2M4X", "k7q–2m4x", "K7Q2M4X", "k 7 q 2 m 4 x"])
    func `a code may be typed in small letters, with blanks and dashes`(_ typed: String) {
        #expect(TypedCode(typed)?.code == "K7Q2M4X")
    }

    @Test(arguments: ["", "ABC", "<script>", "K7Q2M4X!", "ÄÖÜÄÖÜ", String(repeating: "A", count: 33), "K7Q2M4X\0"])
    func `text that cannot be a code is refused`(_ typed: String) { #expect(TypedCode(typed) == nil) }

    @Test func `a viewer who arrives with the code first sees its purpose`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let page = fixture.send(.get("/activate", query: [Field("code", code.lowercased())]))
        #expect(page.status == 200)
        #expect(page.text.contains("Lumen TV</strong> on <strong>LTV-200 by Lumen Devices"))
        #expect(page.text.contains(TypedCode.grouped(code)))
        #expect(page.text.contains("<button type=\"submit\""))
        #expect(fixture.sandbox.sandbox.withWorld { world, _ in world.state.attempts.rows.isEmpty })
    }

    @Test func `the picker offers the enabled providers of the service provider, but no temporary pass`()
        throws
    {
        let fixture = try PageFixture(app: "summit")
        let page = fixture.activate(fixture.code("SUMMITTV"))
        #expect(page.text.pieces("name=\"mvpd\" value=\"", "\"") == ["AlpenTel", "BeaconTV"])
        let lumen = try PageFixture()
        #expect(
            lumen.activate(lumen.code()).text.pieces("name=\"mvpd\" value=\"", "\"")
                == ["NorthCable", "AlpenTel", "BeaconTV"])
    }

    @Test(arguments: ["LumenPreview", "Nobody", "", "<b>"])
    func `a provider that was not offered cannot be chosen`(_ provider: String) throws {
        let fixture = try PageFixture()
        let answer = fixture.activate(fixture.code(), provider: provider)
        #expect(answer.status == (provider.isEmpty ? 200 : 400))
        #expect(answer.heading == "Who is your TV provider?")
    }

    /// rest-v2.md S2, S3: the session knows the viewer's choice.
    @Test func `the choice completes the session`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        _ = fixture.activate(code, provider: "BeaconTV")
        let session = try #require(fixture.sandbox.sandbox.withWorld { world, _ in world.state.sessions[code] })
        #expect(session.mvpd == "BeaconTV")
        #expect(session.domainName == "127.0.0.1")
        #expect(session.redirectURL == SandboxFixture.origin + "/activated")
        #expect(session.missing.isEmpty)
    }

    @Test func `a viewer who chose the wrong provider can choose again`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let login = fixture.login(code, "BeaconTV")
        #expect(
            login.page.text.contains("/activate?code=\(code)&amp;choose=provider")
                || login.page.text.contains("/activate?code=\(code)&choose=provider"))
        let choice = fixture.send(.get("/activate", query: [Field("code", code), Field("choose", "provider")]))
        #expect(choice.heading == "Who is your TV provider?")
        #expect(fixture.login(code, "NorthCable").page.heading == "Sign in with North Cable")
    }

    @Test func `if the TV has chosen the provider, the viewer gets its page at once`() throws {
        let fixture = try PageFixture()
        let code = fixture.code("LUMENTV", [Field("mvpd", "AlpenTel")])
        #expect(fixture.send(.get("/activate", query: [Field("code", code)])).text.contains("Continue with AlpenTel"))
        #expect(LoginInBrowser(fixture, fixture.activate(code)).page.heading == "Sign in with AlpenTel")
    }

    /// rest-v2.md §14: under AuthNAll, viewers need no login.
    @Test func `while a rule admits everyone, no sign-in is requested`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        fixture.sandbox.sandbox.withWorld { world, _ in
            world.state.degradations["north-cable-login-down"]?.isActive = true
        }
        let page = fixture.activate(code, provider: "NorthCable")
        #expect(page.heading == "You do not need to sign in")
        #expect(page.text.contains("North Cable does not ask anybody to sign in"))
        #expect(fixture.sandbox.sandbox.withWorld { world, _ in world.state.sessions[code]?.mvpd } == "NorthCable")
    }

    /// rest-v2.md S1: `authenticated`.
    @Test func `on a device that is signed in, no sign-in is requested`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        fixture.sandbox.sandbox.withWorld { world, now in
            guard var other = world.state.sessions[code],
                let ada = world.catalogue.provider("NorthCable")?.subscriber("ada")
            else { return }
            other.code = "OTHER22"
            world.state.sessions[other.code] = other
            world.completeLogin(other, mvpd: "NorthCable", subscriber: ada, home: nil, at: now)
        }
        #expect(fixture.activate(code).heading == "You do not need to sign in")
    }

    /// Contract: rest-v2.md §11.
    @Test func `at home the provider does not ask for a password`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let answer = fixture.activate(code, provider: "AlpenTel", [Field("X-Forwarded-For", "203.0.113.7")])
        #expect(answer.status == 302)
        #expect(answer.location.hasPrefix("/activated"))
        #expect(fixture.user(of: code) == "resi")
        let home = fixture.sandbox.sandbox.withWorld { world, _ in
            world.state.sessions[code]?.profile.flatMap { world.state.profiles[$0]?.home }
        }
        #expect(home == "203.0.113.7")
    }

    /// Contract: rest-v2.md §4 S4, §19.12.
    @Test func `after S4 the browser ends at the app's address`() throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode("http://tv.lumentv.example/done?x=1")
        let redirect = fixture.authenticate(code)
        #expect(redirect.status == 302)
        #expect(redirect.location.hasPrefix("/login/"))
        let login = LoginInBrowser(fixture, redirect)
        #expect(
            login.page.header("Content-Security-Policy")?.contains("form-action 'self' http://tv.lumentv.example;")
                == true)
        let end = login.submit()
        #expect(end.status == 303)
        #expect(end.location == "http://tv.lumentv.example/done?x=1")
        #expect(fixture.user(of: code) == "ada")
    }

    @Test func `after S4 the browser may end at an address with the app's own scheme`() throws {
        let fixture = try PageFixture()
        let login = LoginInBrowser(fixture, fixture.authenticate(fixture.completeCode("lumentv:signed-in")))
        #expect(login.page.header("Content-Security-Policy")?.contains("form-action 'self' lumentv:;") == true)
        #expect(login.submit().location == "lumentv:signed-in")
    }

    @Test(arguments: [("AlpenTel", "203.0.113.7", "resi")])
    func `after S4 a viewer at home needs no page`(_ provider: String, _ address: String, _ user: String) throws {
        let fixture = try PageFixture()
        let code = fixture.completeCode("http://lumentv.example/done", provider)
        let answer = fixture.authenticate(code, [Field("X-Forwarded-For", address)])
        #expect(answer.location == "http://lumentv.example/done")
        #expect(fixture.user(of: code) == user)
    }

    @Test func `a cancel changes nothing`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let login = fixture.login(code)
        let page = fixture.send(.get(login.path + "/cancel"))
        #expect(page.heading == "You are not signed in")
        #expect(page.text.contains("/activate?code=\(code)"))
        #expect(fixture.user(of: code) == nil)
        #expect(login.submit().status == 303)
    }

    @Test func `a simulated timeout of a login ends its code, and no other site can cause it`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let login = fixture.login(code)
        #expect(login.page.text.contains("formaction=\"\(login.path)/time-out\""))
        #expect(fixture.send(.post(login.path + "/time-out", form: [Field("csrf", "guessed")])).status == 403)
        #expect(fixture.send(.post(login.path + "/time-out", form: [])).status == 403)
        #expect(fixture.send(.get(login.path + "/time-out")).status != 200)
        #expect(fixture.send(.get(login.path)).status == 200)
        let page = fixture.send(.post(login.path + "/time-out", form: [Field("csrf", login.token)]))
        #expect(page.heading == "This code has expired")
        #expect(login.submit().heading == "This code has expired")
        #expect(fixture.activate(code).text.contains("This code has expired"))
        #expect(fixture.user(of: code) == nil)
    }

    @Test func `a cancel after S4 is reported to the app`() throws {
        let fixture = try PageFixture()
        let login = LoginInBrowser(
            fixture, fixture.authenticate(fixture.completeCode("http://lumentv.example/done?x=1")))
        let answer = fixture.send(.get(login.path + "/cancel"))
        #expect(answer.status == 302)
        #expect(answer.location == "http://lumentv.example/done?x=1&error=access_denied")
    }

    @Test func `a login that ends on the sandbox's own last page says so there, and a cancelled one can be repeated`()
        throws
    {
        let fixture = try PageFixture()
        let own = fixture.sandbox.sandbox.withWorld { world, _ in world.pages.address("/activated") }
        let login = LoginInBrowser(fixture, fixture.authenticate(fixture.completeCode(own)))
        let cancelled = fixture.send(.get(login.path + "/cancel"))
        #expect(cancelled.status == 200 && cancelled.heading == "You are not signed in")
        let end = login.submit()
        #expect(end.location.hasPrefix("/activated?login="), "\(end.location)")
        let page = fixture.send(.get("/activated", query: [Field("login", String(end.location.dropFirst(17)))]))
        #expect(page.heading == "You are signed in")
    }

    @Test func `another page at the sandbox's place does not learn which login it was`() throws {
        let fixture = try PageFixture()
        let other = fixture.sandbox.sandbox.withWorld { world, _ in world.pages.address("/activated") } + "?x=1"
        let login = LoginInBrowser(fixture, fixture.authenticate(fixture.completeCode(other)))
        #expect(login.submit().location == other)
    }

    @Test func `a form that is sent twice leads to the same page`() throws {
        let fixture = try PageFixture()
        let login = fixture.login(fixture.code())
        let first = login.submit()
        let second = login.submit()
        #expect(second.status == 303)
        #expect(second.location == first.location)
    }

    @Test func `a sign-in in another tab does not affect this one`() throws {
        let fixture = try PageFixture()
        let code = fixture.code()
        let one = fixture.login(code, "NorthCable")
        let two = fixture.login(code, "BeaconTV")
        #expect(one.path != two.path)
        #expect(one.submit().status == 303)
        #expect(fixture.user(of: code) == "ada")
    }

    /// Contract: rest-v2.md §4 L1.
    @Test(arguments: [
        ("http://lumentv.example/bye", "http://lumentv.example/bye"), ("lumentv:bye", "lumentv:bye"),
        ("http://127.0.0.1:8642/activate", "http://127.0.0.1:8642/activate"),
        ("https://evil.example/", nil), ("//evil.example/", nil), ("javascript:alert(1)", nil), ("summit:bye", nil),
        ("http://lumentv.example@evil.example/", nil), ("http://evil.example/\\lumentv.example", nil), (nil, nil),
    ])
    func `the sign-out page redirects only to registered addresses`(
        _ redirect: String?, _ location: String?
    ) throws {
        let fixture = try PageFixture()
        var query = [Field("requestor_id", "LUMENTV"), Field("mso_id", "NorthCable")]
        if let redirect { query.append(Field("redirect_url", redirect)) }
        let answer = fixture.send(.get("/adobe-services/logout", query: query))
        #expect(answer.header("Location") == location)
        if location == nil { #expect(answer.heading == "You are signed out of North Cable") }
    }

    @Test(arguments: [
        [], [Field("requestor_id", "X"), Field("mso_id", "NorthCable")], [Field("requestor_id", "LUMENTV")],
    ])
    func `without a viewer the sign-out page says what to do`(_ query: [Field]) throws {
        let answer = try PageFixture().send(.get("/adobe-services/logout", query: query))
        #expect(answer.status == 400)
        #expect(answer.text.contains("To sign out, use the settings"))
    }
}
