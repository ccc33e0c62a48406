// Makes a failing sequence as short and simple as possible while it still fails, and prints the result.

@testable import AccessEnabler

@EngineActor enum ModelShrinker {
    typealias Fails = (_ steps: [Step]) async throws -> ModelFailure?

    /// Nil if the sequence does not fail.
    static func shrink(_ steps: [Step], _ fails: Fails) async throws -> (steps: [Step], failure: ModelFailure)? {
        guard var failure = try await fails(steps) else { return nil }
        // The steps after the failure do not matter.
        var best = Array(steps.prefix(failure.step + 1))
        var size = max(best.count / 2, 1)
        var budget = 2000
        func improve(_ candidate: [Step]) async throws -> Bool {
            budget -= 1
            guard budget > 0, let found = try await fails(candidate) else { return false }
            (best, failure) = (Array(candidate.prefix(found.step + 1)), found)
            return true
        }
        while true {
            var isBetter = false
            var start = 0
            while start < best.count {
                var candidate = best
                candidate.removeSubrange(start..<min(start + size, best.count))
                if try await improve(candidate) { isBetter = true } else { start += size }
            }
            if size > 1 {
                size /= 2
                continue
            }
            for index in best.indices {
                while index < best.count {
                    var isSimpler = false
                    for simpler in best[index].simpler where !isSimpler {
                        var candidate = best
                        candidate[index] = simpler
                        isSimpler = try await improve(candidate)
                    }
                    guard isSimpler else { break }
                    isBetter = true
                }
            }
            if !isBetter { return (best, failure) }
        }
    }

    static func report(_ seed: UInt64, _ steps: [Step], _ failure: ModelFailure) -> String {
        let lines = steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
        return
            "seed \(seed):\n\(lines.joined(separator: "\n"))\n  expected: \(failure.expected)\n  seen: \(failure.seen)"
    }
}

extension Step {
    /// Simpler steps that may replace this step. They never lead back to this step.
    var simpler: [Step] {
        switch self {
        case .together(let one, let other): [one, other]
        case .pass(let seconds) where seconds > 61: [.pass(seconds: 5), .pass(seconds: 61)]
        case .pass(let seconds) where seconds > 5: [.pass(seconds: 5)]
        case .setRequestor(let seat, .r2): [.setRequestor(seat, .r1)]
        case .select(let seat, let provider) where provider != .m1: [.select(seat, .m1)]
        case .appears(let provider) where provider != .m1: [.appears(.m1)]
        case .getAuthorization(let seat): [.checkAuthorization(seat)]
        case .restart: [.pass(seconds: 5)]
        default: []
        }
    }
}
