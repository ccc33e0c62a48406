// Tests the effects of a 429.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v2.md §15: a 429 pauses the whole device") struct TooManyRequestsPauseTests {
    static let never = Duration.seconds(1_000_000)

    /// Enters a request and waits until it is permitted.
    func permit(_ budget: inout RequestBudget, _ now: inout Duration) throws -> RequestBudget.Permit {
        _ = budget.enter(.viewer, deadline: Self.never)
        while true {
            for case .granted(_, let permit) in budget.advance(to: now) { return permit }
            now = try #require(budget.nextMoment(after: now))
        }
    }

    func expect(_ count: Int, _ budget: inout RequestBudget, at now: Duration) {
        let outcomes = budget.advance(to: now)
        #expect(outcomes.count == count)
    }

    @Test func `the pause doubles from one to eight seconds, and a success ends the doubling`() throws {
        var now = Duration.seconds(1000)
        var budget = RequestBudget(at: now)
        var sent = try permit(&budget, &now)
        for (round, pause) in [1, 2, 4, 8, 8, 1, 2].enumerated() {
            if round == 5 { budget.succeeded(sent) }
            let refused = now
            budget.throttled(sent, at: now)
            sent = try permit(&budget, &now)
            #expect(now - refused == .seconds(pause), "round \(round)")
        }
    }

    @Test func `requests that are sent together are refused together, with one pause`() throws {
        var now = Duration.seconds(1000)
        var budget = RequestBudget(at: now)
        let sent = try (0..<5).map { _ in try permit(&budget, &now) }
        for (number, permit) in sent.enumerated() { budget.throttled(permit, at: now + .milliseconds(number)) }
        let begin = now
        _ = try permit(&budget, &now)
        #expect(now - begin == .milliseconds(1004), "a second after the last refusal, not sixteen")
    }

    @Test func `a success of a request from before the pause does not end the pause`() throws {
        var now = Duration.seconds(1000)
        var budget = RequestBudget(at: now)
        let slow = try permit(&budget, &now)
        budget.throttled(try permit(&budget, &now), at: now)
        budget.succeeded(slow)
        let probe = try permit(&budget, &now)
        let begin = now
        budget.throttled(probe, at: now)
        _ = try permit(&budget, &now)
        #expect(now - begin == .seconds(2))
    }

    @Test func `a 429 ends the burst`() throws {
        var now = Duration.seconds(1000)
        var budget = RequestBudget(at: now)
        budget.throttled(try permit(&budget, &now), at: now)
        for _ in 0..<5 { _ = budget.enter(.poll, deadline: Self.never) }
        expect(0, &budget, at: now + .milliseconds(999))
        expect(1, &budget, at: now + .seconds(1))
        expect(0, &budget, at: now + .seconds(2))
        expect(1, &budget, at: now + .milliseconds(2050))
    }
}
