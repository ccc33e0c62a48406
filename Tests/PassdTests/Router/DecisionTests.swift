// Tests that every "no" can be explained afterwards: what is kept of decisions and of ended logins, in which words, and
// for whom.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

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
    ]) func `a denied play is explained by its code, with what to do`(code: String, words: String) async throws {
        let error = ServiceError(
            status: 403, code: code, actionName: "none", details: "Call us.\u{1B}[2J", trace: "t-7")
        let household = try await Self.household(error)
        let app = try await household.app()
        _ = try? await app.call("checkAuthorization", ["resource": "channel-1"])
        let found = try await Self.decisions(["about": "channel-1"], of: household)
        let decision = try #require(found.first { $0["kind"] == "play" })
        #expect(decision["reason"]?.string?.contains(words) == true, "\(decision)")
        #expect(decision["remedy"]?.string?.hasSuffix(".") == true)
        #expect(decision["app"] == "news24" && decision["requestorID"] == "NEWS24" && decision["provider"] == "M1")
        #expect(decision["trace"] == "t-7" && decision["text"] == "Call us. [2J" && decision["decidedBy"] == "service")
    }

    @Test func `no two of the frequent refusals read the same`() {
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

    @Test func `it is found by resource, app, requestor and the journal's hash, and by nothing else`() async throws {
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
        let last = try await Self.decisions(["about": "news24", "most": 1], of: household)
        #expect(last.map { $0["resource"] } == [.string("caf\u{E9}")], "the newest")
    }

    @Test func `what is kept is bounded, and no menu pushes a play out`() async throws {
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
        #expect(found.count { $0["kind"] == "hint" } == DecisionLog.most[.hint])
        #expect(found.first { $0["kind"] == "play" }?["resource"]?.string?.utf8.count == 256)
        #expect(try await Self.decisions(["about": .string(long)], of: household).count == 1)
        for number in 0..<120 { try await app.call("checkAuthorization", ["resource": .string("r\(number)")]) }
        found = try await Self.decisions(of: household)
        #expect(found.count { $0["kind"] == "play" } == DecisionLog.most[.play])
        #expect(found.last { $0["kind"] == "play" }?["resource"] == "r119")
        for secret in Sample.secrets { #expect(!found.contains { $0.text.contains(secret) }) }
    }

    @Test func `a call that policy denied is explained`() async throws {
        let household = try await Self.household()
        let app = try household.connect()
        _ = try? await app.call("setRequestor", ["requestorID": "STRANGE"])
        let found = try await Self.decisions(["about": "STRANGE"], of: household)
        let decision = try #require(found.first)
        #expect(decision["kind"] == "call-denied" && decision["decidedBy"] == "policy")
        #expect(decision["reason"]?.string?.contains("setRequestor") == true)
        #expect(decision["remedy"]?.string?.contains("policy explain") == true)
    }

    enum End: CaseIterable, Sendable { case logout, logoutAll, forget, provider, time }

    @Test(arguments: End.allCases) func `every login that ends is told with its cause, and by whom`(
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
