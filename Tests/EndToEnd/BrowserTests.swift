// Tests the viewer's pages with a real browser, at the size of a phone and of a television.

import PassJSON
import Synchronization
import Testing

@testable import PassSandbox

@Suite(.serialized) struct BrowserTests {
    let server: SandboxServer

    init() throws {
        let root = String(#filePath.dropLast("Tests/EndToEnd/BrowserTests.swift".count))
        var options = SandboxOptions(catalogue: root + "Config/sandbox/catalog.json")
        options.listen = try #require(ListenAddress("127.0.0.1:0"))
        options.throttled = false
        server = try SandboxServer(options)
        server.sandbox.core.withLock { core in
            let now = core.world.now
            core.world.state.clients["tv"] = Client(id: "tv", secret: "", app: "lumen-tv", issued: now, ends: nil)
            core.world.state.tokens[tokenKey("tv-token")] = AccessToken(
                client: "tv", issued: now, ends: now + 86_400_000)
        }
    }

    /// The code that the TV shows.
    private func code() throws -> String {
        let answer = server.sandbox.answer(
            Request(
                method: "POST", path: "/api/v2/LUMENTV/sessions",
                headers: [
                    Field("Authorization", "Bearer tv-token"),
                    Field("Content-Type", "application/x-www-form-urlencoded"),
                    Field("AP-Device-Identifier", "fingerprint " + base64("box".utf8)),
                    Field(
                        "X-Device-Info",
                        base64(#"{"model":"LTV-200","manufacturer":"Lumen Devices","osName":"Linux"}"#.utf8)),
                ], form: []))
        return try #require(try JSONReader.read(answer.body)["code"]?.string)
    }

    private func user(of code: String) -> String? {
        server.sandbox.core.withLock { core in
            core.world.state.sessions[code]?.profile.flatMap { core.world.state.profiles[$0]?.user }
        }
    }

    private func expectClean(_ page: BrowserPage, _ location: SourceLocation = #_sourceLocation) {
        #expect(page.leftTheSandbox() == [], "requests to other hosts", sourceLocation: location)
        #expect(!page.browser.requests.isEmpty, sourceLocation: location)
        #expect(page.browser.complaints == [], sourceLocation: location)
        server.stop()
    }

    @Test(arguments: [Screen.phone, .phone.withoutScript(), .phone.dark()])
    func `a viewer with a phone signs the TV in, after a wrong code and a wrong password`(_ screen: Screen) throws {
        let page = try BrowserPage(screen, origin: server.origin)
        let code = try code()
        try page.open("/activate")
        try page.arrive("Enter the code your TV shows")
        try page.picture("1-code")
        try page.click("#code")
        try page.type("zzzzzzz")
        if screen.hasScript { #expect(try page.see("document.querySelector('#code').value") == "ZZZ ZZZZ") }
        try page.click("button[type=submit]")
        try page.wait("document.title.startsWith('Error: We do not know this code')")
        try page.arrive("Enter the code your TV shows")
        #expect(try page.text().contains("Compare it with the code on your TV"))
        try page.picture("2-wrong-code")
        if screen.hasScript {
            // What is typed now replaces the wrong code.
            try page.waitForFocus("code")
            #expect(try page.see("getSelection().toString()") == "ZZZ ZZZZ")
        } else {
            try page.see("document.querySelector('#code').select()").expectNothing()
        }
        try page.type(code.lowercased())
        try page.click("button[type=submit]")

        try page.arrive("Who is your TV provider?")
        #expect(try page.text().contains("Lumen TV on LTV-200 by Lumen Devices"))
        #expect(try page.see("[...document.images].every(i => i.naturalWidth > 0)") == true)
        try page.picture("3-choice")
        try page.click("button[value=NorthCable]")

        try page.arrive("Sign in with North Cable")
        try page.picture("4-login")
        try page.click("#user")
        try page.type("ada")
        try page.click("#password")
        try page.type("wrong")
        try page.click("button[type=submit]")
        try page.wait("document.title.startsWith('Error: User name or password is wrong')")
        try page.arrive("Sign in with North Cable")
        try page.waitForFocus("password")
        #expect(try page.see("document.querySelector('#user').value") == "ada")
        try page.picture("5-wrong-password")
        try page.type("lovelace")
        if screen.hasScript {
            try page.click(".reveal button")
            #expect(try page.see("document.querySelector('#password').type") == "text")
            try page.picture("6-password-shown")
        }
        try page.click("button[type=submit]")

        try page.arrive("You are signed in")
        #expect(try page.text().contains("Back to the TV: Lumen TV is signed in and continues by itself."))
        #expect(user(of: code) == "ada")
        try page.picture("7-end")
        expectClean(page)
    }

    @Test(arguments: [Screen.phone, .phone.withoutScript(), .television])
    func `a viewer signs the TV in by keyboard alone`(_ screen: Screen) throws {
        let page = try BrowserPage(screen, origin: server.origin)
        let code = try code()
        try page.open("/activate")
        try page.arrive("Enter the code your TV shows")
        try page.waitForFocus("code")
        try page.type(code)
        try page.press(.enter)

        try page.arrive("Who is your TV provider?")
        try tab(to: "BeaconTV", page)
        #expect(try page.see("getComputedStyle(document.activeElement).outlineStyle") == "solid")
        try page.picture("keyboard-choice")
        try page.press(.enter)

        try page.arrive("Sign in with Beacon TV")
        try page.waitForFocus("user")
        try page.type("omar")
        try page.press(.tab)
        try page.waitForFocus("password")
        try page.type("lighthouse")
        try page.press(.enter)
        try page.arrive("You are signed in")
        #expect(user(of: code) == "omar")
        expectClean(page)
    }

    private func tab(to element: String, _ page: BrowserPage) throws {
        for _ in 1...12 where try page.focused() != element { try page.press(.tab) }
        #expect(try page.focused() == element)
    }

    @Test func `on a phone in landscape, the button is on the screen`() throws {
        let page = try BrowserPage(.phoneOnItsSide, origin: server.origin)
        func expectInSight(_ element: String) throws {
            let end = try #require(
                try page.see("document.querySelector('\(element)').getBoundingClientRect().bottom").double)
            #expect(end <= Double(Screen.phoneOnItsSide.height), "\(element)")
            #expect(try page.see("scrollY") == 0)
        }
        try page.open("/activate")
        try page.arrive("Enter the code your TV shows")
        try expectInSight("button[type=submit]")
        try page.picture("side-code")
        try page.open("/activate?code=\(try code())")
        try page.arrive("Sign in on your TV?")
        try expectInSight("button[type=submit]")
        try page.picture("side-confirmation")
        expectClean(page)
    }

    @Test(arguments: [
        Screen(name: "desk", width: 1280, height: 720), Screen(name: "hand", width: 390, height: 844, isPhone: true),
        .phone.withoutScript(),
    ])
    func `a developer sees new codes and presses buttons on the start page`(_ screen: Screen) throws {
        let page = try BrowserPage(screen, origin: server.origin)
        try page.open("/")
        try page.arrive("pass-sandbox")
        #expect(try page.text().contains("ada with password lovelace"))
        let code = try code()
        let details = "#controls ~ ul details"
        let link = "a[href='/activate?code=\(code)']"
        if screen.hasScript {
            try page.see("document.querySelector('\(details)').setAttribute('open', '')").expectNothing()
        } else {
            try page.open("/")
            try page.arrive("pass-sandbox")
        }
        try page.wait("document.querySelector(\"\(link)\") !== null")
        try page.picture("dashboard")
        try page.click("#dashboard [data-live=codes] button")
        try page.wait("document.querySelector(\"\(link)\") === null")
        try page.wait("document.querySelector('[data-live=last]').textContent.includes('{\"ended\":1}')")
        #expect(server.sandbox.core.withLock { $0.world.state.sessions[code]?.problem(at: $0.world.now) } == .expired)
        if screen.hasScript {
            // The page was not loaded again.
            #expect(try page.see("document.querySelector('\(details)').open") == true)
        }
        try page.click("#dashboard [data-live=apps] button")
        try page.wait("document.querySelectorAll('[data-live=apps] .tag.bad').length === 2")
        try page.picture("dashboard-pressed")
        expectClean(page)
    }

    /// The height of the smallest link.
    private func lowestLink(_ page: BrowserPage) throws -> Double {
        let heights = "[...document.querySelectorAll('a:not(.skip)')].map(a => a.getBoundingClientRect().height)"
        return try #require(try page.see("Math.min(...\(heights))").double)
    }

    @Test(arguments: [Screen.phone, .phone.dark(), .television, .television.dark()])
    func `every page fits the screen and is readable from the viewer's distance`(_ screen: Screen) throws {
        let page = try BrowserPage(screen, origin: server.origin)
        try page.open("/")
        try page.arrive("pass-sandbox")
        try page.open("/errors#invalid_integration")
        try page.arrive("Error codes")
        try page.picture("errors")

        let code = try code()
        try page.open("/")
        try page.arrive("pass-sandbox")
        try page.picture("start")
        #expect(try lowestLink(page) >= 24)
        try page.open("/activate?code=" + code)
        try page.arrive("Sign in on your TV?")
        try page.picture("confirmation")
        for (provider, name) in [("NorthCable", "North Cable"), ("AlpenTel", "AlpenTel"), ("BeaconTV", "Beacon TV")] {
            try page.open("/activate?choose=provider&code=" + code)
            try page.arrive("Who is your TV provider?")
            if provider == "NorthCable" { try page.picture("choice") }
            try page.click("button[value=\(provider)]")
            try page.arrive("Sign in with \(name)")
            let size = try #require(
                try page.see("parseFloat(getComputedStyle(document.querySelector('label')).fontSize)").double)
            #expect(size >= (screen.isPhone ? 16 : 24))
            if !screen.isPhone {
                let height = try #require(try page.see("document.documentElement.scrollHeight").int)
                #expect(height <= screen.height, "a remote control does not scroll well")
            }
            #expect(try lowestLink(page) >= 24)
            try page.picture("login-\(provider)")
            try page.click("a[href$='/cancel']")
            try page.arrive("You are not signed in")
        }
        try page.open("/activate?choose=provider&code=" + code)
        try page.arrive("Who is your TV provider?")
        try page.click("button[value=NorthCable]")
        try page.arrive("Sign in with North Cable")
        try page.waitForFocus("user")
        try page.type("noor")
        try page.press(.tab)
        try page.waitForFocus("password")
        try page.type("nothing")
        try page.press(.enter)
        try page.arrive("You are signed in, but Lumen TV is not in your package")
        try page.picture("without-channel")
        try page.open("/login/nothing")
        try page.arrive("This sign-in page has expired")
        try page.open("/activate?code=" + code)
        try page.wait("document.title.startsWith('Error: This code has already been used')")
        try page.picture("used-code")
        try page.open("/adobe-services/logout?requestor_id=LUMENTV&mso_id=BeaconTV")
        try page.arrive("You are signed out of Beacon TV")
        try page.picture("signed-out")
        expectClean(page)
    }
}

extension JSONValue {
    fileprivate func expectNothing() { #expect(self == .null) }
}
