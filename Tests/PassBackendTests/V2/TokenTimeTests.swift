// Tests that a silent source of sign-on tokens delays a request only for a part of its time.

import AccessEnabler
import Synchronization
import Testing

@testable import PassBackend

@Suite("access-enabler.md §6.1; rest-v2.md §3.6, §3.7") struct TokenTimeTests {
    private final class Silent: PlatformSSO {
        private let isSilent = Mutex(true)

        func answer() { isSilent.withLock { $0 = false } }

        private func token(_ text: String) async -> Secret? {
            while isSilent.withLock({ $0 }) { await Task.yield() }
            return Secret(text)
        }

        func identityToken(at time: ServerTime) async -> Secret? { await token("box") }
        func serviceToken(at time: ServerTime) async -> Secret? { await token("viewer") }
    }

    @Test func `ruling 34: if a token takes more than a third of the request's time, the request is sent without it`()
        async throws
    {
        let platform = Silent()
        let box = try Box(platform: platform) { request, _ in
            request.url.path.contains("/profiles") ? .answer(200, Sample.nobody) : nil
        }
        let caller = box.caller(within: .seconds(300))
        let began = box.clock.now
        let found = try await box.clock.run { try await box.backend.profiles(.all, caller) }
        #expect(found.isEmpty && box.clock.now - began <= .seconds(101))
        let sent = try #require(box.service.requests.last)
        #expect(sent.headers["Adobe-Subject-Token"] == nil && sent.headers["AD-Service-Token"] == nil)
        platform.answer()
        _ = try await box.clock.run { try await box.backend.profiles(.all, box.caller()) }
        let next = try #require(box.service.requests.last)
        #expect(next.headers["Adobe-Subject-Token"] == "box" && next.headers["AD-Service-Token"] == "viewer")
    }
}
