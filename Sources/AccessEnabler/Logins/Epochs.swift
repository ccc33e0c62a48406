// Each login of a requestor is an epoch with a number. Logins change while the service is being asked about them, and
// an answer that was asked for under one login says nothing about the next. Therefore the end of an epoch cancels its
// questions, and callers discard answers of an earlier epoch.

@EngineActor final class Epochs {
    private var epochs: [LoginKey: UInt64] = [:]
    private var questions: [LoginKey: [UInt64: () -> Void]] = [:]
    private var last: UInt64 = 0
    private var wholeEnds: UInt64 = 0

    /// The number of the current epoch. An answer that was asked for in another epoch must not be used.
    func current(_ key: LoginKey) -> UInt64 { epochs[key, default: 0] }

    /// The number to compare for answers that also depend on the logins of other requestors, as sign-on does. It also
    /// changes when the whole device is logged out.
    func joint(_ key: LoginKey) -> UInt64 { current(key) + wholeEnds }

    /// All logins of the device have ended.
    func endAll() { wholeEnds += 1 }

    /// A login of this requestor has begun or ended: starts a new epoch and cancels the questions of the old one.
    func endEpoch(of key: LoginKey) {
        epochs[key, default: 0] += 1
        for withdraw in questions.removeValue(forKey: key).map({ Array($0.values) }) ?? [] { withdraw() }
    }

    /// Asks under the current login. The question is cancelled when the login ends.
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
