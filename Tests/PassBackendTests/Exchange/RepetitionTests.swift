// Tests the rules for retries: how often, after which pause, and until when.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v2.md §6.4, §8, §15; dcr.md §5: the rules for retries") struct RepetitionTests {
    typealias Outcome = Repetition.Outcome
    typealias Step = Repetition.Step

    private let start = BootTime(nanoseconds: 1_000_000_000)
    private static let passing = Outcome(isPassing: true)
    private static let throttled = Outcome(isThrottled: true)
    private static let tokenRefused = Outcome(refused: .token)
    private static let clientRefused = Outcome(refused: .client)
    private static let first = Step.repeatAfter(.seconds(1))
    private static let second = Step.repeatAfter(.seconds(2))

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let policy: Repetition.Policy
        let outcomes: [Outcome]
        let steps: [Step]

        init(_ name: String, _ outcomes: [Outcome], _ steps: [Step], policy: Repetition.Policy = .freely) {
            (testDescription, self.policy, self.outcomes, self.steps) = (name, policy, outcomes, steps)
        }
    }

    @Test(arguments: [
        Row("an answer ends the call", [Outcome()], [.end]),
        Row("three tries in all", [passing, passing, passing], [first, second, .end]),
        Row(
            "three repeats after a 429", [throttled, throttled, throttled, throttled],
            [.repeatNow, .repeatNow, .repeatNow, .end]),
        Row(
            "a 429 does not count as a try", [passing, throttled, passing, throttled, passing],
            [first, .repeatNow, second, .repeatNow, .end]),
        Row("a caller with its own intervals", [throttled], [.end], policy: .never),
        Row("a logout does not wait for a pause", [passing, throttled], [first, .end], policy: .unlessThrottled),
        Row("a request that must not be sent twice waits for a pause", [throttled], [.repeatNow], policy: .whenUnseen),
        Row("a new token, once", [tokenRefused, tokenRefused], [.repeatNow, .end]),
        Row("a new registration, once", [clientRefused, clientRefused], [.repeatNow, .end]),
        Row(
            "a new token, then a new registration", [tokenRefused, clientRefused, tokenRefused, clientRefused],
            [.repeatNow, .repeatNow, .end, .end]),
        Row(
            "a new token has all tries", [passing, passing, tokenRefused, passing, passing, passing],
            [first, second, .repeatNow, first, second, .end]),
        Row(
            "a new token has all repeats after a 429",
            [throttled, throttled, throttled, tokenRefused, throttled, throttled, throttled, throttled],
            [.repeatNow, .repeatNow, .repeatNow, .repeatNow, .repeatNow, .repeatNow, .repeatNow, .end]),
    ])
    func `each outcome leads to its step`(_ row: Row) {
        var repetition = Repetition(row.policy)
        let steps = row.outcomes.map { outcome in
            repetition.step(after: outcome, at: start, until: start.advanced(by: .seconds(60)), jitter: { 0.5 })
        }
        #expect(steps == row.steps)
    }

    @Test(arguments: [(0.0, 750), (0.5, 1000), (1.0, 1250)])
    func `a pause is up to a quarter shorter or longer, at random`(_ jitter: Double, _ milliseconds: Int) {
        var repetition = Repetition(.freely)
        let step = repetition.step(
            after: Self.passing, at: start, until: start.advanced(by: .seconds(60)), jitter: { jitter })
        #expect(step == .repeatAfter(.milliseconds(milliseconds)))
    }

    @Test(arguments: [(1000, Step.end), (1001, first)])
    func `a pause must end before the deadline`(_ milliseconds: Int, _ expected: Step) {
        var repetition = Repetition(.freely)
        let step = repetition.step(
            after: Self.passing, at: start, until: start.advanced(by: .milliseconds(milliseconds)), jitter: { 0.5 })
        #expect(step == expected)
    }

    @Test func `a refused token is replaced even at the deadline`() {
        var repetition = Repetition(.freely)
        let outcome = Outcome(isPassing: true, refused: .token)
        #expect(
            repetition.step(after: outcome, at: start, until: start, jitter: { 0.5 }) == .repeatNow)
    }
}
