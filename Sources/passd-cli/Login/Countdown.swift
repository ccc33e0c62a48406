// The line on standard error with the remaining time of a code. It is printed only on a terminal, because it is rewritten every
// second.

import PassProtocol

struct Countdown: Sendable {
    private static let clear = "\r\u{1B}[K"

    let console: any Console
    var expires: Int64?

    func begin() {
        guard console.errors.isTerminal else {
            return console.tell("Waiting for the viewer to sign in; Ctrl-C cancels the login.")
        }
        show()
    }

    func show() {
        guard console.errors.isTerminal else { return }
        let line = Self.line(now: console.now, expires: expires)
        console.warn(Self.clear + line.prefix(max(0, console.errors.columns - 1)))
    }

    /// Clears the line before other output.
    func hide() {
        if console.errors.isTerminal { console.warn(Self.clear) }
    }

    static func line(now: Int64, expires: Int64?) -> String {
        // No code is valid for a day. A longer remaining time means that the device's clock is wrong, so the remaining time is
        // unknown.
        guard let expires, case let (rest, isTooFar) = expires.subtractingReportingOverflow(now), !isTooFar,
            rest < 86_400_000
        else { return "Waiting for the viewer to sign in; Ctrl-C cancels." }
        let left = max(0, rest / 1000)
        let seconds = left % 60
        let clock = "\(left / 60):\(seconds < 10 ? "0" : "")\(seconds)"
        return "Waiting for the viewer to sign in, \(clock) left; Ctrl-C cancels."
    }
}
