// Tests that a request has the rank of its most urgent caller, through the whole backend.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("ruling 32, rest-v2.md §15: requests have the rank of their callers") struct BackendRankTests {
    /// A box whose burst is used up, except for the reserve for viewers.
    private func busyBox() async throws -> Box {
        let box = try Box(burst: 9, viewersBurst: 5) { request, _ in
            request.url.path.hasSuffix("/profiles") ? .answer(200, Sample.nobody) : nil
        }
        // A registration, a token and three reads. The last read uses the reserve, because the app has started alone.
        for _ in 0..<3 { _ = try await box.backend.profiles(.all, box.caller(app: "earlier", rank: .start)) }
        return box
    }

    @Test func `an app that starts waits, but a viewer does not`() async throws {
        let box = try await busyBox()
        let start = Task { try await box.backend.profiles(.all, box.caller(app: "starts", rank: .start)) }
        await eventually { box.backend.parts.sender.gate.waiting == 1 }
        _ = try await box.backend.profiles(.all, box.caller(app: "viewed"))
        #expect(box.service.calls.count == 4)
        start.cancel()
    }

    @Test func `a registration has the rank of its most urgent caller, even of a later one`() async throws {
        let box = try await busyBox()
        let start = Task { try await box.backend.prepare(box.caller(rank: .start)) }
        await eventually { box.backend.parts.sender.gate.waiting == 1 }
        _ = try await box.backend.profiles(.all, box.caller())
        try await start.value
        #expect(box.service.registrations == 2)
    }

    @Test func `a setup gets a viewer's rank when a play begins to wait for it`() async throws {
        let box = try await busyBox()
        let setup = box.caller(rank: .start)
        let start = Task { try await box.backend.profiles(.all, setup) }
        await eventually { box.backend.parts.sender.gate.waiting == 1 }
        setup.urgency.raise(to: .viewer)
        _ = try await start.value
        #expect(box.service.calls.count == 4)
    }

    @Test func `a request that a viewer joins gets a viewer's rank`() async throws {
        let box = try await busyBox()
        try await box.backend.prepare(box.caller())
        let start = Task { try await box.backend.profiles(.all, box.caller(rank: .background)) }
        await eventually { box.backend.parts.sender.gate.waiting == 1 }
        _ = try await box.backend.profiles(.all, box.caller())
        _ = try await start.value
        #expect(box.service.calls.count == 4)
    }
}
