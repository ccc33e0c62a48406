// Decisions in REST V2. Contract: rest-v2.md D1, D2, §6.1.

public import AccessEnabler

extension V2Backend {
    /// The most resources in one question. Older servers answer a longer one with nothing, newer ones with an error.
    static let mostPreauthorizations = 5

    /// Never shared between callers, because a media token can be used once.
    public func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        guard !resources.isEmpty else { return [] }
        _ = try TemporaryIdentity(caller.temporaryIdentity)
        return try await parts.alone(for: caller) { [self] timeLimit in
            let decisions = try await decisions(resources, at: provider, caller: caller, timeLimit: timeLimit)
            return try await sender.repeatingOpen(decisions, until: caller.deadline, urgency: caller.urgency) {
                [self] question, timeLimit in
                try await self.decisions(question, at: provider, caller: caller, timeLimit: timeLimit)
            }
        }
    }

    public func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        guard !resources.isEmpty else { return [] }
        let question = ServiceQuestion(.preauthorization(resources.map(ExactText.init), provider), caller)
        return try await preauthorizations.value(for: question, by: caller.deadline, caller.urgency) {
            [self] timeLimit in
            let decisions = try await hints(resources, at: provider, caller: caller, timeLimit: timeLimit)
            return try await sender.repeatingOpen(decisions, until: timeLimit.deadline, urgency: timeLimit.urgency) {
                [self] open, timeLimit in
                try await hints(open, at: provider, caller: caller, timeLimit: timeLimit)
            }
        }
    }

    private func hints(
        _ resources: [ResourceID], at provider: ProviderID, caller: BackendCaller, timeLimit: TimeLimit
    ) async throws(BackendFault) -> [ServiceDecision] {
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
