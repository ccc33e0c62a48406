// Asks again for the resources of an answer whose error asks for it, and only for these. Contract: rest-v2.md §8;
// rest-v1.md §6.11.

import AccessEnabler

extension RequestSender {
    /// Another try ends this long before the deadline, so that the decisions of the first are not lost.
    private static let reserve = Duration.milliseconds(250)

    /// Returns the decisions with the open ones replaced. There are at most three tries in all, the first one included;
    /// if a later one fails, what is known by then stays.
    func repeatingOpen(
        _ first: [ServiceDecision], until deadline: BootTime, urgency: Urgency,
        _ ask: @escaping @Sendable ([ResourceID], TimeLimit) async throws -> [ServiceDecision]
    ) async throws -> [ServiceDecision] {
        var decisions = first
        let reserved = TimeLimit(deadline.advanced(by: .zero - Self.reserve), urgency)
        for tries in 1..<Self.mostTries {
            let open = decisions.indices.filter { decisions[$0].error?.asksForRepetition == true }
            guard !open.isEmpty, try await pause(after: tries, reserved) else { break }
            let question = open.map { decisions[$0].resource }
            let again = try? await timedWait.value(by: reserved.deadline, reserved) { reserved in
                try await ask(question, reserved)
            }
            guard let again else { break }
            for (index, decision) in zip(open, again) { decisions[index] = decision }
        }
        return decisions
    }
}
