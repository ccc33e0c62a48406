// Keeps a token and decides when to ask for the next one. A caller gets the present token while the next one is fetched, so
// that callers do not wait. After a failure, the shelf waits before it asks again. This type does no I/O.

import AccessEnabler

struct TokenShelf: Sendable {
    enum Move: Sendable {
        case use(Secret)
        /// Use the token. Also renew it, without waiting for the result.
        case useAndRenew(Secret)
        case renew
        /// There is no token, and it is too early to ask again.
        case doWithout
    }

    /// The time for which a token without an end is kept.
    static let undatedLife = Duration.seconds(300)
    /// The pause after a failure or timeout of a program.
    static let pause = Duration.seconds(30)

    private var token: SignOnToken?
    private var taken = Duration.zero
    private var pauseEnds: Duration?

    /// Decides for a caller that wants a token. `time` is the time of the service's clock. This clock decides whether a token
    /// has ended. `boot` is the time of the box's own clock, which nobody can set.
    mutating func move(at time: ServerTime, _ boot: Duration) -> Move {
        let mayAsk = pauseEnds.map { boot >= $0 } ?? true
        if let token, !token.isGood(at: time) || token.ends == nil && boot >= taken + Self.undatedLife {
            self.token = nil
        }
        guard let token else { return mayAsk ? .renew : .doWithout }
        let isOld = token.ages.map { time >= $0 } ?? (boot >= taken + Self.undatedLife * 3 / 4)
        return isOld && mayAsk ? .useAndRenew(token.text) : .use(token.text)
    }

    mutating func put(_ token: SignOnToken, at boot: Duration) {
        self.token = token
        taken = boot
        pauseEnds = nil
    }

    /// Notes that a renewal failed. The present token stays in use while it is valid.
    mutating func failed(at boot: Duration) { pauseEnds = boot + Self.pause }
}
