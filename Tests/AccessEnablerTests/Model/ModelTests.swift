// Tests thousands of sequences of calls, outcomes, jumps of time and restarts against the rules of the model. A seed
// determines its sequence, so a failure can be repeated. The report has the shortest form of the failure.

import Glibc
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md, compared with a model") @EngineActor struct ModelTests {
    nonisolated static let blocks = Array(0..<10)
    /// The number of sequences in a block. The nightly check asks for more.
    nonisolated static let size =
        getenv("MODEL_SEQUENCES").flatMap { Int(String(cString: $0)) }.map { max(1, $0) } ?? 200
    /// The number of sequences whose last two steps happen at the same time. The nightly check asks for no more of them.
    nonisolated static let races = UInt64(min(10 * size, 2000))

    private static func fails(
        _ seed: UInt64, _ steps: [Step], _ plant: ModelRun.Plant = .none
    ) async throws
        -> ModelFailure?
    {
        let (state, failure) = try await end(seed, steps, plant)
        guard failure == nil, case .together(let one, let other)? = steps.last, !one.races(other) else {
            return failure
        }
        // Simultaneous steps happen in one of the two orders. An interrupted step may not happen at all.
        let isInterrupted = one.interrupts(other) || other.interrupts(one)
        var orders: [String] = []
        for pair in [[one, other], [other, one]] + (isInterrupted ? [[one], [other]] : []) {
            let (state, failure) = try await end(seed, steps.dropLast() + pair, plant)
            if let failure { return failure }
            orders.append(state)
        }
        guard !orders.contains(state) else { return nil }
        return ModelFailure(
            step: steps.count - 1, expected: Set(orders).sorted().joined(separator: "\n    or: "), seen: state)
    }

    private static func end(
        _ seed: UInt64, _ steps: [Step], _ plant: ModelRun.Plant
    ) async throws
        -> (state: String, ModelFailure?)
    {
        let run = try await ModelRun(seed: seed, plant)
        var failure: ModelFailure?
        do { try await run.play(steps) } catch let found as ModelFailure { failure = found }
        let state = run.state
        await run.end()
        return (state, failure)
    }

    /// Runs sequences, and returns the report of the first failure.
    private static func search(
        _ seeds: Range<UInt64>, _ plant: ModelRun.Plant = .none,
        _ write: (UInt64) -> [Step] = { Sequence(seed: $0).steps }
    ) async throws -> (
        steps: [Step], report: String
    )? {
        for seed in seeds {
            let steps = write(seed)
            guard try await fails(seed, steps, plant) != nil,
                let (shortest, failure) = try await ModelShrinker.shrink(steps, { try await fails(seed, $0, plant) })
            else { continue }
            return (shortest, ModelShrinker.report(seed, shortest, failure))
        }
        return nil
    }

    @Test(arguments: blocks) func `random sequences follow the rules`(_ block: Int) async throws {
        let first = UInt64(block * Self.size)
        let found = try await Self.search(first..<(first + UInt64(Self.size)))
        #expect(found == nil, "\(found?.report ?? "")")
    }

    @Test func `a logout takes effect, regardless of setups and logins at the same time`() async throws {
        let found = try await Self.search(0..<Self.races) { Sequence(racing: $0).steps }
        #expect(found == nil, "\(found?.report ?? "")")
    }

    @Test(arguments: [ModelRun.Plant.repeatedToken, .wrongRule, .forgetfulVault, .deafApps])
    func `a deliberate fault is found, and reported in a few steps`(_ plant: ModelRun.Plant) async throws {
        let found = try #require(try await Self.search(0..<2000, plant))
        #expect(found.steps.count <= 10, "\(found.report)")
    }
}
