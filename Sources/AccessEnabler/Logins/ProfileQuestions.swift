// For each open question about logins, remembers the logins that the answer must not restore. These are logins that have ended
// since the question, and logins whose end the service did not know at that time. `Logins` owns the only instance. Contract:
// access-enabler.md §9.5; open-questions.md OQ-13.

@EngineActor final class ProfileQuestions {
    private var open: [UInt64: Set<ProfileKey>] = [:]
    private var last: UInt64 = 0

    /// Asks the question. Returns the answer, and the logins that the answer must not restore: `ended`, whose end the service
    /// does not know yet, and the logins that ended during the question.
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

    /// Notes that logins have ended, so that the answers to open questions do not restore them.
    func noteEnded(_ keys: some Sequence<ProfileKey>) {
        for number in open.keys { open[number]?.formUnion(keys) }
    }
}

/// The service's answer about the logins of a requestor. `Logins` applies it. Contract: rest-v2.md §8, §9.
struct ProfileList {
    var profiles: [Profile]
    /// If true, logins that the list does not name have ended.
    var isComplete: Bool
    /// The selected provider, if the service has said that the requestor no longer works with it.
    var lapsed: ProviderID?
    /// The logins that had ended here when the answer arrived. The service may not have known that at the time of the
    /// question.
    var ended: Set<ProfileKey> = []
}
