// Tests answers from the contract, in all spellings of its sources.

import AccessEnabler
import PassJSON
import Testing

@testable import PassBackend

@Suite("rest-v2.md §4, §20: answers") struct AnswerTests {
    private func read<Answer: ServiceAnswer>(_ type: Answer.Type, _ text: String, status: Int = 200) throws -> Answer {
        try type.read(HTTPResponse(status: status, body: Array(text.utf8))).get()
    }

    // MARK: C1

    @Test(arguments: [
        #"{"requestor": {"id": "LUMENTV", "mvpds": [LIST]}, "platform": "x", "extra": [1]}"#,
        #"{"requestor": {"id": "LUMENTV"}, "mvpds": [LIST], "time": "whatever"}"#,
    ]) func `providers are found in both places, and only their ids are needed`(form: String) throws {
        let list = """
            {"id": "NorthCable", "displayName": "North Cable", "logoUrl": "https://img/nc.png"}, {"id": "Bare"}, {"name": 1},
            {"id": "LumenPreview", "isTempPass": true, "authPerAggregator": true, "boardingStatus": "NEW"},
            {"id": "Beacon", "boardingStatus": "SUPPORTED", "platformMappingId": "b-1", "enablePlatformServices": true}
            """
        let text = form.split(separator: "LIST").joined(separator: list)
        let providers = try read(ConfigurationAnswer.self, text).providers
        #expect(providers.map(\.id.rawValue) == ["NorthCable", "Bare", "LumenPreview", "Beacon"])
        #expect(providers[1].displayName == "Bare" && !providers[1].isTempPass)
        #expect(providers[2].isTempPass && providers[2].loginPerRequestor && providers[2].boardingStatus == nil)
        #expect(providers[3].boardingStatus == .supported && providers[3].platformMappingID == "b-1")
    }

    // MARK: S1

    private let origin: Origin

    init() throws { origin = try Origin("https://sp.example") }

