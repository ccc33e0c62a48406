// Counts the requests of an app from its first start on a new box to its code, on both interfaces. Also tests that five
// simultaneous apps all get a code. `ColdStartTests` has the exact times.

import PassTestKit
import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("ruling 48, rest-v2.md §15: from the first start to a code") struct ColdStartCallTests {
    enum Kind: CaseIterable, Sendable { case v1, v2 }

    /// A new box with the shipped figures and without a login.
    struct NewBox: Sendable {
        let clock: BoxClock
        let service: ScriptedService
        let backend: any EntitlementBackend
        private let makeCaller: @Sendable (String, CallRank) -> BackendCaller

        init(_ kind: Kind) throws {
            switch kind {
            case .v1:
                let budget = RequestBudget.Settings(burst: 9, viewersBurst: 8, isNewBox: true)
                let box = try OldBox(
                    budget: budget,
                    [
                        OldSample.authnPath: [OldSample.basic(404)],
                        OldSample.configurationPath: [.answer(200, OldSample.configuration)],
                        OldSample.codePath: [.answer(201, OldSample.code)],
                    ])
                (clock, service, backend) = (box.clock, box.service, box.backend)
                makeCaller = { box.caller(app: $0, rank: $1) }
            case .v2:
                let box = try Box(burst: 9, viewersBurst: 8, isNewBox: true) { request, _ in
                    let path = request.url.path
                    if path.hasSuffix("/profiles") { return .answer(200, Sample.nobody) }
                    if path.hasSuffix("/configuration") { return .answer(200, Sample.providers) }
                    return path.hasSuffix("/sessions") ? .answer(201, Sample.session) : nil
                }
                (clock, service, backend) = (box.clock, box.service, box.backend)
                makeCaller = { box.caller(app: $0, rank: $1) }
            }
        }

        /// The calls of an app until it shows a code. Each call has its own deadline.
        func start(_ app: String) async throws {
            let setup = makeCaller(app, .start)
            try await backend.prepare(setup)
            #expect(try await backend.profiles(.all, setup).isEmpty)
            _ = try await backend.providers(makeCaller(app, .viewer))
            let request = LoginRequest(provider: north)
            guard case .showCode = try await backend.beginLogin(request, makeCaller(app, .viewer)) else {
                Issue.record("no code")
                return
            }
        }
    }

    @Test(arguments: Kind.allCases) func `one app needs five requests, and none of them waits`(kind: Kind) async throws
    {
        let box = try NewBox(kind)
        let ends = Recorder<Bool>()
        // The clock is stopped.
        let start = Task {
            try await box.start("app")
            ends.append(true)
        }
        await eventually { !ends.elements.isEmpty }
        start.cancel()
        #expect(box.service.requests.count == 5, "\(box.service.paths)")
    }

    @Test(arguments: Kind.allCases) func `five simultaneous apps all get their codes, with five requests each`(
        kind: Kind
    ) async throws {
        let box = try NewBox(kind)
        try await box.clock.run {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<5 { group.addTask { try await box.start("app\(number)") } }
                try await group.waitForAll()
            }
        }
        #expect(box.service.requests.count == 25, "\(box.service.paths)")
    }

    @Test func `rest-v1.md §6.7: after some time the older interface is asked about logins again`() async throws {
        let box = try NewBox(.v1)
        try await box.clock.run { try await box.start("app") }
        box.clock.advance(by: V1Backend.absenceLife)
        try await box.clock.run { try await box.start("app") }
        let paths = box.service.paths.count { $0 == "/api/v1/tokens/authn" }
        // One request for each setup, and none for the codes right after it.
        #expect(paths == 2)
        box.clock.advance(by: V1Backend.absenceLife)
        _ = try await box.clock.run { try await box.start("other") }
        #expect(box.service.paths.count { $0 == "/api/v1/tokens/authn" } == 3)
    }
}
