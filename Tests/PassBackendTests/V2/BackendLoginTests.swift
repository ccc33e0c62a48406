// Tests login and logout through the adapter, with a scripted service.

import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md S1, P3, L1: logins through the adapter") struct BackendLoginTests {
    private func begin(
        _ box: Box, _ style: LoginStyle = .secondScreen, app: String = "tv.app"
    ) async throws -> LoginStep {
        let caller = box.caller(app: app)
        return try await box.clock.run {
            try await box.backend.beginLogin(LoginRequest(provider: north, style: style), caller)
        }
    }

    private static func sessions(_ reply: ScriptedService.Reply) -> ScriptedService.Script {
        { request, _ in request.url.path.hasSuffix("/sessions") ? reply : nil }
    }

    private static let resume = #"""
        {"actionName": "resume", "actionType": "direct", "url": "/api/v2/LUMENTV/sessions/K7", "code": "K7",
         "notAfter": "1795566600000"}
        """#

    @Test func `ruling 43: without settings no domain or redirect is sent, and no page for the code is invented`()
        async throws
    {
        let box = try Box(Self.sessions(.answer(200, Sample.session)))
        guard case .showCode(let login) = try await begin(box) else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.link == "https://sp.example/api/v2/authenticate/LUMENTV/K7Q2M4X" && login.page == nil)
        #expect(login.code.rawValue == "K7Q2M4X" && login.sessionID == "s")
        #expect(box.service.calls.last?.text == "mvpd=NorthCable")
    }

    @Test func `ruling 19: the domain that the service has registered for the requestor is sent`() async throws {
        let configuration = #"""
            {"requestor": {"id": "LUMENTV", "domains": [{"name": "lumen.example"}], "mvpds": [{"id": "NorthCable"}]}}
            """#
        let box = try Box { request, _ in
            if request.url.path.hasSuffix("/configuration") { return .answer(200, configuration) }
            return request.url.path.hasSuffix("/sessions") ? .answer(200, Sample.session) : nil
        }
        _ = try await begin(box)
        #expect(box.service.calls.last?.text == "mvpd=NorthCable&domainName=lumen.example")
        box.clock.advance(by: .seconds(3600))
        _ = try await begin(box)
        #expect(box.service.calls.last?.text == "mvpd=NorthCable&domainName=lumen.example")
        #expect(
            box.service.calls.count { $0.url.path.hasSuffix("/configuration") } == 1, "the domain is requested once")
    }

    @Test(
        arguments: [
            (LoginSite(finishURL: "https://tv.example/done"), "https://tv.example/done"),
            (LoginSite(redirectURL: "https://tv.example/back"), "https://tv.example/back"),
            (LoginSite(redirectURL: "tv.app://back"), nil),
            (LoginSite(redirectURL: "https://127.0.0.1:8443/back"), nil),
            (LoginSite(redirectURL: "https://localhost/back"), nil),
            (LoginSite(redirectURL: "tv.app://back", finishURL: "https://tv.example/done"), "https://tv.example/done"),
        ])
    func `ruling 43: a phone ends at finish-url, or at an https redirect-url, but never at an address of the box`(
        site: LoginSite, sent: String?
    ) async throws {
        var site = site
        site.domainName = "lumen.example"
        site.activationURL = "https://tv.example/go"
        let box = try Box(site: site, Self.sessions(.answer(200, sent == nil ? Self.resume : Sample.session)))
        guard case .showCode(let login) = try await begin(box) else {
            Issue.record("no code is shown")
            return
        }
        let end = sent.map { "&redirectUrl=" + percentEncoded($0) } ?? ""
        #expect(box.service.calls.last?.text == "mvpd=NorthCable&domainName=lumen.example" + end)
        #expect(login.url == "https://tv.example/go?code=\(login.code.rawValue)", "the code can still be typed")
        #expect(login.link == (sent == nil ? nil : "https://sp.example/api/v2/authenticate/LUMENTV/K7Q2M4X"))
        #expect(login.missingLink == nil)
    }

    @Test
    func `ruling 43: without a chosen provider no redirect is sent, because the page adds all parameters`()
        async throws
    {
        let box = try Box(
            site: LoginSite(domainName: "lumen.example", finishURL: "https://tv.example/done"),
            Self.sessions(.answer(200, Self.resume)))
        let caller = box.caller()
        _ = try await box.clock.run { try await box.backend.beginLogin(LoginRequest(provider: nil), caller) }
        #expect(box.service.calls.last?.text == "domainName=lumen.example")
    }

    @Test func `ruling 43: if the service refuses the end of the login, the code has no link, and the reason is given`()
        async throws
    {
        let box = try Box(site: LoginSite(domainName: "lumen.example", finishURL: "https://tv.example/done")) {
            request, before in
            guard request.url.path.hasSuffix("/sessions") else { return nil }
            let refusal = #"{"status": 400, "code": "invalid_parameter_redirect_url", "action": "configuration"}"#
            return before == 0 ? .answer(400, refusal) : .answer(200, Self.resume)
        }
        guard case .showCode(let login) = try await begin(box) else {
            Issue.record("no code is shown")
            return
        }
        #expect(box.service.calls.last?.text == "mvpd=NorthCable&domainName=lumen.example")
        #expect(login.missingLink == .addressRefused && login.link == nil)
    }

    @Test(arguments: [(nil as String?, OpenLogin.MissingLink.noDomain), ("lumen.example", .notGiven)])
    func `ruling 43: if the service still gives no link, the reason is kept`(
        domain: String?, reason: OpenLogin.MissingLink
    ) async throws {
        let box = try Box(
            site: LoginSite(domainName: domain, finishURL: "https://tv.example/done"),
            Self.sessions(.answer(200, Self.resume)))
        guard case .showCode(let login) = try await begin(box) else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.missingLink == reason)
    }

    @Test func `ruling 19: a browser gets the standard redirect, which the engine accepts`() async throws {
        let box = try Box(Self.sessions(.answer(200, Sample.session)))
        _ = try await begin(box, .browser)
        #expect(box.service.calls.last?.text == "mvpd=NorthCable&redirectUrl=adobepass%3A%2F%2Fios.app")
    }

    @Test func `ruling 20: a forced login first ends the former login with that provider, but no temporary pass`()
        async throws
    {
        let configuration = #"""
            {"requestor": {"id": "LUMENTV", "mvpds": [{"id": "NorthCable"}, {"id": "Pass", "isTempPass": true}]}}
            """#
        let box = try Box { request, _ in
            if request.url.path.hasSuffix("/configuration") { return .answer(200, configuration) }
            if request.url.path.contains("/logout/") {
                return .answer(200, #"{"logouts": {"NorthCable": {"actionName": "complete", "mvpd": "NorthCable"}}}"#)
            }
            return request.url.path.hasSuffix("/sessions") ? .answer(200, Sample.session) : nil
        }
        func calls(_ provider: String, isForced: Bool) async throws -> [String] {
            let before = box.service.calls.count
            let caller = box.caller()
            let request = LoginRequest(provider: ProviderID(rawValue: provider), isForced: isForced)
            _ = try await box.clock.run { try await box.backend.beginLogin(request, caller) }
            return box.service.calls.dropFirst(before).map {
                $0.url.path.split(separator: "/").dropFirst(3).joined(separator: "/")
            }
        }
        #expect(try await calls("NorthCable", isForced: true) == ["configuration", "logout/NorthCable", "sessions"])
        #expect(try await calls("NorthCable", isForced: false) == ["sessions"])
        #expect(try await calls("Pass", isForced: true) == ["sessions"])
    }

    @Test func `ruling 20: if the former login cannot be ended, no new login begins`() async throws {
        let box = try Box(site: LoginSite(domainName: "lumen.example")) { request, _ in
            if request.url.path.hasSuffix("/configuration") {
                return .answer(200, #"{"requestor": {"id": "LUMENTV", "mvpds": [{"id": "NorthCable"}]}}"#)
            }
            return request.url.path.contains("/logout/") ? .answer(500, "") : nil
        }
        let caller = box.caller()
        let request = LoginRequest(provider: north, isForced: true)
        let fault = try await box.fault { try await box.backend.beginLogin(request, caller) }
        #expect(fault == .serverError(500))
        #expect(!box.service.calls.contains { $0.url.path.hasSuffix("/sessions") })
    }

    private struct SignOn: PlatformSSO {
        func identityToken(at time: ServerTime) async -> Secret? { Secret("jws") }
        func serviceToken(at time: ServerTime) async -> Secret? { nil }
    }

    private static func known(_ reason: String) -> ScriptedService.Reply {
        .answer(
            200,
            #"{"actionName": "authorize", "actionType": "direct", "reasonType": "\#(reason)", "mvpd": "NorthCable"}"#)
    }

    private static func beginFresh(
        _ replies: [ScriptedService.Reply]
    ) async throws -> (step: Result<LoginStep, BackendFault>, box: Box) {
        let box = try Box(site: LoginSite(domainName: "lumen.example"), platform: SignOn()) { request, before in
            guard request.url.path.hasSuffix("/sessions") else { return nil }
            return replies[min(before, replies.count - 1)]
        }
        var request = LoginRequest(provider: north)
        request.isFresh = true
        let caller = box.caller()
        do {
            let step = try await box.clock.run { [request] in try await box.backend.beginLogin(request, caller) }
            return (.success(step), box)
        } catch let fault as BackendFault { return (.failure(fault), box) }
    }

    @Test func `ruling 44: a fresh login uses another client registration to avoid the former login`() async throws {
        let (step, box) = try await Self.beginFresh([Self.known("authenticated"), .answer(200, Sample.session)])
        guard case .success(.showCode(let login)) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(box.service.registrations == 2 && !login.leavesLogout)
        #expect(box.service.calls.allSatisfy { $0.headers["Adobe-Subject-Token"] == "jws" })
    }

    @Test func `ruling 44: if the service still shares the former login, the next request omits the shared identity`()
        async throws
    {
        let (step, box) = try await Self.beginFresh([
            Self.known("authenticated"), Self.known("authenticatedSSO"), .answer(200, Sample.session),
        ])
        guard case .success(.showCode(let login)) = step else {
            Issue.record("\(step)")
            return
        }
        #expect(login.leavesLogout && box.service.registrations == 2)
        #expect(box.service.calls.map { $0.headers["Adobe-Subject-Token"] } == ["jws", "jws", nil])
    }

    @Test func `ruling 44: no earlier login admits the viewer, but a degradation rule for all viewers does`()
        async throws
    {
        let (refused, box) = try await Self.beginFresh([Self.known("authenticated")])
        guard case .failure = refused else {
            Issue.record("the former viewer is let in")
            return
        }
        #expect(box.service.calls.count == 3)
        guard case .success(.alreadyIn(_, .degraded)) = try await Self.beginFresh([Self.known("degraded")]).step else {
            Issue.record("the rule does not count")
            return
        }
    }

    @Test
    func `E25: a pause of the service delays the logout before a forced login, which then keeps its registration`()
        async throws
    {
        let box = try Box(site: LoginSite(domainName: "lumen.example")) { request, before in
            if request.url.path.hasSuffix("/configuration") { return .answer(200, Sample.providers) }
            if request.url.path.contains("/logout/") {
                return before == 0
                    ? .answer(429, "<html>") : .answer(400, Sample.error("authenticated_profile_missing"))
            }
            return request.url.path.hasSuffix("/sessions") ? .answer(200, Sample.session) : nil
        }
        let caller = box.caller()
        _ = try await box.clock.run {
            try await box.backend.beginLogin(LoginRequest(provider: north, isForced: true), caller)
        }
        #expect(box.service.registrations == 1)
        #expect(box.service.calls.count { $0.url.path.contains("/logout/") } == 2)
    }

    @Test func `ruling 44: a forced login whose logout is refused becomes a fresh login`() async throws {
        let box = try Box(site: LoginSite(domainName: "lumen.example")) { request, before in
            if request.url.path.hasSuffix("/configuration") { return .answer(200, Sample.providers) }
            if request.url.path.contains("/logout/") { return .answer(400, Sample.error("bad_request")) }
            guard request.url.path.hasSuffix("/sessions") else { return nil }
            return before == 0 ? Self.known("authenticated") : .answer(200, Sample.session)
        }
        let caller = box.caller()
        let step = try await box.clock.run {
            try await box.backend.beginLogin(LoginRequest(provider: north, isForced: true), caller)
        }
        guard case .showCode = step else {
            Issue.record("\(step)")
            return
        }
        #expect(box.service.registrations == 2)
    }

    @Test func `a browser of the app is sent to the address from the service`() async throws {
        let box = try Box(Self.sessions(.answer(200, Sample.session)))
        guard case .openURL(let login) = try await begin(box, .browser) else {
            Issue.record("no browser is opened")
            return
        }
        #expect(login.url == "https://sp.example/api/v2/authenticate/LUMENTV/K7Q2M4X")
    }

    @Test(arguments: [LoginStyle.secondScreen, .browser])
    func `an incomplete session is completed on another screen`(style: LoginStyle) async throws {
        let box = try Box(
            site: LoginSite(activationURL: "https://lumen.example/tv"), Self.sessions(.answer(200, Self.resume)))
        guard case .showCode(let login) = try await begin(box, style) else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.url == "https://lumen.example/tv?code=K7")
    }

    @Test func `rulings 18, 19: without any page, a screen shows only the code, and a browser is told so`()
        async throws
    {
        let resume = Self.resume
        guard case .showCode(let login) = try await begin(try Box(Self.sessions(.answer(200, resume))), .secondScreen)
        else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.url.isEmpty)
        let box = try Box(Self.sessions(.answer(200, resume)))
        #expect(try await box.fault { try await begin(box, .browser) } == .unusableAnswer)
        do {
            _ = try await begin(box, .browser)
        } catch let fault as BackendFault {
            #expect(fault.lacksPage)
        }
    }

    @Test func `a browser is sent only to web addresses`() async throws {
        let odd = Sample.session.replacing("/api/v2/authenticate/LUMENTV/K7Q2M4X", with: "javascript:alert(1)")
        let box = try Box(Self.sessions(.answer(200, odd)))
        #expect(try await box.fault { try await begin(box, .browser) } == .unusableAnswer)
    }

    @Test func `an app's own site overrides the service's site, member by member`() async throws {
        let box = try Box(
            site: LoginSite(domainName: "lumen.example", activationURL: "https://lumen.example/tv"),
            sites: [
                AppID(rawValue: "special"): LoginSite(activationURL: "https://special.example/link?x=1"),
                AppID(rawValue: "page"): LoginSite(activationURL: "https://page.example/#/activate?lang=en"),
                AppID(rawValue: "other"): LoginSite(redirectURL: "https://other.example/done"),
            ], Self.sessions(.answer(200, Sample.session)))
        for (app, style, url, body) in [
            ("special", .secondScreen, "https://special.example/link?x=1&code=K7Q2M4X", ""),
            (
                "other", .secondScreen, "https://lumen.example/tv?code=K7Q2M4X",
                "&redirectUrl=https%3A%2F%2Fother.example%2Fdone"
            ),
            ("page", .secondScreen, "https://page.example/?code=K7Q2M4X#/activate?lang=en", ""),
            (
                "other", .browser, "https://sp.example/api/v2/authenticate/LUMENTV/K7Q2M4X",
                "&redirectUrl=https%3A%2F%2Fother.example%2Fdone"
            ),
        ] as [(String, LoginStyle, String, String)] {
            switch try await begin(box, style, app: app) {
            case .showCode(let login), .openURL(let login): #expect(login.url == url)
            case .alreadyIn: Issue.record("no code is shown")
            }
            #expect(box.service.calls.last?.text == "mvpd=NorthCable&domainName=lumen.example" + body)
        }
    }

    @Test func `ruling 53: addresses from a reload apply to the next login`() async throws {
        let box = try Box(site: LoginSite(domainName: "a.example"), Self.sessions(.answer(200, Sample.session)))
        _ = try await begin(box, .browser)
        box.sites.replace(
            LoginSite(domainName: "b.example", redirectURL: "app://b"),
            apps: [AppID(rawValue: "special"): LoginSite(activationURL: "https://special.example/link")])
        _ = try await begin(box, .browser)
        #expect(
            box.service.calls.last?.text == "mvpd=NorthCable&domainName=b.example&redirectUrl=app%3A%2F%2Fb")
        guard case .showCode(let login) = try await begin(box, .secondScreen, app: "special") else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.url == "https://special.example/link?code=K7Q2M4X")
    }

    @Test(arguments: [
        ("authenticated", LoginReason.regular), ("authenticatedSSO", .signOn), ("temporary", .temporary),
        ("degraded", .degraded),
    ]) func `the step for a viewer who is signed in has its reason`(reason: String, expected: LoginReason) async throws
    {
        let box = try Box(
            Self.sessions(.answer(200, #"{"actionName": "authorize", "reasonType": "\#(reason)", "mvpd": "M"}"#)))
        guard case .alreadyIn(let provider, let found) = try await begin(box) else {
            Issue.record("a code is shown")
            return
        }
        #expect(provider.rawValue == "M" && found == expected)
    }

    // MARK: P3

    struct Poll: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let expected: String
        var testDescription: String { "\(status) \(body.prefix(60))" }
    }

    static let polls: [Poll] = [
        .init(status: 200, body: Sample.profile, expected: "done NorthCable"),
        .init(status: 200, body: Sample.nobody, expected: "pending"),
        .init(status: 403, body: Sample.error("authenticated_profile_missing", status: 403), expected: "pending"),
        .init(status: 400, body: Sample.error("authenticated_profile_missing"), expected: "pending"),
        .init(status: 400, body: Sample.error("invalid_authentication_session"), expected: "gone"),
        .init(status: 400, body: Sample.error("invalid_parameter_code"), expected: "gone"),
        .init(status: 400, body: Sample.error("invalid_integration"), expected: "refused invalid_integration"),
        .init(
            status: 403, body: Sample.error("temporary_access_duration_limit_exceeded", action: "none", status: 403),
            expected: "refused temporary_access_duration_limit_exceeded"),
        .init(status: 429, body: "<html>slow down</html>", expected: "throttled"),
        .init(status: 500, body: Sample.error("internal_server_error", status: 500), expected: "server 500"),
        .init(status: 503, body: "<html>", expected: "server 503"),
        .init(status: 404, body: "", expected: "unusable"), .init(status: 200, body: "<html>", expected: "unusable"),
    ]

    @Test(arguments: polls) func `§7: a poll is sent once, and each answer is understood`(row: Poll) async throws {
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(row.status, row.body) : nil
        }
        let found: String
        do {
            switch try await box.backend.pollLogin(Sample.login, box.caller()) {
            case .pending: found = "pending"
            case .gone: found = "gone"
            case .done(let profile): found = "done \(profile.provider)"
            }
        } catch {
            switch error.kind {
            case .refused(let refusal): found = "refused \(refusal.code)"
            case .serverError(let status): found = "server \(status)"
            case .throttled: found = "throttled"
            case .unusableAnswer: found = "unusable"
            default: found = "\(error.kind)"
            }
        }
        #expect(found == row.expected)
        #expect(box.service.calls.map(\.url.target) == ["/api/v2/LUMENTV/profiles/code/K7Q2M4X"])
    }

    @Test(arguments: [HTTPFault.dns, .connect, .timeout(wasSent: true), .broken("cut off")])
    func `a poll that the network loses is not repeated`(fault: HTTPFault) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .fault(fault) : nil }
        #expect(
            try await box.fault { try await box.backend.pollLogin(Sample.login, box.caller()) }
                == BackendFault(of: fault).kind)
        #expect(box.service.calls.count == 1)
    }

    @Test func `a poll with a refused token continues with a new token`() async throws {
        let box = try Box { request, before in
            guard request.url.path.hasPrefix("/api/") else { return nil }
            return before == 0 ? .answer(401, "") : .answer(200, Sample.nobody)
        }
        guard case .pending = try await box.backend.pollLogin(Sample.login, box.caller()) else {
            Issue.record("it is not pending")
            return
        }
        #expect(box.service.tokens == 2)
    }

    @Test func `an abandoned login needs no call`() async throws {
        let box = try Box()
        await box.backend.abandonLogin(Sample.login, box.caller())
        #expect(box.service.requests.isEmpty)
    }

    // MARK: L1

    @Test(arguments: [
        (
            200,
            #"{"logouts": {"x": {"actionName": "logout", "mvpd": "NorthCable", "url": "/adobe-services/logout"}}}"#,
            LogoutStep.openURL("https://sp.example/adobe-services/logout")
        ),
        (200, #"{"logouts": {"NorthCable": {"actionName": "partner_logout", "mvpd": "NorthCable"}}}"#, .systemSettings),
        (200, #"{"logouts": {"NorthCable": {"actionName": "complete", "mvpd": "NorthCable"}}}"#, .finished),
        (200, #"{"logouts": {"NorthCable": {"actionName": "invalid", "mvpd": "NorthCable"}}}"#, .nothingToDo),
        (200, #"{"logouts": {}}"#, .nothingToDo),
        (403, Sample.error("authenticated_profile_missing", action: "authentication", status: 403), .nothingToDo),
    ]) func `each end of a login is reported`(status: Int, body: String, expected: LogoutStep) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(status, body) : nil }
        #expect(try await box.backend.logout(north, box.caller()) == expected)
        #expect(
            box.service.calls.map(\.url.target) == ["/api/v2/LUMENTV/logout/NorthCable"],
            "ruling 44: without a browser there is no redirect")
    }

    @Test(arguments: [
        (nil, LoginStyle.browser, "?redirectUrl=adobepass%3A%2F%2Fios.app"),
        ("https://lumen.example/done", .browser, "?redirectUrl=https%3A%2F%2Flumen.example%2Fdone"),
        ("https://lumen.example/done", .secondScreen, "?redirectUrl=https%3A%2F%2Flumen.example%2Fdone"),
    ]) func `ruling 44: a logout that is refused because of its redirect is sent once more without it`(
        redirectURL: String?, style: LoginStyle, query: String
    ) async throws {
        let refusal = Sample.error("invalid_parameter_redirect_url")
        let box = try Box(site: LoginSite(redirectURL: redirectURL)) { request, _ in
            guard request.url.path.contains("/logout/") else { return nil }
            return request.url.target.contains("redirectUrl")
                ? .answer(400, refusal) : .answer(200, #"{"logouts": {"NorthCable": {"actionName": "complete"}}}"#)
        }
        var caller = box.caller()
        caller.options.style = style
        #expect(try await box.backend.logout(north, caller) == .finished)
        let path = "/api/v2/LUMENTV/logout/NorthCable"
        #expect(box.service.calls.map(\.url.target) == [path + query, path])
        box.service.follow { request, _ in request.url.path.contains("/logout/") ? .answer(400, refusal) : nil }
        let fault = try await box.fault { [caller] in try await box.backend.logout(north, caller) }
        guard case .refused(let error) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(error.code == "invalid_parameter_redirect_url" && box.service.calls.count == 4)
    }

    @Test func `a redirect is not followed`() async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(302, "") : nil }
        #expect(try await box.fault { try await box.backend.logout(north, box.caller()) } == .unusableAnswer)
        #expect(box.service.calls.count == 1)
    }
}
