// Makes calls take turns: the calls of a session, requests for a code of one requestor, writes to the vault. Tasks that
// are resumed together run in any order. Therefore each call resumes the next one only when it runs itself, which keeps
// the order of arrival.

@EngineActor final class TurnQueue {
    enum Position { case first, last }

    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Whether a caller has the turn or has just been given it.
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

    /// Gives the turn to the caller at the front of the line, or frees it if nobody waits.
    func passTurnOn() {
        isTaken = !waiting.isEmpty
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}
