// Logins come and go while the service is asked about them. What was asked under one login says nothing about the next:
// each has an epoch of its own, and questions of an earlier one are withdrawn, or their answers thrown away.

@EngineActor final class Epochs {
    private var epochs: [LoginKey: UInt64] = [:]
    private var questions: [LoginKey: [UInt64: () -> Void]] = [:]
    private var last: UInt64 = 0
    private var wholeEnds: UInt64 = 0

    /// The number of the present epoch; an answer to a question of another one is not to be used.
    func current(_ key: LoginKey) -> UInt64 { epochs[key, default: 0] }

    /// The same, for answers that also depend on the logins of other requestors, as sign-on does: this one ends with a
    /// logout of the whole device, too.
    func joint(_ key: LoginKey) -> UInt64 { current(key) + wholeEnds }

    /// All logins of the device have ended.
    func endAll() { wholeEnds += 1 }

    /// A login of this requestor has begun or ended.
    func endEpoch(of key: LoginKey) {
        epochs[key, default: 0] += 1
        for withdraw in questions.removeValue(forKey: key).map({ Array($0.values) }) ?? [] { withdraw() }
    }

    /// Asks on behalf of the present login: with its end the question is cancelled.
    func ask<Answer: Sendable>(
        _ key: LoginKey, _ question: @escaping @EngineActor () async throws -> Answer
    ) async throws(BackendFault) -> Answer {
        last += 1
        let number = last
        let task = Task { try await question() }
        questions[key, default: [:]][number] = { task.cancel() }
        defer {
            questions[key]?[number] = nil
            if questions[key]?.isEmpty == true { questions[key] = nil }
        }
        do { return try await task.value } catch { throw error as? BackendFault ?? BackendFault(.cancelled) }
    }
}
