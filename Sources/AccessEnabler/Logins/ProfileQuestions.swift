// Questions to the service about logins, and what ended while they were out. An answer may be older than a logout that
// the service has heard of meanwhile: it is judged by every logout that was not told when it was asked for, and by every
// one since. Contract: access-enabler.md §9.5; open-questions.md OQ-13.

@EngineActor final class ProfileQuestions {
    private var open: [UInt64: Set<ProfileKey>] = [:]
    private var last: UInt64 = 0

    /// What ended before the answer came, beginning with `ended`.
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
    func end(_ keys: some Sequence<ProfileKey>) {
        for number in open.keys { open[number]?.formUnion(keys) }
    }
}
