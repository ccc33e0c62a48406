// Tests the deadline of each call of an app. The time counts from the call's arrival and includes all waits.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("ruling 47: fifteen seconds from the arrival of a call") @EngineActor struct CallTimeTests {
    enum Call: CaseIterable, Sendable {
        case play, check, hints, login, choice, providers

        /// The last request to the service.
        var question: String {
            switch self {
            case .play, .check: "authorize"
            case .hints: "preauthorize"
            case .login, .providers: "providers"
            case .choice: "beginLogin"
            }
        }

        func make(_ app: Session) async throws {
            switch self {
            case .play: _ = try await app.getAuthorization(.init(resource: "r"))
            case .check: _ = try await app.checkAuthorization(.init(resource: "r"))
            case .hints: _ = try await app.checkPreauthorizedResources(.init(resources: ["r"]))
            case .login: _ = try await app.getAuthentication(.init())
            case .choice: _ = try await app.setSelectedProvider(.init(providerID: "M1"))
            case .providers: _ = try await app.listProviders(.init(includeTempPass: true))
            }
        }
    }

    private func stage(isIn: Bool = false) async throws -> Stage {
        try await Stage {
            $0.offersLogin()
            $0.authorize = { .success(Sample.permit($0)) }
            if isIn { $0.isLoggedIn("NEWS24") }
        }
    }

    @Test(arguments: Call.allCases)
    func `waits before the request to the service count against the call's deadline`(call: Call) async throws {
        let stage = try await stage(isIn: call == .play || call == .check || call == .hints)
        stage.engine.settings.selectStartsLogin = true
        let app = stage.connect("A")
        stage.backend.hold("prepare")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ prepare NEWS24")
        let arrival = stage.clock.boot
        let made = Task { try await call.make(app) }
        while app.setup.calls.waiting.isEmpty { await EngineActor.turn() }
        stage.clock.advance(by: .seconds(3))
        stage.backend.release("prepare")
        _ = try await setup.value
        try await made.value
        let asked = stage.backend.deadlines.elements.last { $0.call == call.question }
        #expect(asked?.time == arrival.advanced(by: .seconds(15)))
    }

    @Test func `a start that waits behind other starts is answered by its deadline`() async throws {
        let stage = try await stage()
        let app = stage.connect("A")
        stage.backend.hold("prepare")
        let arrival = stage.clock.boot
        let answered = Recorder<Duration>()
        let setups = (0..<12).map { number in
            Task { @EngineActor in
                // Each call replaces the requestor of the previous call.
                _ = try? await app.setRequestor(.init(requestorID: "R\(number)"), Stage.grant("A"))
                answered.append(arrival.duration(to: stage.clock.boot))
            }
        }
        for _ in 0..<70 where answered.elements.count < setups.count {
            await stage.rest()
            stage.clock.advance(by: .milliseconds(250))
        }
        for setup in setups { await setup.value }
        let longest = answered.elements.max() ?? .zero
        #expect(longest <= .milliseconds(15_250), "\(answered.elements)")
        stage.backend.release("prepare")
    }

    @Test func `a session that waits for another session's code is answered by its own deadline`() async throws {
        let stage = try await stage()
        let (first, second) = (try await stage.app("A", "NEWS24"), try await stage.app("A", "NEWS24"))
        stage.backend.hold("beginLogin")
        let calls = [first, second].map { app in
            Task {
                _ = try await app.getAuthentication(.init())
                _ = try await app.setSelectedProvider(.init(providerID: "M1"))
            }
        }
        try await stage.hear("⇄ beginLogin NEWS24 M1")
        await stage.rest()
        stage.clock.advance(by: .seconds(15))
        // The fake service has no timeout. The other call does not wait for the service.
        let waiting = stage.backend.calls.elements.count { $0.hasPrefix("beginLogin") }
        #expect(waiting == 1)
        let late = Recorder<Bool>()
        for call in calls {
            Task {
                if case .failure(let error as RPCError) = await call.result { late.append(error.action == .retry) }
            }
        }
        try await late.wait { $0.count == 1 }
        stage.backend.release("beginLogin")
        for call in calls { _ = await call.result }
    }

    @Test func `ruling 48: a start that waits only for this box's own requests keeps waiting`() async throws {
        let stage = try await stage()
        var overloaded = BackendFault(.overloaded, retryAfter: .seconds(2))
        overloaded.reason = "it is not its turn"
        stage.backend.script { $0.prepare = .failure(overloaded) }
        stage.backend.hold("prepare")
        let app = stage.connect("A")
        let arrival = stage.clock.boot
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ prepare NEWS24")
        let mark = stage.mark
        // The second request keeps the place of the first one in the queue.
        stage.backend.release("prepare")
        stage.backend.hold("prepare")
        try await stage.hear("⇄ prepare NEWS24", since: mark)
        stage.backend.script { $0.prepare = .success(()) }
        let deadlines = stage.backend.deadlines.elements.filter { $0.call == "prepare" }.map(\.time)
        #expect(deadlines.first == arrival.advanced(by: .seconds(5)))
        #expect(deadlines.last == arrival.advanced(by: .milliseconds(14_750)))
        stage.backend.release("prepare")
        #expect(try await setup.value.requestorID == "NEWS24")
    }
}
