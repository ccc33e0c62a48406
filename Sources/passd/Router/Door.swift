// Who may come in, decided by the user alone, before anything is made for a connection or looked up about its process. A
// flood of newcomers costs its own user the way in, and nobody else.

import PassProtocol
import PassSystem
import PassWire

struct Door {
    /// Newcomers of one owner that wait for their turn.
    static let mostWaiting = 64
    /// So many connections at once, and so many a second from then on.
    static let burst = 256
    static let perSecond = 64

    static let tooMany = RefusalLine(.limit("new-connections-per-user", maximum: mostWaiting))
    static let tooFast = RefusalLine(
        .limit("connections-per-second", maximum: perSecond, retryAfter: 1))

    enum Answer: Equatable { case enters, tooMany, tooFast }

    private var waiting: [ConnectionOwner: Int] = [:]
    private var rates = ConnectionRates(burst: burst, perSecond: perSecond)
    /// To say why costs as much again as to send away.
    private var reasons = ConnectionRates(burst: 16, perSecond: 16)

    /// Whoever is trusted with everything may come as often as they like.
    mutating func knock(_ owner: ConnectionOwner, isTrusted: Bool, at now: Duration) -> Answer {
        guard isTrusted || waiting[owner, default: 0] < Self.mostWaiting else { return .tooMany }
        guard isTrusted || rates.take(owner, at: now) else { return .tooFast }
        waiting[owner, default: 0] += 1
        return .enters
    }

    /// What somebody hears who is sent away. Of a flood some do; the others are just closed.
    mutating func reason(_ answer: Answer, for owner: ConnectionOwner, at now: Duration) -> RefusalLine? {
        guard reasons.take(owner, at: now) else { return nil }
        return switch answer {
        case .enters: nil
        case .tooMany: Self.tooMany
        case .tooFast: Self.tooFast
        }
    }

    /// It has its turn.
    mutating func hasCome(_ owner: ConnectionOwner) {
        let left = waiting[owner, default: 1] - 1
        waiting[owner] = left > 0 ? left : nil
    }
}

/// How many more connections an owner may begin: each costs one, and they come back with time.
struct ConnectionRates {
    /// Owners that are remembered; further ones share what the strangers have.
    static let mostOwners = 1024

    private struct Level {
        var left: Double
        var since: Duration
    }

    private let burst: Double
    private let perSecond: Double
    private var levels: [ConnectionOwner: Level] = [:]

    init(burst: Int, perSecond: Int) {
        self.burst = Double(burst)
        self.perSecond = Double(perSecond)
    }

    mutating func take(_ owner: ConnectionOwner, at now: Duration) -> Bool {
        let owner = place(of: owner, at: now)
        let left = level(of: owner, at: now)
        levels[owner] = Level(left: left >= 1 ? left - 1 : left, since: now)
        return left >= 1
    }

    private func level(of owner: ConnectionOwner, at now: Duration) -> Double {
        guard let level = levels[owner] else { return burst }
        let passed = now - level.since
        let seconds = Double(passed.components.seconds) + Double(passed.components.attoseconds) * 1e-18
        return min(burst, level.left + max(0, seconds) * perSecond)
    }

    private mutating func place(of owner: ConnectionOwner, at now: Duration) -> ConnectionOwner {
        guard levels[owner] == nil, levels.count >= Self.mostOwners else { return owner }
        levels = levels.filter { level(of: $0.key, at: now) < burst }
        return levels.count < Self.mostOwners ? owner : .strangers
    }
}
