// Tests the gate under a virtual clock.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15: waiting at the gate") struct RequestGateTests {
    static let never = Duration.seconds(1_000_000)

    @Test func `forty tasks of four apps all pass, no faster than the service allows`() async throws {
        let clock = VirtualClock()
        let gate = RequestGate(clock: clock)
        let callers = (0..<40).map { number in
            Task { try await gate.enter(Urgency(number % 2 == 0 ? .viewer : .poll), deadline: Self.never) }
        }
        await eventually { gate.waiting == 30 }
        var moments = Array(repeating: Duration.seconds(1000), count: 10)
        for step in 1...4000 {
            clock.advance(by: .milliseconds(10))
            let granted = callers.count - gate.waiting - moments.count
            moments += Array(repeating: .seconds(1000) + .milliseconds(10 * step), count: granted)
        }
        for caller in callers { _ = try await caller.value }
        #expect(moments.count == callers.count)
        var service = ServiceBucket(burstRefills: true, at: .seconds(1000))
        let refused = moments.filter { !service.admits(at: $0) }
        #expect(refused.isEmpty)
        #expect(clock.alarm == nil, "no caller waits, so there is no alarm")
    }

    @Test func `a passed deadline is a named error`() async throws {
        let clock = VirtualClock()
        let gate = RequestGate(.init(burst: 1), clock: clock)
        _ = try await gate.enter(Urgency(.poll), deadline: Self.never)
        let late = Task { try await gate.enter(Urgency(.poll), deadline: .seconds(1000) + .milliseconds(200)) }
        await eventually { gate.waiting == 1 }
        clock.advance(by: .milliseconds(200))
        await #expect(throws: RequestBudget.Refusal.deadlinePassed) { try await late.value }
    }

    @Test func `a full queue is a named error, also for an evicted request`() async throws {
        let clock = VirtualClock()
        let gate = RequestGate(.init(burst: 1, queueLimit: 1), clock: clock)
        _ = try await gate.enter(Urgency(.poll), deadline: Self.never)
        let poll = Task { try await gate.enter(Urgency(.poll), deadline: Self.never) }
        await eventually { gate.waiting == 1 }
        await #expect(throws: RequestBudget.Refusal.queueFull) {
            try await gate.enter(Urgency(.poll), deadline: Self.never)
        }
        let urgent = Task { try await gate.enter(Urgency(.viewer), deadline: Self.never) }
        await #expect(throws: RequestBudget.Refusal.queueFull) { try await poll.value }
        clock.advance(by: .seconds(2))
        _ = try await urgent.value
    }

    @Test func `a caller that is cancelled at any time leaves the queue`() async throws {
        let clock = VirtualClock()
        let gate = RequestGate(.init(burst: 1), clock: clock)
        _ = try await gate.enter(Urgency(.poll), deadline: Self.never)
        for round in 0..<200 {
            let task = Task { try await gate.enter(Urgency(.poll), deadline: Self.never) }
            if round % 2 == 0 { await Task.yield() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(gate.waiting == 0)
        #expect(clock.alarm == nil)
    }

    @Test func `a 429 pauses all requests for a second`() async throws {
        let clock = VirtualClock()
        let gate = RequestGate(clock: clock)
        gate.throttled(try await gate.enter(Urgency(.poll), deadline: Self.never))
        let next = Task { try await gate.enter(Urgency(.viewer), deadline: Self.never) }
        await eventually { gate.waiting == 1 }
        clock.advance(by: .milliseconds(999))
        #expect(gate.waiting == 1)
        clock.advance(by: .milliseconds(1))
        #expect(gate.waiting == 0)
        _ = try await next.value
    }
}
