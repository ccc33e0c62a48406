// Calls that take turns, one after the other: the calls of a session, the questions for a code of one requestor, the
// writes to the vault. Tasks that are resumed together run in any order; so each one resumes the next only when it is
// running itself, and the order in which they came is kept.

@EngineActor final class TurnQueue {
    enum Position { case first, last }

    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Somebody has the turn, or has just been given it.
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

    /// Takes the turn without waiting.
    func takeTurn() { isTaken = true }

    /// Waits for the turn and takes it; `passTurnOn` gives it back.
    func awaitTurn() async {
        if isTaken { await wait(at: .last) }
        isTaken = true
    }

    /// To the one who has waited longest.
    func passTurnOn() {
        isTaken = !waiting.isEmpty
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}
