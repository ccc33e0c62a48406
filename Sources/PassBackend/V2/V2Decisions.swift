// Decisions in REST V2. Contract: rest-v2.md D1, D2, §6.1.

public import AccessEnabler

extension V2Backend {
    /// The max number of resources in one question. For longer questions, older servers send an empty answer, and newer servers
    /// send an error.
    static let maxPreauthorizations = 5

    /// Callers never share an answer, because each media token can be used only once.
    public func authorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        guard !resources.isEmpty else { return [] }
        _ = try TemporaryIdentity(caller.options.temporaryIdentity)
        return try await parts.alone(for: caller) { [self] timeLimit in
            try await parts.sender.repeatingOpen(resources, within: timeLimit) {
                [self] resources, timeLimit throws(BackendFault) in
                try await ask(
                    DecisionsAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .freely, signOn: true
                ) { $0.authorize(resources, at: provider) }.decisions(for: resources)
            }
        }
    }

    public func preauthorize(
        _ resources: [ResourceID], at provider: ProviderID, _ caller: BackendCaller
    ) async throws(BackendFault) -> [ServiceDecision] {
        try await parts.preauthorize(resources, at: provider, caller) {
            [self] resources, timeLimit throws(BackendFault) in
            var decisions: [ServiceDecision] = []
            var rest = resources[...]
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Self.maxPreauthorizations))
                rest = rest.dropFirst(batch.count)
                decisions += try await ask(
                    DecisionsAnswer.self, caller: caller, timeLimit: timeLimit, repeating: .freely, signOn: true
                ) { $0.preauthorize(batch, at: provider) }.decisions(for: batch)
            }
            return decisions
        }
    }
}
