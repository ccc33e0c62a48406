// Tests the budget's figures for the metrics: the remaining budget, the waiting requests, and the time of pauses.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15: the remaining budget") struct RequestLoadTests {
    static let start = Duration.seconds(1000)
    static let never = Duration.seconds(1_000_000)

    @Test func `the remaining budget shrinks with each request, and refills`() throws {
        var budget = RequestBudget(.init(burst: 4, viewersBurst: 1), at: Self.start)
        var load = budget.load(at: Self.start)
        #expect((load.available, load.keptForViewers, load.waiting) == (3, 1, 0))
        for _ in 0..<5 { _ = budget.enter(.poll, deadline: Self.never) }
        #expect(budget.load(at: Self.start).waiting == 5)
        #expect(budget.advance(to: Self.start).count == 3)
        load = budget.load(at: Self.start)
        #expect((load.available, load.keptForViewers, load.waiting) == (0, 1, 2))
        _ = budget.advance(to: Self.start + .seconds(3))
        load = budget.load(at: Self.start + .seconds(60))
        #expect((load.available, load.keptForViewers, load.waiting) == (3, 1, 0))
        #expect(load.pauses == 0 && load.paused == .zero)
    }

    @Test func `the time of pauses is counted during the pauses, and overlaps count once`() throws {
        var budget = RequestBudget(at: Self.start)
        var now = Self.start
        func permit() throws -> RequestBudget.Permit {
            _ = budget.enter(.viewer, deadline: Self.never)
            while true {
                for case .granted(_, let permit) in budget.advance(to: now) { return permit }
                now = try #require(budget.nextMoment(after: now))
            }
        }
        let (first, second) = (try permit(), try permit())
        budget.throttled(first, at: now)
        budget.throttled(second, at: now + .milliseconds(500))
        #expect(budget.load(at: now + .milliseconds(500)).paused == .milliseconds(500))
        #expect(budget.load(at: now + .milliseconds(500)).available == 0)
        let after = budget.load(at: now + .seconds(100))
        #expect(after.paused == .milliseconds(1500) && after.pauses == 1)
        budget.throttled(try permit(), at: now)
        #expect(budget.load(at: now + .seconds(100)).paused == .milliseconds(3500))
        #expect(budget.load(at: now + .seconds(100)).pauses == 2)
    }

    @Test func `the loads of several services add up`() {
        var one = ServiceLoad()
        (one.available, one.keptForViewers, one.waiting) = (1, 2, 3)
        (one.pauses, one.paused, one.registrations) = (4, .seconds(5), 6)
        let sum = one + one
        #expect((sum.available, sum.keptForViewers, sum.waiting) == (2, 4, 6))
        #expect((sum.pauses, sum.paused, sum.registrations) == (8, .seconds(10), 12))
    }
}
