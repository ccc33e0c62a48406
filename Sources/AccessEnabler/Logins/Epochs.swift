// Numbers the logins of each requestor. Each login has its own epoch, so that an answer for one login is not applied to the
// next login. At the end of an epoch, its open questions are cancelled. If answers to these questions arrive later, they count
// as outdated. `Logins` owns the only instance.

@EngineActor final class Epochs {
    private var epochs: [LoginKey: UInt64] = [:]
    private var logouts: [LoginKey: UInt64] = [:]
    private var questions: [LoginKey: [UInt64: () -> Void]] = [:]
    private var last: UInt64 = 0
    private var wholeEnds: UInt64 = 0

    /// The number of the current epoch. Callers read the number before and after they await an answer. They drop the answer if
    /// the number has changed.
    func current(_ key: LoginKey) -> UInt64 { epochs[key, default: 0] }

    /// A number like `current` that also changes with a logout of the whole device. Use this number for answers that depend on
    /// the logins of other requestors, as with single sign-on.
    func joint(_ key: LoginKey) -> UInt64 { current(key) + wholeEnds }

    /// The number of logouts of this requestor, by viewers, operators or storage checks. `Audience` compares this number before
    /// and after a change, because a logout notifies the sessions itself, and they must not get a second notice.
    func logouts(of key: LoginKey) -> UInt64 { logouts[key, default: 0] }

    func noteLogout(of key: LoginKey) { logouts[key, default: 0] += 1 }

    /// Notes that a logout has ended all logins of the device.
    func endAll() { wholeEnds += 1 }

    /// A login of this requestor has begun or ended: starts a new epoch and cancels the questions of the old epoch.
    func endEpoch(of key: LoginKey) {
        epochs[key, default: 0] += 1
        for withdraw in questions.removeValue(forKey: key).map({ Array($0.values) }) ?? [] { withdraw() }
    }

    /// Asks the service a question for the current login, and cancels the question when that login ends.
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
