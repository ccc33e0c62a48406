// Tests decisions in REST V1, with a scripted service.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rest-v1.md §6.8 to §6.11: decisions") struct OldDecisionTests {
    private static let authorize = "GET /api/v1/authorize"
    private static let authz = "GET /api/v1/tokens/authz"
    private static let media = "GET /api/v1/tokens/media"
    private static let preauthorize = "GET /api/v1/preauthorize"

    private func paths(_ box: OldBox) -> [String] { box.service.calls.map { String($0.url.path.dropFirst(8)) } }

    private func decide(_ box: OldBox, _ resources: [ResourceID] = [film]) async throws -> [ServiceDecision] {
        try await box.run { backend, caller in try await backend.authorize(resources, at: north, caller) }
    }

    @Test func `ruling 22: each play gets a new token, and one permit is requested while it is valid`() async throws {
        let box = try OldBox([
            Self.authorize: [.answer(200, OldSample.permit)],
            Self.media: [.answer(200, OldSample.media("b25l")), .answer(200, OldSample.media("dHdv"))],
        ])
        for token in ["b25l", "dHdv"] {
            let decision = try #require(try await decide(box).first)
            #expect(decision.isAuthorized && decision.source == .mvpd && decision.error == nil)
            #expect(decision.token?.serialized.reveal() == token)
            #expect(decision.token?.notAfter == ServerTime(milliseconds: 1_893_456_420_000))
            #expect(decision.notAfter == ServerTime(milliseconds: 1_893_477_600_000))
        }
        #expect(paths(box) == ["authorize", "tokens/media", "tokens/media"])
        #expect(box.calls.first == "GET /api/v1/authorize?requestor=LUMENTV&deviceId=abc&resource=film")
    }

    @Test
    func `ruling 22: a logout invalidates kept permits, and a permit that the service has lost is requested again`()
        async throws
    {
        let box = try OldBox([
            Self.authorize: [.answer(200, OldSample.permit)],
            Self.media: [
                .answer(200, OldSample.media("b25l")), OldSample.basic(403), .answer(200, OldSample.media("dHdv")),
                .answer(200, OldSample.media("dHJl")),
            ],
            "DELETE /api/v1/logout": [.answer(204, "")],
        ])
        #expect(try await decide(box).first?.isAuthorized == true)
        #expect(try await decide(box).first?.isAuthorized == true)
        #expect(paths(box) == ["authorize", "tokens/media", "tokens/media", "authorize", "tokens/media"])
        _ = try await box.run { try await $0.logout(north, $1) }
        #expect(try await decide(box).first?.isAuthorized == true)
        #expect(paths(box).suffix(2) == ["authorize", "tokens/media"])
    }

    /// A box whose viewer was logged in before the restart.
    private func restarted(_ replies: OldBox.Replies) throws -> OldBox {
        let caller = try OldBox().caller()
        let login = ProfileKey(registration: caller.registration, requestor: caller.requestor, provider: north)
        return try OldBox(formerLogins: [login], replies)
    }

    @Test func `ruling 22: a permit that the service keeps over a restart is used for the next play`() async throws {
        let box = try restarted([
            Self.media: [.headed(200, OldSample.media("b25l"), ["X-Sandbox-Origin": "authzall"])],
            Self.authorize: [.answer(200, OldSample.permit)], "DELETE /api/v1/logout": [.answer(204, "")],
        ])
        for _ in 0..<2 {
            let decision = try #require(try await decide(box).first)
            #expect(decision.isAuthorized && decision.source == .degradation && decision.notAfter == nil)
        }
        #expect(paths(box) == ["tokens/media", "tokens/media"])
        _ = try await box.run { try await $0.logout(north, $1) }
        #expect(try await decide(box).first?.isAuthorized == true)
        #expect(paths(box).suffix(2) == ["authorize", "tokens/media"], "the logout invalidates the permit")
    }

    @Test
    func `ruling 22: if the service does not keep a permit over a restart, the box looks for the permit only once`()
        async throws
    {
        let denied = try restarted([
            Self.media: [OldSample.basic(403)], Self.authorize: [OldSample.basic(403, details: "no")],
        ])
        for _ in 0..<2 { #expect(try await decide(denied).first?.error?.code == "authorization_denied_by_mvpd") }
        #expect(paths(denied) == ["tokens/media", "authorize", "authorize"])
        let asked = try restarted([
            Self.media: [OldSample.basic(403), .answer(200, OldSample.media("b25l"))],
            Self.authorize: [.answer(200, OldSample.permit)],
        ])
        for _ in 0..<2 { #expect(try await decide(asked).first?.notAfter != nil) }
        #expect(paths(asked) == ["tokens/media", "authorize", "tokens/media", "tokens/media"])
    }

    @Test func `two plays at the same moment do not share a token`() async throws {
        let box = try OldBox([Self.authorize: [.held], Self.media: [.answer(200, OldSample.media("dG9r"))]])
        let plays = (0..<2).map { _ in Task { try await box.backend.authorize([film], at: north, box.caller()) } }
        await eventually { box.service.heldCount == 2 }
        box.service.release(.answer(200, OldSample.permit))
        for play in plays { #expect(try await play.value.first?.isAuthorized == true) }
        #expect(box.service.count("/api/v1/tokens/media") == 2)
    }

    @Test func `access-enabler.md §13.2: a permit that the service has lost is requested again, once`() async throws {
        let lost = try OldBox([
            Self.authorize: [.answer(200, OldSample.permit)],
            Self.media: [OldSample.basic(403), .answer(200, OldSample.media("dG9r"))],
        ])
        #expect(try await decide(lost).first?.isAuthorized == true)
        #expect(paths(lost) == ["authorize", "tokens/media", "authorize", "tokens/media"])
        let gone = try OldBox([Self.authorize: [.answer(200, OldSample.permit)], Self.media: [OldSample.basic(403)]])
        let decision = try #require(try await decide(gone).first)
        #expect(!decision.isAuthorized && decision.token == nil && decision.error?.code == "authorization_not_found")
        #expect(paths(gone) == ["authorize", "tokens/media", "authorize", "tokens/media"])
    }

    struct Denial: Sendable, CustomTestStringConvertible {
        let reply: ScriptedService.Reply
        var authz = ScriptedService.Reply.answer(500, "")
        let code: String
        var asksOnce = true
        var testDescription: String { "\(reply) \(code)" }
    }

    static let denials: [Denial] = [
        .init(reply: OldSample.basic(403, details: "Your plan has no films"), code: "authorization_denied_by_mvpd"),
        .init(
            reply: OldSample.basic(403), authz: OldSample.basic(412), code: "authenticated_profile_missing",
            asksOnce: false),
        .init(
            reply: OldSample.basic(403), authz: OldSample.basic(404), code: "authorization_denied_by_mvpd",
            asksOnce: false),
        .init(
            reply: OldSample.basic(403), authz: OldSample.basic(410), code: "authorization_denied_by_mvpd",
            asksOnce: false),
        .init(
            reply: OldSample.basic(403), authz: .answer(500, ""), code: "authorization_denied_by_mvpd", asksOnce: false),
        .init(
            reply: OldSample.basic(403), authz: .answer(412, "<html>"), code: "authorization_denied_by_mvpd",
            asksOnce: false),
        .init(reply: OldSample.basic(412), code: "authenticated_profile_missing"),
        .init(reply: OldSample.basic(400), code: "bad_request"),
        .init(
            reply: OldSample.enhanced(403, "authentication_session_missing", "authentication"),
            code: "authenticated_profile_missing"),
        .init(
            reply: OldSample.enhanced(403, "authentication_session_expired", "authentication"),
            code: "authenticated_profile_expired"),
        .init(
            reply: OldSample.enhanced(403, "authorization_denied_by_parental_controls"),
            code: "authorization_denied_by_parental_controls"),
        .init(reply: OldSample.enhanced(412, "malformed_authz_request"), code: "invalid_parameter_resources"),
        .init(
            reply: OldSample.enhanced(400, "authentication_session_issuer_mismatch", "authentication"),
            code: "authentication_session_issuer_mismatch"),
        .init(reply: OldSample.enhanced(403, "something_new", "dance"), code: "something_new"),
    ]

    @Test(arguments: denials)
    func `§6.8, §12: a denial is an answer, and its kind follows from the code, else from status and endpoint`(
        row: Denial
    ) async throws {
        let box = try OldBox([Self.authorize: [row.reply], Self.authz: [row.authz]])
        let decision = try #require(try await decide(box).first)
        #expect(!decision.isAuthorized && decision.token == nil)
        #expect(decision.error?.code == row.code)
        #expect(paths(box) == (row.asksOnce ? ["authorize"] : ["authorize", "tokens/authz"]))
    }

    @Test func `the provider's text is passed on, but does not affect the decision`() async throws {
        let box = try OldBox([Self.authorize: [OldSample.basic(403, details: "not authenticated")]])
        let error = try #require(try await decide(box).first?.error)
        #expect(error.code == "authorization_denied_by_mvpd" && error.details == "not authenticated")
        #expect(error.status == 403)
    }

    @Test func `a denial of one resource does not affect the other answers`() async throws {
        let box = try OldBox([
            Self.authorize: [OldSample.basic(403, details: "no"), .answer(200, OldSample.permit)],
            Self.media: [.answer(200, OldSample.media("dG9r"))],
        ])
        let asked = ["news", "film"].map(ResourceID.init)
        let decisions = try await decide(box, asked)
        #expect(decisions.map(\.resource) == asked && decisions.map(\.isAuthorized) == [false, true])
    }

    @Test(arguments: ["network_received_error", "network_connection_timeout", "maximum_execution_time_exceeded"])
    func `§12: a request that did not reach the provider is tried three times`(code: String) async throws {
        let box = try OldBox([Self.authorize: [OldSample.enhanced(403, code, "retry")]])
        #expect(try await decide(box).first?.error?.code == code)
        #expect(paths(box) == ["authorize", "authorize", "authorize"])
    }

    @Test(arguments: [
        ("temppass", ServiceDecision.Source.tempPass), ("authzall", .degradation), ("authnall", .degradation),
        ("hba", .mvpd),
        ("x", .mvpd),
    ]) func `OQ-27: a header of the answer may name the source of a permit`(
        origin: String, source: ServiceDecision.Source
    ) async throws {
        let box = try OldBox([
            Self.authorize: [.headed(200, OldSample.permit, ["X-Sandbox-Origin": origin])],
            Self.media: [.answer(200, OldSample.media("dG9r"))],
        ])
        #expect(try await decide(box).first?.source == source)
    }

    @Test(arguments: [
        ScriptedService.Reply.answer(200, ""), .answer(200, "{}"), .answer(200, #"{"expires": "soon"}"#),
        .answer(200, "<authorization/>"), .answer(403, "<html>Too many rapid requests</html>"), .answer(403, ""),
        .answer(404, "{}"), .answer(204, ""),
    ]) func `an invalid answer is neither a permit nor a denial`(reply: ScriptedService.Reply) async throws {
        let box = try OldBox([Self.authorize: [reply]])
        #expect(try await box.fault { try await $0.authorize([film], at: north, $1) } == .unusableAnswer)
    }

    @Test(arguments: [
        "", "{}", #"{"serializedToken": "dG9r"}"#, #"{"serializedToken": "", "expires": "1"}"#,
        #"{"serializedToken": 7, "expires": "1"}"#, #"{"serializedToken": "dG9r", "expires": "1""#,
    ]) func `a permit without a usable token is not a permit`(body: String) async throws {
        let box = try OldBox([Self.authorize: [.answer(200, OldSample.permit)], Self.media: [.answer(200, body)]])
        #expect(try await box.fault { try await $0.authorize([film], at: north, $1) } == .unusableAnswer)
    }

    // MARK: Hints

    @Test(arguments: [
        (["a", "b"], ["a%2Cb"]), (["a", "b", "c", "d", "e", "f"], ["a%2Cb%2Cc%2Cd%2Ce", "f"]),
        (["a", "x,y", "b"], ["x%2Cy", "a%2Cb"]), ([], []),
    ]) func `§6.11, OQ-55: a call asks for five resources, but an id with a comma is sent alone`(
        names: [String], lists: [String]
    ) async throws {
        let box = try OldBox([Self.preauthorize: [.answer(200, #"{"resources": []}"#)]])
        let asked = names.map(ResourceID.init)
        let decisions = try await box.run { try await $0.preauthorize(asked, at: north, $1) }
        #expect(decisions.map(\.resource) == asked)
        #expect(decisions.allSatisfy { !$0.isAuthorized && $0.error?.code == "decision_missing" })
        #expect(
            box.calls == lists.map { "GET /api/v1/preauthorize?requestor=LUMENTV&deviceId=abc&resource=\($0)" })
    }

    @Test func `OQ-55: if a list is refused because of commas in one id, the other answers are not affected`()
        async throws
    {
        let good = ScriptedService.Reply.answer(200, #"{"resources": [{"id": "a", "authorized": true}]}"#)
        let box = try OldBox([
            Self.preauthorize: [OldSample.enhanced(403, "too_many_resources", "configuration"), good]
        ])
        let asked = ["u,v,w,x,y,z", "a"].map(ResourceID.init)
        let decisions = try await box.run { try await $0.preauthorize(asked, at: north, $1) }
        #expect(decisions.map(\.isAuthorized) == [false, true])
        #expect(decisions.map(\.error?.code) == ["too_many_resources", nil])
        let out = try OldBox([Self.preauthorize: [OldSample.basic(412), good]])
        let kind = try #require(try await out.fault { try await $0.preauthorize(asked, at: north, $1) })
        if case .refused(let error) = kind {
            #expect(error.code == "authenticated_profile_missing")
        } else {
            Issue.record("\(kind)")
        }
    }

    @Test func `§6.11: each item keeps its error, in the order of the request`() async throws {
        let body = #"""
            {"resources": [
              {"id": "c", "authorized": false, "error": {
                "status": 403, "code": "network_received_error", "action": "retry", "details": "d"}},
              {"id": "b", "authorized": false}, {"id": "a ", "authorized": true}, {"id": 7},
              {"id": "z", "authorized": "yes"},
              {"id": "d", "authorized": false, "error": {"code": "authentication_session_missing"}}]}
            """#
        let box = try OldBox([Self.preauthorize: [.answer(200, body)]])
        let asked = ["a", "b", "c", "d", "z"].map(ResourceID.init)
        let decisions = try await box.run { try await $0.preauthorize(asked, at: north, $1) }
        #expect(decisions.map(\.isAuthorized) == [true, false, false, false, false])
        #expect(
            decisions.map(\.error?.code) == [
                nil, nil, "network_received_error", "authenticated_profile_missing", "decision_missing",
            ])
        #expect(decisions[2].error?.details == "d")
    }

    @Test(arguments: [
        (OldSample.basic(412), "refused authenticated_profile_missing"), (OldSample.basic(400), "refused bad_request"),
        (OldSample.basic(403), "refused too_many_resources"), (OldSample.basic(405), "refused bad_request"),
        (OldSample.enhanced(412, "missing_resource"), "refused invalid_parameter_resources"),
        (OldSample.enhanced(403, "too_many_resources", "configuration"), "refused too_many_resources"),
        (.answer(500, ""), "serverError(500)"), (.answer(200, "<resources/>"), "unusableAnswer"),
        (.answer(200, #"{"resources": {}}"#), "unusableAnswer"), (.answer(403, "<html>"), "unusableAnswer"),
        (OldSample.throttled, "throttled"),
    ]) func `§6.11: a refused list has one error for the whole list`(
        reply: ScriptedService.Reply, expected: String
    ) async throws {
        let box = try OldBox([Self.preauthorize: [reply]])
        let kind = try #require(try await box.fault { try await $0.preauthorize([film], at: north, $1) })
        if case .refused(let error) = kind {
            #expect("refused \(error.code)" == expected)
        } else {
            #expect("\(kind)" == expected)
        }
    }
}
