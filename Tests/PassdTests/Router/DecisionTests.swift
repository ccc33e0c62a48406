// Tests that every refusal can be explained afterwards: which decisions and ended logins are kept, in which words, and
// for which readers.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassBackend
@testable import PassServer

@Suite("rpc.md §7: passd.decisions, and the ends of logins") @EngineActor struct DecisionTests {
    private static let news = RequestorID(rawValue: "NEWS24")

    private static func household(
        _ refusal: ServiceError? = nil, _ change: (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws -> Household {
        try await Household {
            $0.offersAll()
            $0.profiles = [news: .success([Sample.profile])]
            if let refusal { $0.authorize = { _ in .failure(BackendFault(.refused(refusal))) } }
            change(&$0)
        }
    }

    private static func decisions(_ params: JSONValue = [:], of household: Household) async throws -> [JSONValue] {
        try await household.connect(.admin).call("passd.decisions", params)["decisions"]?.array ?? []
    }

    @Test(arguments: [
        ("authorization_denied_by_mvpd", "package"), ("authorization_denied_by_parental_controls", "parental"),
        ("authorization_denied_by_degradation_rule", "switched permissions off"),
        ("authenticated_profile_invalidated", "ended the viewer's login"),
        ("invalid_access_token_service_provider", "software statement"), ("brand_new_code", "does not know"),
    ]) func `a denied play is explained by its code, with a remedy`(code: String, words: String) async throws {
        let error = ServiceError(
            status: 403, code: code, actionName: "none", details: "Call us.\u{1B}[2J", trace: "t-7")
        let household = try await Self.household(error)
        let app = try await household.app()
        _ = try? await app.call("checkAuthorization", ["resource": "channel-1"])
        let found = try await Self.decisions(["about": "channel-1"], of: household)
        let decision = try #require(found.first { $0["kind"] == "play" })
        let told = "\(decision["reason"]?.string ?? "") \(decision["remedy"]?.string ?? "")"
        #expect(told.contains(words), "\(decision)")
        #expect(decision["remedy"]?.string?.hasSuffix(".") == true)
        #expect(decision["app"] == "news24" && decision["requestorID"] == "NEWS24" && decision["provider"] == "M1")
        #expect(decision["trace"] == "t-7" && decision["text"] == "Call us. [2J" && decision["decidedBy"] == "service")
    }

    @Test func `the explanations of the frequent refusals all differ`() {
        let codes = [
            "authorization_denied_by_mvpd", "authorization_denied_by_parental_controls",
            "authorization_denied_by_degradation_rule", "authorization_denied_by_hba_policies",
            "authenticated_profile_expired", "authenticated_profile_invalidated", "authenticated_profile_missing",
            "invalid_integration", "temporary_access_duration_limit_exceeded", "decision_missing", "unreachable",
            "throttled", "registration-refused",
        ]
        let words = codes.compactMap { ReasonTable.reason(of: $0)?.meaning }
        #expect(Set(words).count == codes.count)
        for code in ReasonTable.codes {
            let reason = ReasonTable.reason(of: code)
            #expect(reason?.meaning.hasSuffix(".") == true && reason?.remedy.hasSuffix(".") == true, "\(code)")
        }
    }

    @Test func `decisions are found only by resource, app, requestor and the journal's hash`() async throws {
        let household = try await Self.household()
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        try await app.call("checkAuthorization", ["resource": "caf\u{E9}"])
        let mark = household.log.text.split(separator: "resource_hash=").dropFirst().first?.prefix(16) ?? ""
        let table: [(String, [String])] = [
            ("channel-1", ["channel-1"]), (String(mark), ["channel-1"]), ("caf\u{E9}", ["caf\u{E9}"]),
            ("news24", ["channel-1", "caf\u{E9}"]), ("NEWS24", ["channel-1", "caf\u{E9}"]), ("channel", []), ("", []),
            ("cafe\u{301}", []),
        ]
        for (about, resources) in table {
            let found = try await Self.decisions(["about": .string(about)], of: household)
            #expect(
                found.filter { $0["kind"] == "play" }.compactMap { $0["resource"]?.string } == resources, "\(about)")
        }
        let last = try await Self.decisions(["about": "news24", "limit": 1], of: household)
        #expect(last.map { $0["resource"] } == [.string("caf\u{E9}")], "the newest")
    }

    @Test func `the list has a limit, and a menu does not evict a play`() async throws {
        let household = try await Self.household {
            $0.preauthorize = { resource in
                .success(
                    ServiceDecision(
                        resource: resource, isAuthorized: false, source: .mvpd,
                        error: ServiceError(status: 403, code: "preauthorization_denied_by_mvpd", actionName: "none")))
            }
        }
        let app = try await household.app()
        let long = String(repeating: "ü", count: 2000)
        try await app.call("checkAuthorization", ["resource": .string(long)])
        for menu in 0..<3 {
            let resources = (0..<50).map { JSONValue.string("\(menu)-\($0)") }
            try await app.call("checkPreauthorizedResources", ["resources": .array(resources)])
        }
        var found = try await Self.decisions(of: household)
        #expect(found.count { $0["kind"] == "hint" } == DecisionLog.maxKept[.hint])
        #expect(found.first { $0["kind"] == "play" }?["resource"]?.string?.utf8.count == 256)
        #expect(try await Self.decisions(["about": .string(long)], of: household).count == 1)
        for number in 0..<120 { try await app.call("checkAuthorization", ["resource": .string("r\(number)")]) }
        found = try await Self.decisions(of: household)
        #expect(found.count { $0["kind"] == "play" } == DecisionLog.maxKept[.play])
        #expect(found.last { $0["kind"] == "play" }?["resource"] == "r119")
        for secret in Sample.secrets { #expect(!found.contains { $0.text.contains(secret) }) }
    }

    @Test func `equal decisions are stored once, with their number and the first time`() async throws {
        let household = try await Self.household(
            ServiceError(status: 403, code: "authorization_denied_by_mvpd", actionName: "none"))
        let app = try await household.app()
        let start = household.clock.wall.milliseconds
        for resource in ["channel-1", "channel-2", "channel-1", "channel-1"] {
            try await app.call("checkAuthorization", ["resource": .string(resource)])
            household.clock.advance(by: .seconds(10))
        }
        let found = try await Self.decisions(of: household).filter { $0["kind"] == "play" }
        #expect(found.map { $0["resource"] } == ["channel-2", "channel-1"], "the newest last")
        #expect(found.first?["times"] == nil && found.first?["since"] == nil)
        #expect(found.last?["times"] == 3 && found.last?["since"] == .int(start))
        #expect(found.last?["time"] == .int(start + 30_000))
    }

    @Test(arguments: [
        BackendFault(.unreachable), BackendFault(.deadline), BackendFault(of: .proxy("cache:3128", .noConnection)),
        BackendFault(of: .proxy("cache:3128", .late)),
    ]) func `if a proxy is dead or slow, the proxy is named as by the doctor`(
        fault: BackendFault
    ) async throws {
        let household = try await Self.household { $0.prepare = .failure(fault) }
        let trouble = ServiceTrouble(HTTPFault.proxy("cache:3128", .late))
        let now = household.clock.boot
        household.daemon.contact = .failing(trouble, since: now, last: now)
        _ = try? await household.app()
        let decision = try #require(try await Self.decisions(["about": "news24"], of: household).first)
        #expect(decision["reason"] == "The proxy cache:3128 did not connect to the service in time.")
        #expect(decision["remedy"]?.string == trouble.remedy)
    }

    @Test func `a refused registration is reported with the time for which the refusal is remembered`() throws {
        let time = try Regex(" \(RegistrationBook.memoryOfRefusals.components.seconds) seconds ")
        for code in ["invalid_software_statement", "unapproved_software_statement", "registration-refused"] {
            #expect(ReasonTable.reason(of: code)?.remedy.contains(time) == true, "\(code)")
        }
    }

    @Test func `a call that policy denied is explained`() async throws {
        let household = try await Self.household()
        let app = try household.connect()
        _ = try? await app.call("setRequestor", ["requestorID": "STRANGE"])
        let found = try await Self.decisions(["about": "STRANGE"], of: household)
        let decision = try #require(found.first)
        #expect(decision["kind"] == "call-denied" && decision["decidedBy"] == "policy" && decision["app"] == "news24")
        #expect(decision["reason"]?.string?.contains("setRequestor") == true)
        #expect(decision["remedy"]?.string?.contains("policy explain") == true)
    }

    @Test func `a denial with only a message for developers is shown with that message`() async throws {
        let household = try await Self.household(
            ServiceError(
                status: 403, code: "authorization_denied_by_mvpd", actionName: "none",
                message: "Parental Controls\u{1B}[2J"))
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        let decision = try #require(try await Self.decisions(["about": "channel-1"], of: household).first)
        #expect(decision["message"] == "Parental Controls [2J" && decision["text"] == nil)
        #expect(decision["reason"]?.string?.contains("package") == false, "the explanation does not guess")
    }

    @Test(arguments: [
        (BackendFault(.registrationRefused("access_denied"), trace: "t-9"), "registration-refused"),
        (BackendFault(.unreachable), "unreachable"), (BackendFault(.insecure), "insecure"),
        (BackendFault(.serverError(503)), "server-error-503"), (BackendFault(.deadline), "deadline"),
    ]) func `a failed start is explained, but not called a decision`(
        fault: BackendFault, code: String
    ) async throws {
        let household = try await Self.household { $0.prepare = .failure(fault) }
        let app = try household.connect()
        _ = try? await app.call("setRequestor", ["requestorID": "NEWS24"])
        let decision = try #require(try await Self.decisions(["about": "news24"], of: household).first)
        #expect(decision["kind"] == "start-failed" && decision["outcome"] == "failed" && decision["app"] == "news24")
        #expect(decision["code"]?.string == code && decision["trace"]?.string == fault.trace)
        #expect(decision["decidedBy"] == nil)
        let words = decision["reason"]?.string ?? ""
        #expect(words.hasSuffix(".") && !words.contains("does not know"), "\(words)")
        let status = try await household.connect(.admin).call("passd.status")
        #expect(status["refusals"]?.array?.first?["kind"] == "start-failed")
        #expect(household.log.text.contains("an app could not start with its requestor"))
    }

    @Test(arguments: [
        (
            BackendFault(
                .refused(
                    ServiceError(
                        status: 400, code: "invalid_parameter_domain_name", actionName: "none",
                        message: "no such domain")
                ), trace: "t-7"), "invalid_parameter_domain_name", "domain-name"
        ),
        (BackendFault(.unreachable), "unreachable", "network"),
    ]) func `a login that did not begin is explained, with a remedy`(
        fault: BackendFault, code: String, remedy: String
    ) async throws {
        let household = try await Self.household {
            $0.profiles = [:]
            $0.beginLogin = .failure(fault)
        }
        let app = try await household.app()
        _ = try? await app.call("setSelectedProvider", ["providerID": "M1"])
        _ = try? await app.call("getAuthentication")
        let decision = try #require(try await Self.decisions(["about": "news24"], of: household).last)
        #expect(decision["kind"] == "login-failed" && decision["outcome"] == "failed" && decision["app"] == "news24")
        #expect(
            decision["requestorID"] == "NEWS24" && decision["provider"] == "M1" && decision["code"] == .string(code))
        #expect(decision["remedy"]?.string?.contains(remedy) == true, "\(decision)")
    }

    @Test func `a refused hint has the same explanation as a refused play`() async throws {
        let household = try await Self.household {
            $0.preauthorize = { resource in
                .success(
                    ServiceDecision(
                        resource: resource, isAuthorized: false, source: .mvpd,
                        error: ServiceError(
                            status: 403, code: "authorization_denied_by_parental_controls", actionName: "none",
                            details: "Ask a grown-up.", trace: "t-3")))
            }
        }
        let app = try await household.app()
        try await app.call("checkPreauthorizedResources", ["resources": ["channel-1"]])
        let decision = try #require(try await Self.decisions(["about": "channel-1"], of: household).first)
        #expect(decision["kind"] == "hint" && decision["code"] == "authorization_denied_by_parental_controls")
        #expect(decision["trace"] == "t-3" && decision["text"] == "Ask a grown-up.")
        #expect(decision["reason"]?.string?.contains("parental controls") == true)
    }

    @Test func `a play that failed without an answer is an event, not a decision of the service`() async throws {
        let household = try await Self.household { $0.authorize = { _ in .failure(BackendFault(.unreachable)) } }
        let watcher = try household.connect()
        try await watcher.call("passd.subscribe", ["types": ["authorization"]])
        let app = try await household.app()
        _ = try? await app.call("checkAuthorization", ["resource": "channel-1"])
        let event = try await watcher.hear("event")
        #expect(event["data"]?["authorized"] == false && event["data"]?["outcome"] == "undecided")
        #expect(event["data"]?["decidedBy"] == nil && event["data"]?["code"] == "unreachable")
    }

    @Test func `a missing login does not push refusals out of the status`() async throws {
        let household = try await Self.household(
            ServiceError(status: 403, code: "authorization_denied_by_mvpd", actionName: "none"))
        let app = try await household.app()
        try await app.call("checkAuthorization", ["resource": "channel-1"])
        try await app.call("logout")
        for _ in 0..<5 { try await app.call("checkAuthorization", ["resource": "channel-1"]) }
        let status = try await household.connect(.admin).call("passd.status")
        #expect(status["refusals"]?.array?.map { $0["outcome"] } == ["denied"])
    }

    @Test func `a login that the service restores is reported as a beginning`() async throws {
        let household = try await Self.household()
        let watcher = try household.connect()
        try await watcher.call("passd.subscribe", ["types": ["authentication"]])
        _ = try await household.app()
        let event = try await watcher.hear("event")
        #expect(event["data"]?["authenticated"] == true && event["data"]?["reason"] == "sso")
    }

    enum End: CaseIterable, Sendable { case logout, logoutAll, forget, provider, time }

    @Test(arguments: End.allCases) func `every ended login is reported with its cause and the party that ended it`(
        end: End
    ) async throws {
        let household = try await Self.household(
            end == .provider
                ? ServiceError(status: 403, code: "authenticated_profile_invalidated", actionName: "authentication")
                : nil)
        let watcher = try household.connect()
        let app = try await household.app()
        try await watcher.call("passd.subscribe", ["types": ["authentication"]])
        let operatorsView = try household.connect(.admin)
        let expected: (reason: String, by: String?)
        switch end {
        case .logout:
            try await app.call("logout")
            expected = ("logout", "news24")
        case .logoutAll:
            try await operatorsView.call("passd.logoutAll")
            expected = ("logout", "operator")
        case .forget:
            try await operatorsView.call("passd.forget", ["requestorID": "NEWS24"])
            expected = ("forgotten", "operator")
        case .provider:
            try await app.call("checkAuthorization", ["resource": "channel-1"])
            expected = ("revoked", nil)
        case .time:
            household.clock.advance(by: .seconds(400 * 24 * 3600))
            expected = ("expired", nil)
        }
        let event = try await watcher.hear("event")
        #expect(event["data"]?["authenticated"] == false && event["data"]?["provider"] == "M1")
        #expect(event["data"]?["reason"]?.string == expected.reason)
        #expect(event["data"]?["by"]?.string == expected.by)
        let kept = try await Self.decisions(["about": "NEWS24"], of: household)
        let decision = kept.last { $0["kind"] == "login-ended" }
        #expect(decision?["outcome"]?.string == expected.reason && decision?["by"]?.string == expected.by)
        #expect(household.log.text.contains("authenticated=no reason=\(expected.reason)"))
    }
}
