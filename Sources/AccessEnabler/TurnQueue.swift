// Lets callers take turns in the order in which they came: the calls of a session, the questions for a code, the writes
// to the vault. Its owner is the type whose callers wait. Tasks that are resumed together run in any order, so each one
// resumes the next only when it is running itself.

@EngineActor final class TurnQueue {
    enum Position { case first, last }

    private(set) var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether somebody has the turn, or has just been given it.
    private(set) var isTaken = false

    /// Waits until the turn is passed on to this caller.
    func wait(at position: Position) async {
        await withCheckedContinuation { waiter in
            switch position {
            case .first: waiting.insert(waiter, at: 0)
            case .last: waiting.append(waiter)
            }
        }
    }

    /// Takes the turn without waiting. The caller has to know that it is free or its own.
    func takeTurn() { isTaken = true }

    /// Waits for the turn and takes it; `passTurnOn` gives it back.
    func awaitTurn() async {
        if isTaken { await wait(at: .last) }
        isTaken = true
    }

    /// Gives the turn to the caller that has waited longest, or frees it.
    func passTurnOn() {
        isTaken = !waiting.isEmpty
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}
