// Codes and passwords can be guessed in principle. Who gets too many wrong has to wait; what is told in the meantime does
// not depend on the guess.

struct Guesses: Codable, Sendable {
    static let most = 10
    static let window: Instant = 60_000
    /// With it count the codes, of which there are no more than were given out.
    static let mostAddresses = 10_000

    var wrong: Int
    var ends: Instant

    /// Not when the clock was set back meanwhile.
    func holds(at now: Instant) -> Bool { now < ends && ends <= now + Self.window }
}

/// What is guessed at, and by whom. A box that asks for a code that is gone keeps no viewer behind the same address from
/// typing one.
enum Guessing {
    /// A code, by a browser.
    case code
    /// A code, by a program.
    case codeByProgram
    /// A password, by an address.
    case password
    /// A password of whoever was to log in with this code, by any address.
    case passwordFor(String)

    /// The other end of the connection: what a header says of it could be invented anew for every guess.
    fileprivate func key(_ call: Call) -> String {
        switch self {
        case .code: call.request.peer
        case .codeByProgram: "program " + call.request.peer
        case .password: "password " + call.request.peer
        case .passwordFor(let code): Self.codePrefix + code
        }
    }

    private static let codePrefix = "code "

    fileprivate static func code(inKey key: String) -> String? {
        key.hasPrefix(codePrefix) ? String(key.dropFirst(codePrefix.count)) : nil
    }
}

extension World {
    func mayGuess(_ call: Call, _ what: Guessing = .code) -> Bool {
        guard let guesses = state.guesses[what.key(call)], guesses.holds(at: call.now) else { return true }
        return guesses.wrong < Guesses.most
    }

    mutating func countWrongGuess(_ call: Call, _ what: Guessing = .code) {
        let key = what.key(call)
        var guesses = state.guesses[key] ?? Guesses(wrong: 0, ends: 0)
        if !guesses.holds(at: call.now) {
            if state.guesses.rows.count >= Guesses.mostAddresses { makeRoomForGuesses(at: call.now) }
            guesses = Guesses(wrong: 0, ends: call.now + Guesses.window)
        }
        guesses.wrong = min(guesses.wrong, Guesses.most) + 1
        state.guesses[key] = guesses
    }

    /// What was counted for a code stays as long as there is the code, however many addresses somebody has.
    private mutating func makeRoomForGuesses(at now: Instant) {
        state.guesses.removeAll { $0.ends <= now }
        guard state.guesses.rows.count >= Guesses.mostAddresses else { return }
        for key in state.guesses.rows.keys {
            guard let code = Guessing.code(inKey: key), state.sessions[code] != nil else {
                state.guesses[key] = nil
                continue
            }
        }
    }
}
