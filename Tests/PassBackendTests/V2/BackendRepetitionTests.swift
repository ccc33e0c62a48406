// Tests which calls are retried, and how the budget and the deadline limit retries.

import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md §6.4, §15: retries") struct BackendRepetitionTests {
    enum Call: CaseIterable, Sendable {
        case providers, profiles, profile, poll, session, authorize, preauthorize, logout

        func make(_ box: Box, _ caller: BackendCaller) async throws {
            switch self {
            case .providers: _ = try await box.backend.providers(caller)
            case .profiles: _ = try await box.backend.profiles(.all, caller)
            case .profile: _ = try await box.backend.profiles(.provider(north), caller)
            case .poll: _ = try await box.backend.pollLogin(Sample.login, caller)
            case .session: _ = try await box.backend.beginLogin(LoginRequest(provider: north), caller)
            case .authorize: _ = try await box.backend.authorize([film], at: north, caller)
            case .preauthorize: _ = try await box.backend.preauthorize([film], at: north, caller)
            case .logout: _ = try await box.backend.logout(north, caller)
            }
        }

        static let free = allCases.filter { $0 != .poll && $0 != .session }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: ScriptedService.Reply
        let kind: BackendFault.Kind?
        let free: Int
        let session: Int
        let poll: Int
        var testDescription: String { "\(reply)" }
    }

    private static func refused(_ code: String, _ action: String = "none", _ status: Int = 400) -> BackendFault.Kind {
        .refused(ServiceError(status: status, code: code, actionName: action, trace: "t-1"))
    }

    static let rows: [Row] = [
        .init(
            reply: .answer(400, Sample.error("invalid_integration")), kind: refused("invalid_integration"), free: 1,
            session: 1, poll: 1),
        .init(
            reply: .answer(400, Sample.error("odd", action: "retry")), kind: refused("odd", "retry"), free: 1,
            session: 1,
            poll: 1),
        .init(
            reply: .answer(403, Sample.error("network_received_error", action: "retry", status: 403)),
            kind: refused("network_received_error", "retry", 403), free: 3, session: 1, poll: 1),
        .init(reply: .answer(404, "not here"), kind: .unusableAnswer, free: 1, session: 1, poll: 1),
        .init(reply: .answer(405, ""), kind: .unusableAnswer, free: 1, session: 1, poll: 1),
        .init(reply: .answer(429, "<html>"), kind: .throttled, free: 4, session: 4, poll: 1),
        .init(reply: .answer(500, "<html>"), kind: .serverError(500), free: 3, session: 1, poll: 1),
        .init(reply: .answer(503, ""), kind: .serverError(503), free: 3, session: 3, poll: 1),
        .init(
            reply: .answer(500, Sample.error("invalid_configuration_platform", action: "configuration", status: 500)),
            kind: refused("invalid_configuration_platform", "configuration", 500), free: 1, session: 1, poll: 1),
        .init(reply: .answer(200, "<html>"), kind: .unusableAnswer, free: 1, session: 1, poll: 1),
        .init(reply: .answer(200, #"{"profiles": "#), kind: .unusableAnswer, free: 1, session: 1, poll: 1),
        .init(reply: .answer(200, "null"), kind: .unusableAnswer, free: 1, session: 1, poll: 1),
        .init(reply: .fault(.tooLarge(limit: 9)), kind: .unusableAnswer, free: 1, session: 1, poll: 1),
        .init(reply: .fault(.broken("cut off")), kind: .unusableAnswer, free: 3, session: 1, poll: 1),
        .init(reply: .fault(.dns), kind: .unreachable, free: 3, session: 3, poll: 1),
        .init(reply: .fault(.connect), kind: .unreachable, free: 3, session: 3, poll: 1),
        .init(reply: .fault(.unreachable), kind: .unreachable, free: 3, session: 3, poll: 1),
        .init(reply: .fault(.timeout(wasSent: false)), kind: .unreachable, free: 3, session: 3, poll: 1),
        .init(reply: .fault(.timeout(wasSent: true)), kind: .unreachable, free: 3, session: 1, poll: 1),
        .init(reply: .fault(.tls(.expired)), kind: .insecure, free: 1, session: 1, poll: 1),
        .init(reply: .fault(.insecure), kind: .insecure, free: 1, session: 1, poll: 1),
    ]

    @Test(arguments: rows, Call.allCases)
    func `each fault is retried as often as the call allows, and is named`(row: Row, call: Call) async throws {
        let box = try Box(site: LoginSite(domainName: "lumen.example")) { request, _ in
            request.url.path.hasPrefix("/api/") ? row.reply : nil
        }
        let caller = box.caller()
        #expect(try await box.fault { try await call.make(box, caller) } == row.kind)
        // An earlier logout is not repeated while all requests pause (ruling 44).
        let isNotRepeated = call == .logout && row.kind == .throttled
        let expected = call == .poll || isNotRepeated ? row.poll : call == .session ? row.session : row.free
        #expect(box.service.calls.count == expected)
    }

    @Test func `pauses grow, and a successful second try ends the call`() async throws {
        let box = try Box { request, before in
            guard request.url.path.hasPrefix("/api/") else { return nil }
            return before < 2 ? .answer(502, "") : .answer(200, Sample.nobody)
        }
        let caller = box.caller()
        let start = box.clock.now
        #expect(try await box.clock.run { try await box.backend.profiles(.all, caller) }.isEmpty)
        #expect(box.clock.now - start == .seconds(3), "one second and two")
    }

    @Test func `background requests are held back from a failing service, except for occasional probes`() async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(502, "") : nil }
        func ask(_ rank: CallRank) async throws -> BackendFault.Kind? {
            var caller = box.caller()
            caller.urgency = Urgency(rank)
            let asking = caller
            return try await box.fault { try await box.clock.run { _ = try await box.backend.profiles(.all, asking) } }
        }
        for _ in 0..<2 { #expect(try await ask(.background) == .serverError(502)) }
        #expect(box.service.calls.count == CircuitBreaker.maxFailures)
        #expect(try await ask(.background) == .unreachable)
        #expect(box.service.calls.count == CircuitBreaker.maxFailures, "no request was sent")
        _ = try await ask(.viewer)
        #expect(box.service.calls.count == CircuitBreaker.maxFailures + Repetition.maxTries)
        box.clock.advance(by: CircuitBreaker.pause)
        #expect(try await ask(.background) == .serverError(502))
        #expect(box.service.calls.count == CircuitBreaker.maxFailures + Repetition.maxTries + 1, "a probe")
        box.service.follow { request, _ in request.url.path.hasPrefix("/api/") ? .answer(200, Sample.nobody) : nil }
        var caller = box.caller()
        caller.urgency = Urgency(.viewer)
        _ = try await box.backend.profiles(.all, caller)
        caller.urgency = Urgency(.background)
        _ = try await box.backend.profiles(.all, caller)
    }

    /// Answers of a captive portal or a broken proxy instead of the service.
    private static let foreign: [(String, ScriptedService.Reply)] = [
        ("302", .headed(302, "", ["Location": "https://portal.hotel.example/login"])),
        ("200 and a page", .answer(200, "<html>Log in to the hotel's network</html>")),
        ("403 and a page", .answer(403, "<html>Log in to the hotel's network</html>")),
        ("200 and half an answer", .answer(200, #"{"profiles": "#)),
    ]

    @Test(arguments: foreign)
    func `rest-v2.md §15: foreign answers hold back background requests, just like failures`(
        name: String, reply: ScriptedService.Reply
    ) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? reply : nil }
        var caller = box.caller()
        caller.urgency = Urgency(.background)
        for _ in 0..<CircuitBreaker.maxFailures {
            let fault = try await box.fault { [caller] in _ = try await box.backend.profiles(.all, caller) }
            #expect(fault == .unusableAnswer)
        }
        let fault = try await box.fault { [caller] in _ = try await box.backend.profiles(.all, caller) }
        #expect(fault == .unreachable)
        #expect(box.service.calls.count == CircuitBreaker.maxFailures, "no request was sent")
        box.clock.advance(by: CircuitBreaker.pause)
        _ = try await box.fault { [caller] in _ = try await box.backend.profiles(.all, caller) }
        _ = try await box.fault { [caller] in _ = try await box.backend.profiles(.all, caller) }
        #expect(
            box.service.calls.count == CircuitBreaker.maxFailures + 1,
            "one probe, whose failure keeps requests held back")
    }

    @Test func `rest-v2.md §15: each unusable answer counts once, together with the failures before it`() {
        let record = ContactRecord()
        let now = BootTime(nanoseconds: 1)
        for _ in 1..<CircuitBreaker.maxFailures {
            record.reached(at: now)
            record.wasUnusable(nil, at: now)
            record.wasUnusable(nil, at: now)
        }
        #expect(record.admits(.background, at: now))
        record.failed(ServiceTrouble(unusable: nil), at: now)
        record.wasUnusable(nil, at: now)
        #expect(!record.admits(.background, at: now) && record.admits(.viewer, at: now))
        record.reached(at: now)
        #expect(record.admits(.background, at: now))
        for _ in 1..<CircuitBreaker.maxFailures { record.failed(ServiceTrouble(unusable: nil), at: now) }
        #expect(record.admits(.background, at: now), "a success has reset the count")
    }

    @Test func `a pause that would exceed the deadline is not started`() async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(502, "") : nil }
        let task = Task { try await box.backend.profiles(.all, box.caller(within: .milliseconds(2500))) }
        let pause = box.clock.now + .seconds(1)
        await eventually { box.clock.nextAlarm == pause }
        box.clock.advance(to: pause)
        #expect(try await Box.fault(of: task) == .serverError(502))
        #expect(box.service.calls.count == 2)
    }

    @Test func `after a 429 all requests pause for a second, and then succeed`() async throws {
        let box = try Box { request, before in
            guard request.url.path.hasPrefix("/api/") else { return nil }
            return before == 0 ? .answer(429, "<html>") : .answer(200, Sample.nobody)
        }
        try await box.backend.prepare(box.caller())
        let start = box.clock.now
        let caller = box.caller()
        _ = try await box.clock.run { try await box.backend.profiles(.all, caller) }
        #expect(box.clock.now - start == .seconds(1))
        #expect(box.service.calls.count == 2)
    }

    @Test func `a pause that exceeds the deadline is reported as such`() async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(429, "") : nil }
        let task = Task { try await box.backend.profiles(.all, box.caller(within: .milliseconds(2500))) }
        await eventually { box.service.calls.count == 1 && box.backend.parts.sender.gate.waiting == 1 }
        box.clock.advance(by: .seconds(1))
        await eventually { box.service.calls.count == 2 && box.backend.parts.sender.gate.waiting == 1 }
        box.clock.advance(by: .milliseconds(1500))
        let fault = await #expect(throws: BackendFault.self) { try await task.value }
        #expect(fault?.kind == .throttled && fault?.retryAfter == .seconds(1))
        #expect(box.service.calls.count == 2)
    }

    @Test(arguments: Call.allCases) func `a pause that prevents the app's registration is reported as such`(
        call: Call
    ) async throws {
        let box = try Box { _, _ in .answer(429, "") }
        let task = Task { try await call.make(box, box.caller(within: .milliseconds(500))) }
        await eventually { box.backend.parts.sender.gate.waiting == 1 && box.clock.alarmCount == 3 }
        box.clock.advance(by: .milliseconds(500))
        #expect(try await Box.fault(of: task) == .throttled)
    }

    @Test func `a request that hangs after the pause is not reported as paused`() async throws {
        let box = try Box { request, before in
            request.url.path.hasPrefix("/api/") ? before == 0 ? .answer(429, "") : .held : nil
        }
        let task = Task { try await box.backend.profiles(.all, box.caller(within: .seconds(7))) }
        await eventually { box.service.calls.count == 1 && box.backend.parts.sender.gate.waiting == 1 }
        box.clock.advance(by: .seconds(1))
        await eventually { box.service.heldCount == 1 }
        box.clock.advance(by: .seconds(6))
        #expect(try await Box.fault(of: task) == .deadline)
    }

    @Test(arguments: Call.allCases) func `no caller waits beyond the deadline`(call: Call) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .held : nil }
        let task = Task { try await call.make(box, box.caller(within: .seconds(7))) }
        await eventually { box.service.heldCount == 1 && box.clock.alarmCount == 1 }
        box.clock.advance(by: .milliseconds(6999))
        #expect(box.service.heldCount == 1)
        box.clock.advance(by: .milliseconds(1))
        #expect(try await Box.fault(of: task) == .deadline)
        await eventually { box.service.cancellations == 1 }
        #expect(box.service.calls.count == 1)
        // Operators see that the service is not answering. Ruling 47.
        await eventually { if case .failing = box.backend.parts.contact { true } else { false } }
        guard case .failing(let trouble, _, _, _) = box.backend.parts.contact else { return }
        #expect(trouble.reason == "the service did not answer in time")
    }

    @Test(arguments: Call.allCases) func `after the deadline no request is sent`(call: Call) async throws {
        let box = try Box()
        let caller = box.caller(within: .zero)
        #expect(try await box.fault { try await call.make(box, caller) } == .deadline)
        #expect(box.service.requests.isEmpty)
    }

    @Test func `a caller that waits for its turn fails at the deadline, too, and viewers go first`() async throws {
        let box = try Box(burst: 3) { request, _ in
            request.url.path.hasSuffix("/profiles") || request.url.path.contains("/code/")
                ? .answer(200, Sample.nobody)
                : request.url.path.contains("/decisions/")
                    ? .answer(200, Sample.decisions([Sample.permit("film")])) : nil
        }
        _ = try await box.backend.profiles(.all, box.caller())
        let poll = Task { try await box.backend.pollLogin(Sample.login, box.caller(rank: .poll)) }
        await eventually { box.backend.parts.sender.gate.waiting == 1 }
        let play = Task { try await box.backend.authorize([film], at: north, box.caller()) }
        await eventually { box.backend.parts.sender.gate.waiting == 2 }
        let hasty = Task { try await box.backend.profiles(.provider(north), box.caller(within: .milliseconds(100))) }
        await eventually { box.backend.parts.sender.gate.waiting == 3 }
        box.clock.advance(by: .milliseconds(100))
        #expect(try await Box.fault(of: hasty) == .overloaded)
        box.clock.advance(by: .seconds(1))
        #expect(try await play.value.count == 1)
        #expect(box.service.calls.count == 2)
        box.clock.advance(by: .seconds(2))
        _ = try await poll.value
    }

    @Test(arguments: Call.allCases) func `a cancelled caller is told at once`(call: Call) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .held : nil }
        let task = Task { try await call.make(box, box.caller()) }
        await eventually { box.service.heldCount == 1 }
        task.cancel()
        do {
            try await task.value
            Issue.record("there is an answer")
        } catch let fault as BackendFault { #expect(fault.kind == .cancelled) }
        await eventually { box.service.cancellations == 1 }
    }

    @Test func `§15: forty plays of four apps are sent no faster than the service allows`() async throws {
        let box = try Box(burst: 10) { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(200, Sample.decisions([Sample.permit("film")])) : nil
        }
        let callers = (0..<40).map { box.caller(app: "app\($0 % 4)") }
        let start = box.clock.now
        let permits = try await box.clock.run {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for caller in callers {
                    group.addTask {
                        try await box.backend.authorize([film], at: north, caller).count(where: \.isAuthorized)
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(permits == 40)
        #expect(box.service.registrations == 4 && box.service.tokens == 4)
        #expect(box.clock.now - start == .milliseconds(1050) * 38, "48 requests, ten of them at once")
    }
}
