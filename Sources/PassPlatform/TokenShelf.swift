// A token in stock and when another one is to be had: before the first ends, so that nobody waits for it, and not again at
// once where that has failed. Pure.

import AccessEnabler

struct TokenShelf: Sendable {
    enum Move: Sendable {
        case use(Secret)
        /// A new one is wanted, and nobody has to wait for it.
        case useAndRenew(Secret)
        case renew
        /// There is none, and it is too early to ask again.
        case doWithout
    }

    /// How long a token is kept that does not say how long it is good.
    static let undatedLife = Duration.seconds(300)
    /// A program that fails, or takes its time over it, is left alone for so long.
    static let pause = Duration.seconds(30)

    private var token: SignOnToken?
    private var taken = Duration.zero
    private var pauseEnds: Duration?

    /// The service's time, by which tokens end, and the box's own, which nobody can set.
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

    /// The token in stock stays, as long as it is good.
    mutating func failed(at boot: Duration) { pauseEnds = boot + Self.pause }
}
