// Tests when the daemon returns memory to the system.

import AccessEnabler
import PassTestKit
import Testing

@testable import PassServer

@Suite("ruling 59: memory is given back after a flood") @EngineActor struct MemoryReturnTests {
    private let clock = VirtualClock()
    private let returns = Recorder<Int>()
    private let memory: MemoryReturn

    init() {
        memory = MemoryReturn(clock: clock) { [returns] in returns.append(1) }
    }

    @Test func `after a load the daemon returns memory twice: some seconds later, and after the last calls`()
        async throws
    {
        memory.memoryFreed()
        clock.advance(by: .seconds(4))
        memory.memoryFreed()
        clock.advance(by: .seconds(1))
        #expect(returns.elements.isEmpty, "the load has continued")
        clock.advance(by: .seconds(5))
        try await returns.wait(for: 1)
        clock.advance(by: .seconds(20))
        try await returns.wait(for: 2)
        #expect(clock.alarmCount == 0, "nothing wakes an idle box")
    }

    @Test func `a load that does not end delays the return by at most half a minute`() async throws {
        for _ in 0..<30 {
            memory.memoryFreed()
            clock.advance(by: .seconds(1))
        }
        try await returns.wait(for: 1)
    }

    @Test func `memory is returned if many clients leave, but not if few leave`() async throws {
        for _ in 0..<63 { memory.clientLeft() }
        #expect(clock.alarmCount == 0)
        memory.clientLeft()
        clock.advance(by: .seconds(5))
        try await returns.wait(for: 1)
    }
}
