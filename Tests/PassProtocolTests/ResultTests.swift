// Tests that typed results and callbacks match the tables.

import PassJSON
import PassProtocol
import Testing

@Suite("rpc.md §4, §5: results and callbacks")
struct ResultTests {
    static let provider = MVPD(
        id: "cablevista", displayName: "CableVista", logoURL: "https://logo.example/c.png",
        enablePlatformServices: true, boardingStatus: .picker, isTempPass: false)
    static let error = EnhancedError(
        status: 403, code: "authorization_denied_by_mvpd", action: .none, message: "No.", details: "Not in your plan.",
        helpUrl: "https://help.example", trace: "t")
    static let invitation = LoginInvitation(code: "K7MPQ2", url: "https://a.example/?c=K7MPQ2", expires: 1)
    static let drawn = LoginInvitation(code: "K7MPQ2", url: "https://a.example", qr: .matrix(["10", "01"]))
    static let identity = PeerIdentity(uid: 1, gid: 2, pid: 3, unit: "a.service", app: "a")

    static let results: [(String, any MethodResult)] = [
        ("passd.whoami", WhoAmI.Result(identity: identity, may: [.observe], requestors: ["*"], rule: "r")),
        ("setOptions", [:] as JSONValue),
        ("setRequestor", SetRequestor.Result(requestorID: "R", authenticated: true, provider: "p")),
        ("checkAuthentication", CheckAuthentication.Result.authenticated(provider: "p", expires: 1, type: "regular")),
        ("checkAuthentication", CheckAuthentication.Result.notAuthenticated(.userNotAuthenticated)),
        (
            "checkAuthentication",
            CheckAuthentication.Result.notAuthenticated(
                .userNotAuthenticated, openLogin: .secondScreen(invitation))
        ),
        ("getAuthentication", GetAuthentication.Result.authenticated),
        ("getAuthentication", GetAuthentication.Result.selectProvider([provider])),
        ("getAuthentication", GetAuthentication.Result.secondScreen(invitation)),
        ("getAuthentication", GetAuthentication.Result.secondScreen(drawn)),
        ("getAuthorization", GetAuthorization.Result.pending(resource: "r", .secondScreen(drawn))),
        ("getAuthentication", GetAuthentication.Result.browser(LoginInvitation(url: "https://a.example"))),
        ("getAuthentication", GetAuthentication.Result.platformDialog),
        ("setSelectedProvider", SetSelectedProvider.Result.secondScreen(invitation)),
        ("setSelectedProvider", SetSelectedProvider.Result.browser(invitation)),
        ("setSelectedProvider", SetSelectedProvider.Result.authenticated),
        ("setSelectedProvider", SetSelectedProvider.Result.selected),
        ("setSelectedProvider", SetSelectedProvider.Result.cancelled),
        ("getSelectedProvider", GetSelectedProvider.Result(provider: provider, state: .authenticated)),
        ("handleExternalURL", HandleExternalURL.Result(authenticated: false, errorCode: .genericAuthentication)),
        (
            "checkAuthorization",
            AuthorizationAnswer(resource: "r", outcome: .authorized(token: "t", expires: 1, source: "mvpd"))
        ),
        (
            "checkAuthorization",
            AuthorizationAnswer(resource: "r", outcome: .refused(.userNotAuthorized, source: nil, error))
        ),
        (
            "getAuthorization",
            GetAuthorization.Result.answered(
                AuthorizationAnswer(resource: "r", outcome: .authorized(token: "t", expires: nil, source: nil)))
        ),
        ("getAuthorization", GetAuthorization.Result.pending(resource: "r", .secondScreen(invitation))),
        ("checkPreauthorizedResources", CheckPreauthorizedResources.Result(resources: ["r"])),
        (
            "preauthorize",
            Preauthorize.Result(decisions: [Decision(id: "r", authorized: false, error: error)])
        ),
        ("preauthorize", Preauthorize.Result(signedOut: error)),
        ("getMetadata", GetMetadata.Result(question: .userMetadata(name: "zip"), metadata: nil)),
        ("logout", Logout.Result(actions: [.init(provider: "p", action: .browser, url: "https://a.example")])),
        ("listProviders", ListProviders.Result(providers: [provider])),
        (
            "listProfiles",
            ListProfiles.Result(profiles: [
                ProfileSummary(provider: "p", type: "regular", issuer: "i", notBefore: 1, notAfter: 2)
            ])
        ),
        ("passd.policyExplain", PolicyExplain.Result(allowed: true, rule: "r", app: "a")),
    ]

    @Test(arguments: results.indices) func `a typed result matches the method's schema`(_ index: Int) throws {
        let (name, result) = Self.results[index]
        try #require(MethodTable.find(name)).definition.result.check(result.json)
    }

    static let callbacks: [Callback] = [
        .setRequestorComplete(status: 1),
        .setAuthenticationStatus(
            status: 0, .userNotAuthenticated, .logout, LoginOutcome(.cancelled, .N005, code: "K7MPQ2")),
        .displayProviderDialog([provider]),
        .navigateToUrl("https://a.example", useSVC: true),
        .status(.registrationCode(LoginInvitation(code: "K7MPQ2", url: "https://a.example", expires: 1))),
        .setToken("t", resource: "r"),
        .tokenRequestFailed(resource: "r", .userNotAuthorized, description: "", error),
        .selectedProvider(.init(provider: nil, state: .newUser)),
        .preauthorizedResources(["r"]),
        .setMetadataStatus(.init(question: .deviceID, metadata: "d")),
        .sendTrackingData(.authentication, ["false"]),
        .presentTvProviderDialog(JSONObject()),
        .dismissTvProviderDialog(JSONObject()),
        .event(Event(sequence: 1, type: .overrun, time: 1)),
    ]

    @Test(arguments: callbacks) func `a callback matches its row`(_ callback: Callback) throws {
        try #require(CallbackTable.find(callback.name)).schema.check(callback.json)
    }

    @Test func `every row of the callback table has a callback`() {
        #expect(Self.callbacks.map(\.name) == CallbackTable.all.map(\.name))
    }

    @Test func `the second screen's status message is written as in rpc.md §5`() {
        let message = StatusMessage.registrationCode(
            LoginInvitation(code: "K7MPQ2", url: "https://a.example", expires: 5)
        ).json
        for (name, value) in [
            ("errorId", "REGCODE"), ("level", "success"), ("message", "K7MPQ2"), ("code", "K7MPQ2"),
            ("url", "https://a.example"), ("expires", 5),
        ] as [(String, JSONValue)] {
            #expect(message[name] == value)
        }
    }

    @Test func `a pending authorization includes the login's state (rpc.md §4)`() {
        #expect(
            GetAuthorization.Result.pending(resource: "r", .secondScreen(Self.invitation)).json
                == [
                    "authorized": false, "resource": "r", "pending": true, "state": "secondScreen", "code": "K7MPQ2",
                    "url": "https://a.example/?c=K7MPQ2", "expires": 1,
                ])
    }
}
