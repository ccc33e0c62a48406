// Decisions in REST V2. Contract: rest-v2.md D1, D2, §6.1.

import AccessEnabler

extension V2Backend {
    /// The longest question. To a longer one, older servers answer with an empty list and newer ones with an error.
    static let mostPreauthorizations = 5
    /// A repetition ends this long before the deadline, so that the result of the first attempt is not lost.
    private static let reserve = Duration.milliseconds(250)

    /// Never shared with an identical call: a media token is valid for one play.
    public func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        guard !resources.isEmpty else { return [] }
        _ = try TemporaryIdentity(caller.temporaryIdentity)
        return try await parts.alone(by: caller.deadline) { [self] timeLimit in
            var decisions = try await decisions(resources, at: provider, caller: caller, timeLimit: timeLimit)
            let reserved = TimeLimit(caller.deadline.advanced(by: .zero - Self.reserve))
            for tries in 1..<RequestSender.mostTries {
                let open = decisions.indices.filter { decisions[$0].error?.asksForRepetition == true }
                guard !open.isEmpty, try await sender.pause(after: tries, reserved) else { break }
                let question = open.map { decisions[$0].resource }
                let again = try? await sender.timedWait.value(by: reserved.deadline, reserved) { [self] reserved in
                    try await self.decisions(question, at: provider, caller: caller, timeLimit: reserved)
                }
                guard let again else { break }
                for (index, decision) in zip(open, again) { decisions[index] = decision }
            }
            return decisions
        }
    }

    public func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        guard !resources.isEmpty else { return [] }
        let question = ServiceQuestion(.preauthorization(resources.map(ExactText.init), provider), caller)
        return try await preauthorizations.value(for: question, by: caller.deadline) { [calls] timeLimit in
            var decisions: [ServiceDecision] = []
            var rest = resources[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Self.mostPreauthorizations))
                rest = rest.dropFirst(batch.count)
                decisions += try await calls.ask(
                    DecisionsAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .freely, signOn: true
                ) { $0.preauthorize(batch, at: provider) }.decisions(for: batch)
            }
            return decisions
        }
    }

    private func decisions(
        _ resources: [ResourceID], at provider: ProviderID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await calls.ask(
            DecisionsAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .freely, signOn: true
        ) {
            $0.authorize(resources, at: provider)
        }.decisions(for: resources)
    }
}