    @Test func `a complete session shows its code, with times as strings`() throws {
        let answer = try read(
            SessionAnswer.self,
            #"""
            {"actionName": "authenticate", "actionType": "interactive", "reasonType": "none",
             "url": "/api/v2/authenticate/LUMENTV/K7Q2M4X", "code": "K7Q2M4X", "sessionId": "s-1", "mvpd": "NorthCable",
             "serviceProvider": "LUMENTV", "notBefore": "1795564800000", "notAfter": "1795566600000"}
            """#)
        guard case .showCode(let login) = try answer.step(origin, style: .secondScreen) else {
            Issue.record("no code is shown")
            return
        }
        #expect(login.code.rawValue == "K7Q2M4X" && login.provider?.rawValue == "NorthCable")
        #expect(login.link == "https://sp.example/api/v2/authenticate/LUMENTV/K7Q2M4X" && login.url.isEmpty)
        #expect(login.notBefore.duration(to: login.notAfter) == .seconds(1800))
        guard case .openURL = try answer.step(origin, style: .browser) else {
            Issue.record("no browser is opened")
            return
        }
    }

    @Test(arguments: [
        ("authenticated", LoginReason.regular), ("authenticatedSSO", .signOn), ("temporary", .temporary),
        ("degraded", .degraded), ("something new", .regular),
    ]) func `an existing login is never shown as a code`(reason: String, expected: LoginReason) throws {
        let answer = try read(
            SessionAnswer.self,
            #"{"actionName": "authorize", "actionType": "direct", "reasonType": "\#(reason)", "mvpd": "M", "code": "X"}"#
        )
        guard case .alreadyIn(let provider, let found) = try answer.step(origin, style: .secondScreen) else {
            Issue.record("a code is shown")
            return
        }
        #expect(provider.rawValue == "M" && found == expected)
    }

    @Test(arguments: [
        #"{"actionName": "dance"}"#, #"{"actionName": "authenticate"}"#, #"{"actionName": "authorize"}"#,
        #"{"actionName": "resume", "code": "", "notAfter": "1"}"#,
        #"{"actionName": "resume", "code": "ABC"}"#,
    ]) func `an unknown or incomplete action is an unusable answer`(text: String) throws {
        let answer = try read(SessionAnswer.self, text)
        #expect(throws: BackendFault.self) { try answer.step(origin, style: .secondScreen) }
    }

    @Test(
        arguments: [
            ("/api/v2/x", "https://sp.example/api/v2/x"),
            ("https://other.example/a?b=/../c", "https://other.example/a?b=/../c"),
            ("https://other.example:8443/a?b=c#/d", "https://other.example:8443/a?b=c#/d"),
            ("//pages.example/a", "https://pages.example/a"), ("x/y", "https://sp.example/x/y"),
            ("/x\u{301}", nil), ("//\u{301}evil.example/a", nil), ("https://evil.example\\@good.example/", nil),
            ("http://evil.example/a", nil), ("http://127.0.0.1/a", nil), ("javascript:alert(1)", nil), ("", nil),
        ] as [(String, String?)]) func `rulings 18: relative addresses are completed with the origin`(
            url: String, expected: String?
        )
    {
        #expect(absolute(url, origin) == expected)
    }

    @Test func `a service on this machine may name pages without TLS, if phones can reach them`() throws {
        let local = try Origin("http://127.0.0.1:8642")
        #expect(absolute("http://127.0.0.1:9000/a", local) == "http://127.0.0.1:9000/a")
        #expect(absolute("http://192.168.1.5:8642/a", local) == "http://192.168.1.5:8642/a")
        #expect(absolute("ftp://192.168.1.5/a", local) == nil)
    }

    @Test(arguments: [
        ("/api/v2/LUMENTV/sessions/K7", ""), ("https://sp.example/api/v2/LUMENTV/sessions/K7?a=b", ""),
        ("https://pages.example/tv?code=K7", "https://pages.example/tv?code=K7"), ("javascript:alert(1)", ""),
    ]) func `S1, ruling 43: with resume a browser gets no address of S2, and a second screen gets no address`(
        url: String, shown: String
    ) throws {
        let answer = try read(
            SessionAnswer.self,
            #"{"actionName": "resume", "code": "K7", "url": "\#(url)", "notAfter": "1795566600000"}"#)
        for (style, expected) in [(LoginStyle.browser, shown), (.secondScreen, "")] {
            guard case .showCode(let login) = try answer.step(origin, style: style) else {
                Issue.record("no code is shown")
                return
            }
            #expect(login.url == expected && login.link == nil)
        }
    }

    @Test(
        arguments: [
            (#"[{"name": "lumen.example", "mvpdInitiated": false}, {"name": "other.example"}]"#, "lumen.example"),
            (#"["lumen.example"]"#, "lumen.example"), (#"[{"name": "*.lumen.example"}, "b.example"]"#, "b.example"),
            (#"[7, {"label": "x"}]"#, nil), ("[]", nil), ("7", nil),
            (#"["a b", "a..b", "-a", "http://evil.example/?.amc.com"]"#, nil),
        ] as [(String, String?)]) func `C1: the first registered domain that is a host name counts`(
            domains: String, expected: String?
        ) throws
    {
        let text = #"{"requestor": {"id": "LUMENTV", "domains": \#(domains), "mvpds": []}}"#
        let answer = try read(ConfigurationAnswer.self, text)
        #expect(RequestorConfiguration(answer.providers, domains: answer.domains).domain == expected)
    }

    // MARK: P1–P3

    @Test func `an empty map means that no viewer is signed in`() throws {
        #expect(try read(ProfilesAnswer.self, #"{"profiles": {}}"#).profiles.isEmpty)
    }

    @Test func `profiles have every kind of attribute, and the one with the latest expiry comes first`() throws {
        let profiles = try read(
            ProfilesAnswer.self,
            #"""
            {"profiles": {
              "Short": {"notBefore": 1, "notAfter": "5", "issuer": "Adobe", "type": "degraded", "attributes": {}},
              "Broken": {"type": "regular"},
              "North": {"notBefore": 1795564861000, "notAfter": 1803340861000, "issuer": "North", "type": "regular",
                "attributes": {"userID": {"value": "u", "state": "plain"}, "zip": {"value": "cipher", "state": "enc"},
                  "maxRating": {"value": {"VCHIP": "TV-14"}, "state": "plain"}, "channels": {"value": ["a", 1, null, true]},
                  "bad": {"value": null, "state": "enc", "error": {"code": "x"}}, "worse": 7}},
              "New": {"notBefore": 1, "notAfter": 9, "issuer": "New", "type": "holographic"}}}
            """#
        ).profiles
        #expect(profiles.map(\.provider.rawValue) == ["North", "New", "Short"])
        #expect(
            profiles[0].kind == .regular && profiles[1].kind == .other("holographic") && profiles[2].kind == .degraded)
        #expect(profiles[0].attributes["zip"] == .init(value: .string("cipher"), isEncrypted: true))
        #expect(profiles[0].attributes["maxRating"]?.value == ["VCHIP": "TV-14"])
        #expect(profiles[0].attributes["channels"]?.value == ["a", 1, nil, true])
        #expect(profiles[0].attributes["worse"] == nil)
    }

    // MARK: D1, D2

    private let film = ResourceID(rawValue: "film")
    private let other = ResourceID(rawValue: "other ")

    @Test func `permits and denials are in the order of the request, and a missing decision is an error`() throws {
        let decisions = try read(
            DecisionsAnswer.self,
            #"""
            {"decisions": [
              {"resource": "other", "authorized": false, "source": "mvpd",
               "error": {"status": 403, "code": "authorization_denied_by_mvpd", "action": "none", "message": {"odd": 1},
                         "details": "Call us", "trace": "t"}, "token": {"serializedToken": "never"}},
              {"resource": "film ", "authorized": true, "source": "degradation", "notAfter": 7,
               "token": {"notBefore": 1, "notAfter": 2, "serializedToken": "dG9r"}}]}
            """#
        ).decisions(for: [film, other, ResourceID(rawValue: "third")])
        #expect(decisions.map(\.isAuthorized) == [true, false, false])
        #expect(decisions[0].token?.serialized.reveal() == "dG9r" && decisions[0].source == .degradation)
        #expect(decisions[0].resource == film)
        #expect(decisions[1].error?.code == "authorization_denied_by_mvpd" && decisions[1].error?.details == "Call us")
        #expect(decisions[1].error?.message == nil && decisions[1].token == nil)
        #expect(decisions[2].error?.code == "decision_missing")
    }

    @Test(arguments: [
        (
            #""metadata": {"packageType": {"value": "gold", "state": "plain"}, "pin": {"value": "x", "state": "enc"}}"#,
            2
        ),
        (#""userMetadata": {"packageType": "gold"}"#, 1), (#""attributes": {"packageType": "gold", "odd": null}"#, 1),
        (#""metadata": {"packageType": "gold", "zip": {"value": null, "state": "enc", "error": {"code": "x"}}}"#, 1),
        (#""metadata": {"packageType": "gold", "zip": {"state": "enc", "error": {"code": "x"}}}"#, 1),
        (#""metadata": {}, "attributes": {"packageType": "gold"}"#, 1), (#""metadata": null"#, 0),
        (#""metadata": ["packageType"]"#, 0), (#""metadata": 7"#, 0), (#""other": {"packageType": "gold"}"#, 0),
    ]) func `E20: a decision's metadata are found under each of their names, and never invalidate the decision`(
        member: String, count: Int
    ) throws {
        let decision = try #require(
            try read(
                DecisionsAnswer.self,
                #"{"decisions": [{"resource": "other", "authorized": true, \#(member), "token": {"serializedToken": "t"}}]}"#
            ).decisions(for: [ResourceID(rawValue: "other")]).first)
        #expect(decision.isAuthorized && decision.metadata.count == count)
        #expect(count == 0 || decision.metadata["packageType"] == .init(value: .string("gold"), isEncrypted: false))
        if let pin = decision.metadata["pin"] { #expect(pin.isEncrypted) }
    }

    // MARK: L1

    @Test(arguments: [
        (
            #"{"actionName": "logout", "actionType": "interactive", "mvpd": "M", "url": "/adobe-services/logout"}"#,
            LogoutStep.openURL("https://sp.example/adobe-services/logout")
        ),
        (#"{"actionName": "partner_logout", "actionType": "partner_interactive", "mvpd": "M"}"#, .systemSettings),
        (#"{"actionName": "complete", "actionType": "none", "mvpd": "M"}"#, .finished),
        (#"{"actionName": "invalid", "actionType": "none", "mvpd": "M"}"#, .nothingToDo),
        (#"{"actionName": "something new", "mvpd": "M"}"#, .finished),
    ]) func `each end of a login is reported`(entry: String, expected: LogoutStep) throws {
        let answer = try read(LogoutAnswer.self, #"{"logouts": {"differs": \#(entry)}}"#)
        #expect(answer.step(for: ProviderID(rawValue: "M"), origin) == expected)
    }

    // MARK: errors

    @Test(arguments: [
        #"{"status": 400, "code": "invalid_integration", "action": "none", "trace": "t"}"#,
        #"{"error": {"status": 400, "code": "invalid_integration", "action": "none", "trace": "t"}}"#,
    ]) func `an error is read with or without a wrapper`(text: String) {
        let error = ServiceError(Array(text.utf8))
        #expect(error?.code == "invalid_integration" && error?.trace == "t")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let expected: String
        var testDescription: String { "\(status) \(body)" }
    }

    static let troubles: [Row] = [
        .init(status: 401, body: "", expected: "token"),
        .init(status: 401, body: #"{"error": "access_denied"}"#, expected: "token"),
        .init(
            status: 401,
            body:
                #"{"status": 401, "code": "invalid_access_token_service_provider", "action": "application-registration"}"#,
            expected: "token"),
        .init(status: 403, body: #"{"error": "invalid_client"}"#, expected: "client"),
        .init(
            status: 403,
            body: #"{"status": 403, "code": "temporary_access_duration_limit_exceeded", "action": "authentication"}"#,
            expected: "refused temporary_access_duration_limit_exceeded"),
        .init(
            status: 400, body: #"{"status": 403, "code": "too_many_resources", "action": "configuration"}"#,
            expected: "refused too_many_resources"),
        .init(status: 429, body: "<html>", expected: "throttled"),
        .init(status: 503, body: "<html>", expected: "server 503"),
        .init(
            status: 500, body: #"{"status": 500, "code": "invalid_configuration_platform", "action": "configuration"}"#,
            expected: "refused invalid_configuration_platform"),
        .init(
            status: 500, body: #"{"status": 500, "code": "internal_server_error", "action": "none"}"#,
            expected: "server 500"),
        .init(status: 404, body: "not here", expected: "unusable"),
        .init(status: 302, body: "", expected: "unusable"),
        .init(status: 200, body: "<html>", expected: "unusable"),
        .init(status: 200, body: #"{"profiles": "#, expected: "unusable"),
        .init(status: 200, body: "", expected: "unusable"),
        .init(status: 200, body: #"{"profiles": []}"#, expected: "unusable"),
    ]

    @Test(arguments: troubles) func `unusable answers are distinguished`(row: Row) {
        let result = ProfilesAnswer.read(HTTPResponse(status: row.status, body: Array(row.body.utf8)))
        guard case .failure(let trouble) = result else {
            Issue.record("it is an answer")
            return
        }
        #expect(name(trouble) == row.expected)
    }

    private func name(_ trouble: CallTrouble) -> String {
        switch trouble {
        case .tokenRefused: "token"
        case .clientRefused: "client"
        case .throttled: "throttled"
        case .fault(let fault):
            switch fault.kind {
            case .refused(let error): "refused \(error.code)"
            case .serverError(let status): "server \(status)"
            case .unusableAnswer: "unusable"
            default: "\(fault.kind)"
            }
        }
    }
}
