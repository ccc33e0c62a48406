// Limits how often codes and passwords can be guessed. After too many wrong guesses, the caller has to wait. During the wait,
// right and wrong guesses get the same answer. On a developer's machine, all callers have the same address. Therefore a wrong
// guess limits only similar guesses: codes with the same beginning, or passwords of the same user. A caller that tries all
// codes has ten guesses a minute for each beginning. This is too few to find a code in its lifetime.

struct Guesses: Codable, Sendable {
    static let maxWrong = 10
    static let window: Instant = 60_000
    /// The maximum number of entries in the table. The table grows beyond this number only for existing codes, with one entry
    /// for each code.
    static let maxAddresses = 10_000

    var wrong: Int
    var ends: Instant

    /// Whether the limit still applies. It no longer applies if the clock was set back in the meantime.
    func holds(at now: Instant) -> Bool { now < ends && ends <= now + Self.window }
}

/// A guess, and the kind of client. Guesses of programs and of browsers are counted separately, because otherwise a box with an
/// expired code could lock out a viewer with the same address.
enum Guessing {
    /// A code, guessed by a browser.
    case code(String)
    /// A code, guessed by a program.
    case codeByProgram(String)
    /// The password of this user at this provider, guessed from an address.
    case password(of: String, at: String)
    /// The password for a login with this code, guessed from any address.
    case passwordFor(String)

    /// The key under which the guess is counted. The key contains the address of the connection. It contains no address from a
    /// header, because a client can write any address into a header.
    fileprivate func key(_ call: Call) -> String {
        switch self {
        case .code(let code): "browser \(call.request.peer) \(Self.beginning(code))"
        case .codeByProgram(let code): "program \(call.request.peer) \(Self.beginning(code))"
        case .password(let user, let provider):
            "password \(call.request.peer) \(provider) \(user.prefix(64).lowercased())"
        case .passwordFor(let code): Self.codePrefix + code
        }
    }

    /// The first two characters of the code. The spelling of the input does not matter. About a thousand beginnings are
    /// possible.
    private static func beginning(_ code: String) -> Substring { TypedCode(code)?.code.prefix(2) ?? "" }

    private static let codePrefix = "code "

    fileprivate static func code(inKey key: String) -> String? {
        key.hasPrefix(codePrefix) ? String(key.dropFirst(codePrefix.count)) : nil
    }
}

extension World {
    func mayGuess(_ call: Call, _ what: Guessing) -> Bool {
        guard limitsGuesses, let guesses = state.guesses[what.key(call)], guesses.holds(at: call.now) else {
            return true
        }
        return guesses.wrong < Guesses.maxWrong
    }

    mutating func countWrongGuess(_ call: Call, _ what: Guessing) {
        guard limitsGuesses else { return }
        let key = what.key(call)
        var guesses = state.guesses[key] ?? Guesses(wrong: 0, ends: 0)
        if !guesses.holds(at: call.now) {
            if state.guesses.rows.count >= Guesses.maxAddresses { makeRoomForGuesses(at: call.now) }
            guesses = Guesses(wrong: 0, ends: call.now + Guesses.window)
        }
        guesses.wrong = min(guesses.wrong, Guesses.maxWrong) + 1
        state.guesses[key] = guesses
    }

    /// Makes room in the table of guesses. Unexpired counts of existing codes are kept, because otherwise a client could reset
    /// a count by using many addresses.
    private mutating func makeRoomForGuesses(at now: Instant) {
        state.guesses.removeAll { $0.ends <= now }
        guard state.guesses.rows.count >= Guesses.maxAddresses else { return }
        for key in state.guesses.rows.keys {
            guard let code = Guessing.code(inKey: key), state.sessions[code] != nil else {
                state.guesses[key] = nil
                continue
            }
        }
    }
}
