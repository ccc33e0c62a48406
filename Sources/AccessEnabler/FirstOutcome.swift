// A wait for the first of several outcomes, such as an answer or the end of the time for it. Later outcomes are dropped.

@EngineActor final class FirstOutcome<Outcome: Sendable> {
    private var waiting: CheckedContinuation<Outcome, Never>?

    /// Whether the wait is over.
    var hasCome: Bool { waiting == nil }

    func come(_ outcome: Outcome) {
        waiting?.resume(returning: outcome)
        waiting = nil
    }

    /// Starts what leads to the outcomes, and waits for the first. To be called once.
    func wait(_ start: () -> Void) async -> Outcome {
        await withCheckedContinuation {
            waiting = $0
            start()
        }
    }
}
