// Tests login and logout in REST V1, with a scripted service.

import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v1.md §6.1, §6.2, §6.4, §6.13, §7, §9.1: logins") struct OldLoginTests {
    private static let nobody: OldBox.Replies = [
        OldSample.authnPath: [OldSample.basic(404)], OldSample.codePath: [.answer(201, OldSample.code)],
        OldSample.configurationPath: [.answer(200, OldSample.configuration)],
    ]

    private static let page = "GET /api/v1/authenticate"

    private func begin(_ box: OldBox, _ request: LoginRequest = LoginRequest(provider: north)) async throws -> LoginStep
    {
        try await box.run { backend, caller in try await backend.beginLogin(request, caller) }
    }

    /// With a stopped clock.
    private func beginAtOnce(_ box: OldBox) async throws -> LoginStep {
        try await box.backend.beginLogin(LoginRequest(provider: north), box.caller())
    }

    private func shown(_ step: LoginStep) throws -> OpenLogin {
        switch step {
        case .showCode(let login), .openURL(let login): login
        case .alreadyIn: try #require(nil as OpenLogin?)
        }
    }

    @Test func `§6.1: the code, its life by the service's own dates, and its page come from the record`() async throws {
        let box = try OldBox(codes: "https://codes.example", Self.nobody)
        let step = try await begin(box)
        guard case .showCode(let login) = step else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.code.rawValue == "7KQ2MZP" && login.provider == north)
        #expect(login.url == "https://login.example/activate?code=7KQ2MZP")
        #expect(login.notBefore.duration(to: login.notAfter) == .seconds(1800))
        #expect(
            box.calls == [
                "GET /api/v1/config/LUMENTV", "GET /api/v1/tokens/authn?requestor=LUMENTV&deviceId=abc",
                "POST /reggie/v1/LUMENTV/regcode?deviceId=abc&mvpd=NorthCable",
            ])
        #expect(box.service.calls.map { $0.url.origin.host } == ["sp.example", "sp.example", "codes.example"])
        #expect(box.service.calls.last?.body == [])
    }

    @Test func `a code needs no provider`() async throws {
        let box = try OldBox(Self.nobody)
        #expect(try shown(try await begin(box, LoginRequest(provider: nil))).provider == nil)
        #expect(box.calls.last == "POST /reggie/v1/LUMENTV/regcode?deviceId=abc")
    }

    @Test(arguments: [
        (nil as String?, ""),
        ("https://a.example/tv", "https://a.example/tv?code=7KQ2MZP"),
        ("javascript:alert(1)", ""),
        ("http://a.example/", ""),
    ]) func `E15, OQ-39: if the record has no page, no address is invented`(
        named: String?, url: String
    ) async throws {
        var replies = Self.nobody
        let info = named.map { #", "info": {"registrationURL": "\#($0)"}"# } ?? ""
        replies[OldSample.codePath] = [
            .answer(200, #"{"code": "7KQ2MZP", "generated": "1893456000000", "expires": 1893457800000\#(info)}"#)
        ]
        #expect(try shown(try await begin(try OldBox(replies))).url == url)
    }

    @Test func `a configured page is sent to the service`() async throws {
        let box = try OldBox(site: LoginSite(activationURL: "https://tv.example/go"), Self.nobody)
        _ = try await begin(box)
        #expect(box.calls.last?.hasSuffix("&registrationURL=https%3A%2F%2Ftv.example%2Fgo") == true)
        #expect(try shown(try await begin(box)).url == "https://tv.example/go?code=7KQ2MZP", "with any answer")
        let page = try OldBox(site: LoginSite(activationURL: "https://tv.example/?a=b#activate"), Self.nobody)
        #expect(try shown(try await begin(page)).url == "https://tv.example/?a=b&code=7KQ2MZP#activate")
    }

    @Test func `§6.4, OQ-50: a browser is sent to the login page, with the code first and the redirect last`()
        async throws
    {
        let box = try OldBox(
            site: LoginSite(domainName: "lumen.example", redirectURL: "https://lumen.example/done?x=1"), Self.nobody)
        guard case .openURL(let login) = try await begin(box, LoginRequest(provider: north, style: .browser)) else {
            Issue.record("no browser is opened")
            return
        }
        #expect(
            login.url
                == "https://sp.example/api/v1/authenticate?reg_code=7KQ2MZP&requestor_id=LUMENTV&mso_id=NorthCable"
                + "&domain_name=lumen.example&noflash=true&no_iframe=true"
                + "&redirect_url=https%3A%2F%2Flumen.example%2Fdone%3Fx%3D1")
        #expect(!box.calls.contains { $0.contains("/authenticate?") }, "the browser opens the page, not the box")
    }

    @Test(arguments: ["lumen.example", nil])
    func `ruling 43: a phone gets a link to the login page if a domain is known`(domain: String?) async throws {
        let site = LoginSite(
            domainName: domain, finishURL: "https://tv.example/done", activationURL: "https://tv.example/go")
        let login = try shown(try await begin(try OldBox(site: site, Self.nobody)))
        #expect(
            login.link
                == domain.map {
                    "https://sp.example/api/v1/authenticate?reg_code=7KQ2MZP&requestor_id=LUMENTV&mso_id=NorthCable"
                        + "&domain_name=\($0)&noflash=true&no_iframe=true"
                        + "&redirect_url=https%3A%2F%2Ftv.example%2Fdone"
                })
        #expect(login.url == "https://tv.example/go?code=7KQ2MZP")
        #expect(login.missingLink == (domain == nil ? .noDomain : nil))
    }

    @Test func `ruling 43: if the service does not accept a link, it is not shown, and the reason is kept`()
        async throws
    {
        var replies = Self.nobody
        replies[Self.page] = [OldSample.basic(400), .answer(200, "<form></form>")]
        let site = LoginSite(domainName: "lumen.example", finishURL: "https://tv.example/done")
        let box = try OldBox(site: site, replies)
        let refused = try shown(try await beginAtOnce(box))
        #expect(refused.link == nil && refused.missingLink == .addressRefused)
        #expect(
            box.calls.last { $0.contains("/authenticate?") }?.hasSuffix("&redirect_url=https%3A%2F%2Ftv.example%2Fdone")
                == true)
        let mended = try shown(try await beginAtOnce(box))
        #expect(mended.link != nil && mended.missingLink == nil)
    }

    @Test(arguments: ["adobepass://ios.app", "adobepass://ios.app?x=1"])
    func `§6.4, access-enabler §7.2 row 4: if the login page redirects straight back, no code is needed`(
        back: String
    ) async throws {
        var replies = Self.nobody
        replies[Self.page] = [.headed(302, "", ["Location": back])]
        replies[OldSample.authnPath] = [
            OldSample.basic(404), .headed(200, OldSample.token(), ["X-Sandbox-Origin": "authnall"]),
        ]
        let box = try OldBox(site: LoginSite(domainName: "lumen.example"), replies)
        guard case .alreadyIn(let provider, .degraded) = try await beginAtOnce(box) else {
            Issue.record("a code is shown")
            return
        }
        #expect(provider == north)
        let asked = try #require(box.service.calls.first { $0.url.path == "/api/v1/authenticate" })
        #expect(
            asked.url.target
                == "/api/v1/authenticate?reg_code=7KQ2MZP&requestor_id=LUMENTV&mso_id=NorthCable"
                + "&domain_name=lumen.example&noflash=true&no_iframe=true&redirect_url=adobepass%3A%2F%2Fios.app")
        #expect(asked.headers["Authorization"] == nil && asked.headers["X-Device-Info"] == nil)
    }

    @Test(
        arguments: [
            .headed(302, "", ["Location": "https://login.north.example/saml?x=adobepass://ios.app"]),
            .headed(302, "", [:]),
            .headed(302, "", ["Location": "adobepass://ios.app?error=access_denied"]),
            .answer(200, "<html><form action='https://login.north.example/'></form></html>"), .answer(200, ""),
            OldSample.basic(400), .answer(401, ""), OldSample.throttled, .answer(503, ""), .fault(.unreachable),
        ] as [ScriptedService.Reply])
    func `§6.4: after any other answer of the login page, the code is shown`(reply: ScriptedService.Reply) async throws
    {
        var replies = Self.nobody
        replies[Self.page] = [reply]
        let box = try OldBox(site: LoginSite(domainName: "lumen.example"), replies)
        #expect(try shown(try await beginAtOnce(box)).code.rawValue == "7KQ2MZP")
        #expect(box.service.count("/api/v1/authenticate") == 1)
    }

    @Test(arguments: [(nil as String?, true), ("hba", true), ("authnall", false)])
    func `ruling 44: after a refused logout, a login that is not the viewer's counts only without any viewer`(
        origin: String?, showsCode: Bool
    ) async throws {
        var replies = Self.nobody
        replies[Self.page] = [.headed(302, "", ["Location": "adobepass://ios.app"])]
        var headers = HTTPHeaders()
        if let origin { headers = ["X-Sandbox-Origin": origin] }
        replies[OldSample.authnPath] = [OldSample.basic(404), .headed(200, OldSample.token(), headers)]
        let box = try OldBox(site: LoginSite(domainName: "lumen.example"), replies)
        var fresh = LoginRequest(provider: north)
        fresh.isFresh = true
        switch try await box.backend.beginLogin(fresh, box.caller()) {
        case .showCode: #expect(showsCode)
        case .alreadyIn(_, let reason): #expect(!showsCode && reason == .degraded)
        case .openURL: Issue.record("no browser was asked for")
        }
    }

    @Test func `§6.4: the login page of a provider is requested at most once a minute`() async throws {
        var replies = Self.nobody
        replies[Self.page] = [.headed(302, "", ["Location": "https://login.north.example/"])]
        let box = try OldBox(site: LoginSite(domainName: "lumen.example"), replies)
        for _ in 1...3 { _ = try shown(try await beginAtOnce(box)) }
        #expect(box.service.count("/api/v1/authenticate") == 1)
        box.clock.advance(by: .seconds(61))
        _ = try shown(try await beginAtOnce(box))
        #expect(box.service.count("/api/v1/authenticate") == 2)
    }

    @Test func `§6.4: a login page that does not answer delays the code by two seconds`() async throws {
        var replies = Self.nobody
        replies[Self.page] = [.held]
        let box = try OldBox(site: LoginSite(domainName: "lumen.example"), replies)
        let began = box.clock.boot
        async let step = beginAtOnce(box)
        await eventually { box.service.heldCount == 1 }
        box.clock.advance(by: .seconds(2))
        #expect(try shown(try await step).code.rawValue == "7KQ2MZP")
        #expect(began.duration(to: box.clock.boot) == .seconds(2))
    }

    @Test func `§6.4: without a domain the login page is not requested, because the page requires one`() async throws {
        let box = try OldBox(Self.nobody)
        _ = try shown(try await begin(box))
        #expect(!box.calls.contains { $0.contains("/authenticate?") })
    }

    @Test func `a viewer who is logged in with that provider needs no code, unless a new login is required`()
        async throws
    {
        var replies = OldSample.loggedIn
        replies[OldSample.codePath] = [.answer(201, OldSample.code)]
        let box = try OldBox(replies)
        guard case .alreadyIn(let provider, .regular) = try await begin(box) else {
            Issue.record("a code is shown")
            return
        }
        #expect(provider == north)
        #expect(!box.calls.contains { $0.contains("/regcode") })
        var fresh = LoginRequest(provider: north)
        fresh.isFresh = true
        _ = try shown(try await begin(box, fresh))
        let forced = try shown(try await begin(box, LoginRequest(provider: north, isForced: true)))
        let caller = box.caller()
        guard case .pending = try await box.backend.pollLogin(forced, caller) else {
            Issue.record("the former login is taken for the new one")
            return
        }
    }

    @Test
    func `rest-v2.md §19 item 7: a forced login waits during a pause of the service, gets a code, and ends no login`()
        async throws
    {
        var replies = OldSample.loggedIn
        replies[OldSample.authnPath] = [OldSample.throttled, .answer(200, OldSample.token())]
        replies[OldSample.codePath] = [OldSample.throttled, .answer(201, OldSample.code)]
        let box = try OldBox(replies)
        let start = box.clock.now
        let forced = try shown(try await begin(box, LoginRequest(provider: north, isForced: true)))
        #expect(box.clock.now - start >= .seconds(2), "one second for each 429")
        #expect(box.calls.count { $0.contains("/regcode") } == 2 && box.service.registrations == 1)
        #expect(!box.calls.contains { $0.hasPrefix("DELETE") })
        guard case .pending = try await box.run({ try await $0.pollLogin(forced, $1) }) else {
            Issue.record("the former login is taken for the new one")
            return
        }
    }

    @Test func `§19 item 10: an earlier login with another provider does not complete this code`() async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.codePath] = [.answer(201, OldSample.code)]
        replies[OldSample.authnPath] = [
            .answer(200, OldSample.token("EastSat")), .answer(200, OldSample.token("EastSat")),
            .answer(200, OldSample.token("NorthCable")),
        ]
        let box = try OldBox(replies)
        let login = try shown(try await begin(box))
        guard case .pending = try await box.backend.pollLogin(login, box.caller()),
            case .done(let profile) = try await box.backend.pollLogin(login, box.caller())
        else {
            Issue.record("the wrong login ends it")
            return
        }
        #expect(profile.provider == north)
    }

    @Test(arguments: [
        "{}", "[]", "", "<html>", #"{"code": "7KQ", "generated": 1}"#, #"{"code": "", "generated": 1, "expires": 2}"#,
        #"{"code": 7, "generated": 1, "expires": 2}"#, #"{"code": "a b", "generated": 1, "expires": 2}"#,
        #"{"code": "7KQ", "generated": "soon", "expires": 2}"#, #"{"code": "7KQ", "generated": 1, "expires": 2"#,
        #"{"code": "\#(String(repeating: "A", count: 65))", "generated": 1, "expires": 2}"#,
    ]) func `an invalid record shows no code`(body: String) async throws {
        var replies = Self.nobody
        replies[OldSample.codePath] = [.answer(201, body)]
        let box = try OldBox(replies)
        #expect(
            try await box.fault { try await $0.beginLogin(LoginRequest(provider: north), $1) } == .unusableAnswer)
    }

    @Test(arguments: [
        (1, 36_000_001, Duration.seconds(36_000)), (5, 1, .zero), (-9, Int64.max, .seconds(36_000)),
        (0, 1_800_000, .seconds(1800)),
    ]) func `§6.1: no code is valid for longer than the maximum`(from: Int64, to: Int64, life: Duration) async throws {
        var replies = Self.nobody
        replies[OldSample.codePath] = [.answer(201, #"{"code": "7KQ", "generated": \#(from), "expires": \#(to)}"#)]
        let login = try shown(try await begin(try OldBox(replies)))
        #expect(login.notBefore.duration(to: login.notAfter) == life)
    }

    @Test func `a second code is not requested if the first code may exist`() async throws {
        var replies = Self.nobody
        replies[OldSample.codePath] = [.fault(.timeout(wasSent: true))]
        let box = try OldBox(replies)
        #expect(try await box.fault { try await $0.beginLogin(LoginRequest(provider: north), $1) } == .unreachable)
        #expect(box.calls.count { $0.contains("/regcode") } == 1)
    }

    // MARK: Temporary passes

    private static let pass = ProviderID(rawValue: "LumenPass")
    private static let passPath = "POST /api/v1/authenticate/freepreview"

    @Test func `§9.1: a temporary pass has a call of its own, and no code`() async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.authnPath] = [.answer(200, OldSample.token("LumenPass"))]
        replies[Self.passPath] = [.answer(204, "")]
        let box = try OldBox(site: LoginSite(domainName: "lumen.example"), replies)
        var caller = box.caller()
        caller.options.temporaryIdentity = ["email": "0f1e"]
        let step = try await box.clock.run { [caller] in
            try await box.backend.beginLogin(LoginRequest(provider: Self.pass), caller)
        }
        guard case .alreadyIn(Self.pass, .temporary) = step else {
            Issue.record("a code is shown")
            return
        }
        let call = try #require(box.service.calls.first { $0.method == .post })
        #expect(call.url.target == "/api/v1/authenticate/freepreview")
        #expect(call.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(
            call.text == "requestor_id=LUMENTV&deviceId=abc&mso_id=LumenPass&domain_name=lumen.example"
                + "&generic_data=%7B%22email%22%3A%220f1e%22%7D")
    }

    @Test(arguments: [
        (OldSample.basic(400), "bad_request"), (OldSample.enhanced(400, "unknown_integration"), "invalid_integration"),
        (OldSample.basic(403), "temporary_access_duration_limit_exceeded"),
        (.answer(204, ""), "temporary_access_duration_limit_exceeded"),
    ]) func `§9.3: a refused pass is reported as refused, and so is an accepted pass that is used up`(
        reply: ScriptedService.Reply, code: String
    ) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.authnPath] = [OldSample.basic(410)]
        replies[Self.passPath] = [reply]
        let box = try OldBox(replies)
        let kind = try await box.fault { try await $0.beginLogin(LoginRequest(provider: Self.pass), $1) }
        guard case .refused(let error) = kind else {
            Issue.record("it is not refused: \(String(describing: kind))")
            return
        }
        #expect(error.code == code)
    }

    // MARK: Ends

    @Test(arguments: [204, 404, 500, 429]) func `§6.2: an unwanted code is deleted, and the result is ignored`(
        status: Int
    ) async throws {
        let box = try OldBox(
            codes: "https://codes.example", ["DELETE /reggie/v1/LUMENTV/regcode/K7Q2M4X": [.answer(status, "")]])
        let caller = box.caller()
        try await box.clock.run { await box.backend.abandonLogin(Sample.login, caller) }
        #expect(box.calls.first == "DELETE /reggie/v1/LUMENTV/regcode/K7Q2M4X")
        #expect(box.service.calls.first?.url.origin.host == "codes.example")
    }

    @Test func `§6.13, OQ-43: the service ends the login, and a browser ends the provider's session`() async throws {
        let box = try OldBox(["DELETE /api/v1/logout": [.answer(204, "")]])
        var caller = box.caller()
        caller.options.style = .browser
        #expect(
            try await box.backend.logout(north, caller)
                == .openURL(
                    "https://sp.example/api/v1/logout?requestor=LUMENTV&deviceId=abc"
                        + "&redirect_url=adobepass%3A%2F%2Fios.app"))
        #expect(box.calls == ["DELETE /api/v1/logout?requestor=LUMENTV&deviceId=abc"])
        caller.mayShowDevice = false
        #expect(try await box.backend.logout(north, caller) == .finished, "the page's address names the device")
        caller = box.caller()
        caller.options.style = .secondScreen
        #expect(try await box.backend.logout(north, caller) == .finished, "a phone does not get the address either")
    }

    @Test(arguments: [
        (OldSample.basic(404), "nothing"), (OldSample.basic(412), "nothing"),
        (.answer(200, "<html>Hotel</html>"), "unusableAnswer"),
        (.answer(404, "<html>"), "unusableAnswer"), (.answer(200, ""), "page"),
    ]) func `§6.13: only an answer from the service itself ends a login`(
        reply: ScriptedService.Reply, expected: String
    ) async throws {
        let box = try OldBox(["DELETE /api/v1/logout": [reply]])
        let found: String
        do {
            var caller = box.caller()
            caller.options.style = .browser
            switch try await box.backend.logout(north, caller) {
            case .nothingToDo: found = "nothing"
            case .openURL: found = "page"
            case .finished, .systemSettings: found = "other"
            }
        } catch { found = "\(error.kind)" }
        #expect(found == expected)
    }
}
