// Tests when codes are polled, under a clock that only this test moves.

import Testing

@testable import AccessEnabler

@Suite("rest-v2.md §7, access-enabler.md §7.7: polling") struct PollScheduleTests {
    private static let begin = BootTime(nanoseconds: 1_000_000_000_000)
    private let none = 0.0

    private func schedule(minutes: Int = 30) -> PollSchedule {
        PollSchedule(begins: Self.begin, ends: Self.begin.advanced(by: .seconds(minutes * 60)))
    }

    private func at(_ seconds: Double) -> BootTime { Self.begin.advanced(by: .milliseconds(Int64(seconds * 1000))) }

    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcomes: [PollSchedule.Outcome]
        /// The times of the polls, in seconds since the code was shown.
        let asked: [Double]
    }

    static let traces: [Step] = [
        .init(
            testDescription: "a viewer who takes their time", outcomes: [.pending, .pending, .pending],
            asked: [3, 6, 9, 12]),
        .init(
            testDescription: "a service that fails and recovers", outcomes: [.failed, .failed, .failed, .pending],
            asked: [3, 9, 21, 45, 48]),
        .init(
            testDescription: "a throttled poll waits a second and an interval", outcomes: [.throttled, .pending],
            asked: [3, 7, 10]),
        .init(
            testDescription: "pauses do not grow without limit",
            outcomes: [.failed, .failed, .failed, .failed, .failed, .failed, .failed],
            asked: [3, 9, 21, 45, 75, 105, 135, 165]),
    ]

    @Test(arguments: traces) func `the polls come at the right times`(trace: Step) {
        var schedule = schedule()
        #expect(schedule.first(chance: none) == .ask(at: at(trace.asked[0])))
        for (index, outcome) in trace.outcomes.enumerated() {
            let next = schedule.next(after: outcome, at: at(trace.asked[index]), chance: none)
            #expect(next == .ask(at: at(trace.asked[index + 1])), "question \(index + 2)")
        }
    }

    @Test func `several codes take turns, so that requests remain for other calls`() {
        var schedule = schedule()
        #expect(schedule.first(chance: none, codes: 2) == .ask(at: at(4)))
        #expect(schedule.first(chance: none, codes: 5) == .ask(at: at(10)))
        #expect(schedule.next(after: .pending, at: at(10), chance: none, codes: 4) == .ask(at: at(18)))
        #expect(schedule.next(after: .pending, at: at(300), chance: none, codes: 4) == .ask(at: at(310)))
    }

    @Test func `after five minutes the polls come every ten seconds`() {
        var schedule = schedule()
        #expect(schedule.next(after: .pending, at: at(299), chance: none) == .ask(at: at(302)))
        #expect(schedule.next(after: .pending, at: at(300), chance: none) == .ask(at: at(310)))
    }

    @Test func `no poll comes after the code's expiry`() {
        var schedule = schedule(minutes: 1)
        #expect(schedule.next(after: .pending, at: at(54), chance: none) == .ask(at: at(57)))
        #expect(schedule.next(after: .pending, at: at(57), chance: none) == .expire(at: at(60)))
        #expect(schedule.next(after: .failed, at: at(58), chance: none) == .expire(at: at(60)))
        #expect(schedule.next(after: .pending, at: at(75), chance: none) == .expire(at: at(75)))
        #expect(self.schedule(minutes: 0).first(chance: none) == .expire(at: Self.begin))
    }

    @Test func `polls are at least three seconds apart, and at most a tenth late`() {
        var schedule = schedule()
        for step in 0..<1000 {
            let chance = Double(step) / 1000
            guard case .ask(let time) = schedule.next(after: .pending, at: at(10), chance: chance) else {
                Issue.record("it gave up")
                return
            }
            let wait = at(10).duration(to: time)
            #expect(wait >= .milliseconds(3000) && wait <= .milliseconds(3300))
        }
    }
}
