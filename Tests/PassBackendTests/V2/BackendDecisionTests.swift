// Tests decisions through the adapter, with a scripted service.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rest-v2.md D1, D2: decisions through the adapter") struct BackendDecisionTests {
    private static func path(_ kind: String) -> String { "/api/v2/LUMENTV/decisions/\(kind)/NorthCable" }

    private func resources(_ count: Int) -> [ResourceID] { (0..<count).map { ResourceID(rawValue: "r\($0)") } }

    /// Permits every resource.
    private static let generous: ScriptedService.Script = { request, before in
        guard request.url.path.contains("/decisions/") else { return nil }
        let asked = request.text.split(separator: "\"").filter { $0.first == "r" && $0 != "resources" }
        return .answer(200, Sample.decisions(asked.map { Sample.permit(String($0), token: "t\(before)") }))
    }

    @Test func `one play is one call and one token`() async throws {
        let box = try Box { request, before in
            request.url.path == Self.path("authorize")
                ? .answer(200, Sample.decisions([Sample.permit("film", token: "token-of-play-\(before)")])) : nil
        }
        for play in 0..<2 {
            let decisions = try await box.backend.authorize([film], at: north, box.caller())
            #expect(decisions.map { $0.token?.serialized.reveal() } == ["token-of-play-\(play)"])
        }
        #expect(box.service.calls.map(\.text) == [String](repeating: #"{"resources":["film"]}"#, count: 2))
    }

    @Test func `two plays at the same moment do not share a token`() async throws {
        let box = try Box { request, _ in request.url.path == Self.path("authorize") ? .held : nil }
        let plays = (0..<2).map { _ in Task { try await box.backend.authorize([film], at: north, box.caller()) } }
        await eventually { box.service.heldCount == 2 }
        box.service.release(.answer(200, Sample.decisions([Sample.permit("film")])))
        for play in plays { #expect(try await play.value.first?.isAuthorized == true) }
        #expect(box.service.calls.count == 2)
    }

    @Test func `E8: a denial is an answer, with the provider's own text, and is not asked again`() async throws {
        let denial = Sample.denial("film", "authorization_denied_by_mvpd")
        let box = try Box { request, _ in
            request.url.path == Self.path("authorize") ? .answer(200, Sample.decisions([denial])) : nil
        }
        let decision = try #require(try await box.backend.authorize([film], at: north, box.caller()).first)
        #expect(!decision.isAuthorized && decision.token == nil)
        #expect(decision.error?.code == "authorization_denied_by_mvpd")
        #expect(box.service.calls.count == 1)
    }

    @Test(arguments: [
        ("network_received_error", "retry"), ("network_connection_timeout", "none"), ("something_new", "retry"),
    ]) func `§6.1: only retryable errors are retried, with three tries in all`(
        code: String, action: String
    ) async throws {
        let box = try Box { request, before in
            guard request.url.path == Self.path("authorize") else { return nil }
            let busy = Sample.denial("busy", code, action: action)
            return .answer(
                200,
                Sample.decisions(
                    before == 0
                        ? [Sample.permit("good"), busy, Sample.denial("bad", "authorization_denied_by_mvpd")] : [busy]))
        }
        let asked = ["good", "busy", "bad"].map(ResourceID.init)
        let caller = box.caller()
        let decisions = try await box.clock.run { try await box.backend.authorize(asked, at: north, caller) }
        #expect(decisions.map(\.resource) == asked)
        #expect(decisions.map(\.isAuthorized) == [true, false, false])
        #expect(decisions.map(\.error?.code) == [nil, code, "authorization_denied_by_mvpd"])
        #expect(
            box.service.calls.map(\.text) == [
                #"{"resources":["good","busy","bad"]}"#, #"{"resources":["busy"]}"#, #"{"resources":["busy"]}"#,
            ])
    }

    @Test func `the result of a successful second try keeps its place in the list`() async throws {
        let box = try Box { request, before in
            guard request.url.path == Self.path("authorize") else { return nil }
            return .answer(
                200,
                Sample.decisions(
                    before == 0
                        ? [Sample.denial("r0", "network_received_error", action: "retry"), Sample.permit("r1")]
                        : [Sample.permit("r0", token: "late")]))
        }
        let caller = box.caller()
        let decisions = try await box.clock.run { try await box.backend.authorize(resources(2), at: north, caller) }
        #expect(decisions.map { $0.token?.serialized.reveal() } == ["late", "dG9r"])
        #expect(box.service.calls.count == 2)
    }

    @Test(arguments: [ScriptedService.Reply.answer(500, ""), .answer(400, ""), .fault(.dns), .held])
    func `after a failed second try, the decisions of the first try count`(
        reply: ScriptedService.Reply
    ) async throws {
        let box = try Box { request, before in
            guard request.url.path == Self.path("authorize") else { return nil }
            return before > 0
                ? reply
                : .answer(
                    200,
                    Sample.decisions([
                        Sample.permit("r0"), Sample.denial("r1", "network_received_error", action: "retry"),
                    ]))
        }
        let caller = box.caller(within: .seconds(30))
        // The run ends just before the deadline.
        let decisions = try await box.clock.run(within: .milliseconds(29_900)) {
            try await box.backend.authorize(resources(2), at: north, caller)
        }
        #expect(decisions.map(\.isAuthorized) == [true, false])
        #expect(decisions[1].error?.code == "network_received_error")
    }

    @Test func `without time for a second try the first answer counts`() async throws {
        let denial = Sample.denial("film", "network_received_error", action: "retry")
        let box = try Box { request, _ in
            request.url.path == Self.path("authorize") ? .answer(200, Sample.decisions([denial])) : nil
        }
        let decisions = try await box.backend.authorize([film], at: north, box.caller(within: .seconds(1)))
        #expect(decisions.first?.error?.code == "network_received_error")
        #expect(box.service.calls.count == 1)
    }

    @Test(arguments: [(1, [1]), (5, [5]), (6, [5, 1]), (12, [5, 5, 2])])
    func `a preauthorization is sent in batches of five, and the answers keep their order`(
        count: Int, batches: [Int]
    ) async throws {
        let box = try Box(Self.generous)
        let decisions = try await box.backend.preauthorize(resources(count), at: north, box.caller())
        #expect(decisions.map(\.resource) == resources(count))
        #expect(decisions.map(\.isAuthorized).allSatisfy { $0 })
        #expect(box.service.calls.map { $0.text.split(separator: ",").count } == batches)
        #expect(box.service.calls.allSatisfy { $0.url.target == Self.path("preauthorize") })
    }

    @Test func `an authorization of several resources stays one call`() async throws {
        let box = try Box(Self.generous)
        #expect(try await box.backend.authorize(resources(7), at: north, box.caller()).count == 7)
        #expect(box.service.calls.count == 1)
    }

    @Test func `ruling 17: only hints with retryable errors are retried, with three tries in all`() async throws {
        let slow = Sample.denial("slow", "network_received_error", action: "retry")
        let box = try Box { request, before in
            guard request.url.path == Self.path("preauthorize") else { return nil }
            return before < 2
                ? .answer(200, Sample.decisions([Sample.permit("film"), slow]))
                : .answer(200, Sample.decisions([Sample.permit("slow")]))
        }
        let asked = [film, ResourceID(rawValue: "slow")]
        let caller = box.caller()
        let decisions = try await box.clock.run { try await box.backend.preauthorize(asked, at: north, caller) }
        #expect(decisions.map(\.isAuthorized) == [true, true])
        #expect(
            box.service.calls.map(\.text) == [
                #"{"resources":["film","slow"]}"#, #"{"resources":["slow"]}"#, #"{"resources":["slow"]}"#,
            ])
    }

    @Test func `ruling 17: a hint that is still retryable after all tries stays open`() async throws {
        let denial = Sample.denial("film", "network_received_error", action: "retry")
        let box = try Box { request, _ in
            request.url.path == Self.path("preauthorize") ? .answer(200, Sample.decisions([denial])) : nil
        }
        let caller = box.caller()
        let decisions = try await box.clock.run { try await box.backend.preauthorize([film], at: north, caller) }
        #expect(decisions.first?.error?.code == "network_received_error")
        #expect(box.service.calls.count == 3)
    }

    @Test(arguments: [(200, ""), (204, ""), (200, "{}"), (200, #"{"decisions": []}"#), (200, #"{"decisions": null}"#)])
    func `E9, releases before 3.9: an empty answer neither permits nor denies`(status: Int, body: String) async throws {
        let box = try Box { request, _ in
            request.url.path.contains("/decisions/") ? .answer(status, body) : nil
        }
        for asking in [box.backend.authorize, box.backend.preauthorize] {
            let decisions = try await asking(resources(2), north, box.caller())
            #expect(decisions.map(\.error?.code) == ["decision_missing", "decision_missing"])
            #expect(decisions.allSatisfy { !$0.isAuthorized && $0.error?.message?.isEmpty == false })
        }
    }

    @Test func `each resource without a decision gets an error`() async throws {
        let box = try Box { request, _ in
            request.url.path.contains("/decisions/") ? .answer(200, Sample.decisions([])) : nil
        }
        let decisions = try await box.backend.preauthorize(resources(2), at: north, box.caller())
        #expect(decisions.map(\.error?.code) == ["decision_missing", "decision_missing"])
    }

    @Test(arguments: ["too_many_resources", "authenticated_profile_missing"])
    func `an error of the whole request is reported as one error`(code: String) async throws {
        let box = try Box { request, _ in
            request.url.path.contains("/decisions/") ? .answer(400, Sample.error(code)) : nil
        }
        for asking in [box.backend.authorize, box.backend.preauthorize] {
            let kind = try await box.fault { try await asking([film], north, box.caller()) }
            guard case .refused(let error) = kind else {
                Issue.record("it is not refused: \(String(describing: kind))")
                return
            }
            #expect(error.code == code && error.trace == "t-1")
        }
        #expect(box.service.calls.count == 2)
    }

    @Test func `an empty list of resources sends no request`() async throws {
        let box = try Box()
        #expect(try await box.backend.authorize([], at: north, box.caller()).isEmpty)
        #expect(try await box.backend.preauthorize([], at: north, box.caller()).isEmpty)
        #expect(box.service.requests.isEmpty)
    }
}
