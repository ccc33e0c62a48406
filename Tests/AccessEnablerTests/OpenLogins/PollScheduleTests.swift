// Tests when codes are polled, under a clock that only this test moves.

import Testing

@testable import AccessEnabler

@Suite("rest-v2.md §7, access-enabler.md §7.7: polling") struct PollScheduleTests {
    private static let begin = BootTime(nanoseconds: 1_000_000_000_000)
    private let half = 0.5

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
            asked: [5, 10, 15, 20]),
        .init(
            testDescription: "a service that is unwell, and recovers", outcomes: [.failed, .failed, .failed, .pending],
            asked: [5, 15, 35, 65, 70]),
        .init(
            testDescription: "a throttled poll waits a second and an interval", outcomes: [.throttled, .pending],
            asked: [5, 11, 16]),
        .init(
            testDescription: "pauses do not grow without end",
            outcomes: [.failed, .failed, .failed, .failed, .failed, .failed, .failed],
            asked: [5, 15, 35, 65, 95, 125, 155, 185]),
    ]

    @Test(arguments: traces) func `the questions come when they should`(trace: Step) {
        var schedule = schedule()
        #expect(schedule.first(chance: half) == .ask(at: at(trace.asked[0])))
        for (index, outcome) in trace.outcomes.enumerated() {
            let next = schedule.next(after: outcome, at: at(trace.asked[index]), chance: half)
            #expect(next == .ask(at: at(trace.asked[index + 1])), "question \(index + 2)")
        }
    }

    @Test func `after five minutes the questions come half as often`() {
        var schedule = schedule()
        #expect(schedule.next(after: .pending, at: at(299), chance: half) == .ask(at: at(304)))
        #expect(schedule.next(after: .pending, at: at(300), chance: half) == .ask(at: at(310)))
    }

    @Test func `the code's end is the end`() {
        var schedule = schedule(minutes: 1)
        #expect(schedule.next(after: .pending, at: at(54), chance: half) == .ask(at: at(59)))
        #expect(schedule.next(after: .pending, at: at(55), chance: half) == .expire(at: at(60)))
        #expect(schedule.next(after: .failed, at: at(58), chance: half) == .expire(at: at(60)))
        #expect(schedule.next(after: .pending, at: at(75), chance: half) == .expire(at: at(75)))
        #expect(self.schedule(minutes: 0).first(chance: half) == .expire(at: Self.begin))
    }

    @Test func `never faster than every three seconds, never more than a tenth off`() {
        var schedule = schedule()
        for step in 0..<1000 {
            let chance = Double(step) / 1000
            guard case .ask(let time) = schedule.next(after: .pending, at: at(10), chance: chance) else {
                Issue.record("it gave up")
                return
            }
            let wait = at(10).duration(to: time)
            #expect(wait >= .milliseconds(4500) && wait <= .milliseconds(5500))
        }
    }
}
