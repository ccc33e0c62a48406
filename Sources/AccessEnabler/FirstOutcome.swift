// Waits for the first of several outcomes, such as an answer or a timeout. Later outcomes are dropped.

@EngineActor final class FirstOutcome<Outcome: Sendable> {
    private var waiting: CheckedContinuation<Outcome, Never>?

    /// Whether the wait is over.
    var hasCome: Bool { waiting == nil }

    func come(_ outcome: Outcome) {
        waiting?.resume(returning: outcome)
        waiting = nil
    }

    /// Calls `start` to begin the work, and waits for the first outcome. Call this only once.
    func wait(_ start: () -> Void) async -> Outcome {
        await withCheckedContinuation {
            waiting = $0
            start()
        }
    }
}
