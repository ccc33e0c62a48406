// Degradation rules, which replace a provider that has failed. Contract: rest-v2.md §14.

extension World {
    /// The active rule of this kind for the pair, if there is one.
    func degradation(
        _ kind: DegradationRule.Kind, serviceProvider: String, provider: String, at now: Instant
    )
        -> DegradationRule?
    {
        state.degradations.rows.values.first { rule in
            rule.isActive && rule.kind == kind && rule.provider == provider
                && (rule.serviceProvider == nil || rule.serviceProvider == serviceProvider)
                && rule.ends.map { now < $0 } ?? true
        }
    }
}
