// Questions to the service about who is logged in, and the logins that ended while those were under way. An answer may
// be older than a logout: so it is judged by every logout that the service had not heard of when it was asked, and by
// every one since. Contract: access-enabler.md §9.5; open-questions.md OQ-13.

@EngineActor final class ProfileQuestions {
    private var open: [UInt64: Set<ProfileKey>] = [:]
    private var last: UInt64 = 0

    /// Asks, and says which logins had ended when the answer came: those that it begins with, and those since.
    func follow<Answer>(
        from ended: Set<ProfileKey>, _ question: @EngineActor () async throws(BackendFault) -> Answer
    ) async throws(BackendFault) -> (answer: Answer, ended: Set<ProfileKey>) {
        last += 1
        let number = last
        open[number] = ended
        defer { open[number] = nil }
        let answer = try await question()
        return (answer, open[number] ?? ended)
    }

    /// Logins that have ended: no answer that is still on its way may bring them back.
    func noteEnded(_ keys: some Sequence<ProfileKey>) {
        for number in open.keys { open[number]?.formUnion(keys) }
    }
}
