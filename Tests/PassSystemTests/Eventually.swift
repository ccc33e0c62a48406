// Waits for a condition instead of for a time.

import Testing

/// Returns as soon as the condition holds; records an issue if it does not within a minute.
func eventually(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ fact: @Sendable () async -> Bool
) async {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if await fact() { return }
        await Task.yield()
    }
    Issue.record(comment ?? "it never became true", sourceLocation: sourceLocation)
}
