// Tracks questions to the service about who is logged in, and the logins that end while they are under way. An answer
// may be older than a logout. It is therefore checked against the logouts of which the service had not heard when it
// was asked, and against all later ones. Contract: access-enabler.md §9.5; open-questions.md OQ-13.

@EngineActor final class ProfileQuestions {
    private var open: [UInt64: Set<ProfileKey>] = [:]
    private var last: UInt64 = 0

    /// Asks, and returns which logins had ended when the answer arrived: `ended`, and those that ended since.
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

    /// Notes ended logins, which no answer that is still under way may revive.
    func noteEnded(_ keys: some Sequence<ProfileKey>) {
        for number in open.keys { open[number]?.formUnion(keys) }
    }
}
