// Tests how dates from the service reach the engine. architecture.md §3.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassDaemon

@Suite struct ServiceTimeRelayTests {
    @Test func `the service's dates reach the engine once it exists`() async throws {
        let relay = ServiceTimeRelay()
        let household = try await Household()
        let clock = household.clock
        relay.learn(clock.wall.advanced(by: .seconds(60)), asked: clock.boot)
        relay.pass(on: household.engine)
        await settle()
        #expect(await household.engine.clockOffset == nil)
        relay.learn(clock.wall.advanced(by: .seconds(60)), asked: clock.boot)
        await settle()
        #expect(await household.engine.clockOffset == .seconds(60))
    }

    /// Returns when all earlier work on the engine's queue is done.
    @EngineActor private func settle() {}
}
