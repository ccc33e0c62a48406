// Codes can be guessed in principle. An address that types too many wrong ones has to wait; what it is told in the
// meantime does not depend on the code.

struct Guesses: Codable, Sendable {
    static let most = 10
    static let window: Instant = 60_000
    static let mostAddresses = 10_000

    var wrong: Int
    var ends: Instant

    /// Not when the clock was set back meanwhile.
    func holds(at now: Instant) -> Bool { now < ends && ends <= now + Self.window }
}

extension World {
    /// The other end of the connection: what a header says of it could be invented anew for every guess.
    func mayGuess(_ call: Call) -> Bool {
        guard let guesses = state.guesses[call.request.peer], guesses.holds(at: call.now) else { return true }
        return guesses.wrong < Guesses.most
    }

    mutating func countWrongGuess(_ call: Call) {
        let peer = call.request.peer
        var guesses = state.guesses[peer] ?? Guesses(wrong: 0, ends: 0)
        if !guesses.holds(at: call.now) {
            if state.guesses.rows.count >= Guesses.mostAddresses { state.guesses.removeAll { $0.ends <= call.now } }
            if state.guesses.rows.count >= Guesses.mostAddresses { state.guesses.clear() }
            guesses = Guesses(wrong: 0, ends: call.now + Guesses.window)
        }
        guesses.wrong += 1
        state.guesses[peer] = guesses
    }
}
