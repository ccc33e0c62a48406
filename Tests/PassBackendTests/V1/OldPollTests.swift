// Tests how a poll interprets each answer.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rest-v1.md §6.7, §6.15: polls") struct OldPollTests {
    struct Poll: Sendable, CustomTestStringConvertible {
        let reply: ScriptedService.Reply
        let expected: String
        var testDescription: String { "\(reply) \(expected)" }
    }

    static let polls: [Poll] = [
        .init(reply: .answer(200, OldSample.token()), expected: "done NorthCable"),
        .init(reply: .answer(200, OldSample.token("EastSat")), expected: "done EastSat"),
        .init(reply: OldSample.basic(404), expected: "pending"),
        .init(reply: OldSample.basic(410), expected: "pending"),
        .init(reply: OldSample.basic(403), expected: "pending"),
        .init(reply: OldSample.basic(412), expected: "pending"),
        .init(reply: OldSample.enhanced(403, "authentication_session_missing", "authentication"), expected: "pending"),
        .init(
            reply: OldSample.enhanced(412, "preauthorization_authentication_session_expired"), expected: "pending"),
        .init(reply: OldSample.basic(400), expected: "refused bad_request"),
        .init(
            reply: OldSample.enhanced(400, "invalid_device_id"), expected: "refused invalid_header_device_identifier"),
        .init(reply: OldSample.throttled, expected: "throttled"),
        .init(reply: .answer(500, "<html>"), expected: "serverError(500)"),
        .init(reply: .answer(404, "<html>Not found</html>"), expected: "unusableAnswer"),
        .init(reply: .answer(410, ""), expected: "unusableAnswer"),
        .init(reply: .answer(403, "[]"), expected: "unusableAnswer"),
        .init(reply: .answer(302, ""), expected: "unusableAnswer"),
        .init(reply: .answer(200, "<authentication/>"), expected: "unusableAnswer"),
        .init(reply: .answer(200, #"{"mvpd": "NorthCable"}"#), expected: "unusableAnswer"),
        .init(reply: .answer(200, #"{"mvpd": "", "expires": "1"}"#), expected: "unusableAnswer"),
        .init(reply: .answer(200, #"{"mvpd": ["NorthCable"], "expires": "1"}"#), expected: "unusableAnswer"),
        .init(reply: .answer(200, #"{"mvpd": "NorthCable", "expires": "soon"}"#), expected: "unusableAnswer"),
        .init(
            reply: .answer(200, #"{"requestor": "EASTTV", "mvpd": "NorthCable", "expires": "1"}"#),
            expected: "unusableAnswer"),
    ]

    @Test(arguments: polls) func `§6.7, §6.15: a poll is sent once, and each answer is understood`(
        row: Poll
    ) async throws {
        var replies = OldSample.loggedIn
        replies[OldSample.authnPath] = [row.reply]
        let box = try OldBox(replies)
        let found: String
        do {
            switch try await box.backend.pollLogin(Sample.login, box.caller()) {
            case .pending: found = "pending"
            case .gone: found = "gone"
            case .done(let profile): found = "done \(profile.provider)"
            }
        } catch {
            if case .refused(let refusal) = error.kind {
                found = "refused \(refusal.code)"
            } else {
                found = "\(error.kind)"
            }
        }
        #expect(found == row.expected)
        #expect(box.calls.count { $0.contains("/tokens/authn") } == 1)
    }

    @Test func `rest-v2.md §15: after a poll finds the login, its further requests do not wait behind other polls`()
        async throws
    {
        let box = try OldBox(budget: .init(burst: 2), OldSample.loggedIn)
        let gate = box.backend.parts.sender.gate
        let login = Task { try await box.backend.pollLogin(Sample.login, box.caller(rank: .poll)) }
        await eventually { box.service.registrations == 1 && gate.waiting == 1 }
        let others = (1...3).map { other in
            Task { try await box.backend.pollLogin(Sample.login, box.caller(app: "other\(other)", rank: .poll)) }
        }
        await eventually { gate.waiting == 4 }
        box.clock.advance(by: .milliseconds(1050))
        await eventually { box.calls.count == 1 && gate.waiting == 4 }
        box.clock.advance(by: .milliseconds(1050))
        await eventually { box.calls.count == 2 || box.service.registrations == 2 }
        #expect(box.calls.last?.contains("usermetadata") == true && box.service.registrations == 1)
        for task in others + [login] { task.cancel() }
    }
}
