// Lets one caller at a time work, in the order of arrival. Examples are the calls of a session and the writes to the vault. The
// caller that may work now has the turn. Each type with waiting callers owns a queue. Only one waiting task is resumed at a
// time, because tasks that are resumed together run in any order.

@EngineActor final class TurnQueue {
    enum Position { case first, last }

    struct Waiter {
        fileprivate let number: UInt64
        /// Resumed with true if the caller has the turn.
        fileprivate let continuation: CheckedContinuation<Bool, Never>
    }

    private(set) var waiting: [Waiter] = []
    private var lastNumber: UInt64 = 0
    /// Whether a caller has the turn, or has just been given it.
    private(set) var isTaken = false

    /// Waits until the turn is passed on to this caller.
    func wait(at position: Position) async {
        _ = await withCheckedContinuation { add($0, at: position) }
    }

    @discardableResult private func add(
        _ continuation: CheckedContinuation<Bool, Never>, at position: Position
    ) -> UInt64 {
        lastNumber += 1
        waiting.insert(
            Waiter(number: lastNumber, continuation: continuation),
            at: position == .first ? waiting.startIndex : waiting.endIndex)
        return lastNumber
    }

    /// Takes the turn without waiting. The turn must be free, or the caller must already have it.
    func takeTurn() { isTaken = true }

    /// Waits for the turn and takes it; `passTurnOn` gives it back.
    func awaitTurn() async {
        if isTaken { await wait(at: .last) }
        isTaken = true
    }

    /// Waits for the turn until the deadline. Returns false if the caller has not got the turn by then.
    func awaitTurn(by deadline: BootTime, _ clock: any EngineClock) async -> Bool {
        guard isTaken else {
            isTaken = true
            return true
        }
        var alarm: (any EngineAlarm)?
        let hasTurn = await withCheckedContinuation { continuation in
            let number = add(continuation, at: .last)
            alarm = clock.alarm(at: deadline) { [weak self] in self?.giveUp(number) }
        }
        alarm?.cancel()
        if hasTurn { isTaken = true }
        return hasTurn
    }

    private func giveUp(_ number: UInt64) {
        guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: index).continuation.resume(returning: false)
    }

    /// Gives the turn to the first waiting caller. If no caller waits, the turn is free.
    func passTurnOn() {
        isTaken = !waiting.isEmpty
        if !waiting.isEmpty { waiting.removeFirst().continuation.resume(returning: true) }
    }
}
