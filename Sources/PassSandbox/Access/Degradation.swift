// Rules that stand in for a provider which has failed. Contract: rest-v2.md §14.

extension World {
    /// An active rule of that kind for the pair.
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
