// Calls that wait for their turn, one after the other. Tasks that are resumed together run in any order; so each resumes
// the next one when it is running itself.

@EngineActor final class Turns {
    enum Place { case first, last }

    private var waiting: [CheckedContinuation<Void, Never>] = []
    private(set) var areTaken = false

    func wait(_ place: Place) async {
        await withCheckedContinuation { waiter in
            switch place {
            case .first: waiting.insert(waiter, at: 0)
            case .last: waiting.append(waiter)
            }
        }
    }

    func take() { areTaken = true }

    /// Waits for the turn and takes it; `passOn` gives it back.
    func enter() async {
        if areTaken { await wait(.last) }
        areTaken = true
    }

    /// To the one who has waited longest.
    func passOn() {
        areTaken = !waiting.isEmpty
        if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
}
