// Tests users who send requests to the service at the same time, through the whole backend.

import AccessEnabler
import PassTestKit
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15: users take turns at the service") struct BackendTurnTests {
    private static func play(_ number: Int, _ owner: RequestOwner, _ box: Box) -> Task<[ServiceDecision], any Error> {
        var caller = box.caller()
        caller.owner = owner
        return Task { [caller] in
            try await box.backend.authorize([ResourceID(rawValue: "film-\(number)")], at: north, caller)
        }
    }

    private static func answer(_ request: HTTPRequest) -> ScriptedService.Reply? {
        guard request.url.path.contains("/decisions/") else { return nil }
        let film = request.text.split(separator: "\"").first { $0.hasPrefix("film-") } ?? ""
        return .answer(200, Sample.decisions([Sample.permit(String(film))]))
    }

    @Test func `a user with sixty plays delays another user by only one play`() async throws {
        let box = try Box(burst: 1) { request, _ in Self.answer(request) }
        try await box.clock.run { try await box.backend.prepare(box.caller()) }
        let gate = box.backend.parts.sender.gate
        let flood = (1...60).map { Self.play($0, .user(5002), box) }
        await eventually { gate.waiting == 60 }
        let one = Self.play(0, .user(5001), box)
        await eventually { gate.waiting == 61 }
        let decisions = try await box.clock.run { try await one.value }
        #expect(decisions.first?.isAuthorized == true)
        // The test's clock may have run ahead by a few requests.
        let place = try #require(box.service.calls.firstIndex { $0.text.contains("\"film-0\"") })
        #expect(place < 10)
        for play in flood { play.cancel() }
    }

    @Test func `a request is built at its turn, not while it waits`() async throws {
        let box = try Box(burst: 1)
        let made = Recorder<Int>()
        let request = RegistrationCalls(origin: try Origin(box.origin), deviceInfo: "").token("a", Secret("b"))
        let timeLimit = TimeLimit(box.caller().deadline, Urgency(.viewer))
        let calls = (0..<3).map { number in
            Task {
                try await box.backend.parts.sender.deliver(of: .box, repetition: .never, timeLimit: timeLimit) {
                    made.append(number)
                    return request
                }
            }
        }
        await eventually { box.backend.parts.sender.gate.waiting == 2 && made.elements.count == 1 }
        try await box.clock.run { for call in calls { _ = try await call.value } }
        #expect(made.elements.count == 3)
    }

    @Test func `the same read of two users is two requests`() async throws {
        let box = try Box { request, _ in request.url.path.hasSuffix("/profiles") ? .answer(200, Sample.nobody) : nil }
        try await box.backend.prepare(box.caller())
        let one = ServiceQuestion(.profiles, box.caller())
        var caller = box.caller()
        #expect(ServiceQuestion(.profiles, caller) == one)
        caller.owner = .user(5001)
        #expect(ServiceQuestion(.profiles, caller) != one)
    }
}
