// Tests the backend's record of its service: the outcome of the last request, the service's time, and its traits.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassBackend

@Suite("operations.md: the backend's report on its service") struct BackendContactTests {
    @Test func `contact is reported from the first request on`() async throws {
        let box = try Box { _, _ in .fault(.tls(.expired)) }
        #expect(box.backend.parts.contact == .never)
        let start = box.clock.boot
        _ = try await box.fault { try await box.backend.prepare(box.caller()) }
        #expect(box.backend.parts.contact == .failing(ServiceTrouble(.tls(.expired)), since: start, last: start))
        box.clock.advance(by: .seconds(5))
        box.service.follow { _, _ in .answer(500, "") }
        _ = try await box.fault { try await box.backend.prepare(box.caller()) }
        guard case .failing(let trouble, start, box.clock.boot, nil) = box.backend.parts.contact else {
            Issue.record("\(box.backend.parts.contact)")
            return
        }
        #expect(trouble.reason == "the service answered with an error (500)")
        box.service.follow { _, _ in nil }
        let reached = box.clock.boot
        try await box.backend.prepare(box.caller())
        #expect(box.backend.parts.contact == .reachable(since: reached, last: reached))
        box.clock.advance(by: .seconds(30_000))
        try await box.backend.prepare(box.caller())
        #expect(box.backend.parts.contact == .reachable(since: reached, last: box.clock.boot))
    }

    @Test func `the last answer is still reported while the service does not answer`() async throws {
        let box = try Box { _, _ in nil }
        try await box.backend.prepare(box.caller())
        let answered = box.clock.boot
        for reply in [ScriptedService.Reply.fault(.connect), .answer(500, ""), .answer(200, "<html>Log in</html>")] {
            box.clock.advance(by: .seconds(60))
            box.service.follow { request, _ in request.url.path.hasPrefix("/api/") ? reply : nil }
            _ = try await box.fault { try await box.backend.profiles(.all, box.caller()) }
            #expect(box.backend.parts.contact.lastAnswer == answered, "\(reply)")
            guard case .failing(_, _, box.clock.boot, _) = box.backend.parts.contact else {
                Issue.record("\(box.backend.parts.contact)")
                return
            }
        }
    }

    @Test(arguments: [
        ("<html>Log in to the hotel's network</html>", "it is a web page, perhaps from a captive portal or a proxy"),
        ("", "it is empty"), ("{", "it is not what the service answers"),
    ])
    func `an unusable answer does not count as contact`(body: String, fault: String) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(200, body) : nil }
        _ = try await box.fault { try await box.backend.profiles(.all, box.caller()) }
        guard case .failing(let trouble, _, _, _) = box.backend.parts.contact else {
            Issue.record("\(box.backend.parts.contact)")
            return
        }
        #expect(trouble.reason == "the answer cannot be used: \(fault) (status 200)")
    }

    @Test func `a refusal counts as contact, and so does a 429`() async throws {
        for status in [400, 429] {
            let box = try Box { request, _ in
                request.url.path.hasPrefix("/api/") ? .answer(status, Sample.error("invalid_integration")) : nil
            }
            _ = try await box.fault { try await box.backend.pollLogin(Sample.login, box.caller()) }
            guard case .reachable = box.backend.parts.contact else {
                Issue.record("\(box.backend.parts.contact)")
                continue
            }
        }
    }

    @Test func `the date of every answer is passed on`() async throws {
        let date = "Fri, 20 Nov 2026 10:00:00 GMT"
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/") ? .dated(503, "", date) : nil
        }
        _ = try await box.fault { try await box.backend.pollLogin(Sample.login, box.caller()) }
        #expect(box.heard.elements == [ServerTime(milliseconds: 1_795_168_800_000)])
    }

    @Test func `a registration is always identified by app, statement, origin and interface`() throws {
        let box = try Box()
        let key = box.caller().registration
        #expect(key.app.rawValue == "tv.app" && key.origin == "https://sp.example" && key.interface == "v2")
        #expect(key.statement == "digest-\(Box.statement.utf8.count)")
    }

    @Test func `the traits of the interface are known without a call`() throws {
        let traits = try Box().backend.traits
        #expect(traits.multipleProfiles && traits.headerSignOn)
        #expect(!traits.cancellableCode && !traits.temporaryPassByCall)
    }
}
