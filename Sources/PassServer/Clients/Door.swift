// Decides whether a new connection may enter. The decision uses only the peer's user and groups. At this time, passd has
// neither allocated memory for the connection nor looked up the peer's process. A flood of connections locks out only the user
// who causes the flood.
//
// Each user has a limit. If no rule names a user's number, a common limit applies as well, because one person may control tens
// of thousands of user numbers. When connections wait to be accepted, users are served in turn. If no rule names a user's
// number or groups, this user shares one turn with all such users.

import PassProtocol
import PassSystem
import PassWire

struct Door {
    /// The max number of connections of one owner that may wait to be accepted.
    static let maxWaiting = 64
    /// The max number of connections that an owner may open in one moment. Further connections are limited to the rate
    /// `perSecond`.
    static let burst = 256
    static let perSecond = 64

    static let tooMany = RefusalLine(.limit("new-connections-per-user", maximum: maxWaiting))
    static let tooFast = RefusalLine(
        .limit("connections-per-second", maximum: perSecond, retryAfter: 1))

    enum Answer: Equatable { case enters, tooMany, tooFast }

    /// A peer that has connected and waits to be accepted.
    struct Newcomer: Equatable {
        let user: UInt32
        let prospect: Policy.Prospect

        /// The owner whose limits the newcomer counts against.
        fileprivate var share: ConnectionOwner { prospect == .stranger ? .strangers : .user(user) }

        /// The owner in whose turn the newcomer is accepted.
        var owner: ConnectionOwner {
            switch prospect {
            case .named, .member: .user(user)
            case .unknown, .stranger: .strangers
            }
        }
    }

    /// The newcomers of one kind (see `Prospect`) that wait to be accepted.
    private struct Hall {
        /// The max number of newcomers of all owners together that may wait.
        let maxWaiting: Int
        var waiting: [ConnectionOwner: Int] = [:]
        var rates = ConnectionRates(burst: burst, perSecond: perSecond)
        /// The rate for all owners together; nil if only the rates of single owners count.
        var together: ConnectionRates?
        private(set) var count = 0

        mutating func add(_ owner: ConnectionOwner) {
            waiting[owner, default: 0] += 1
            count += 1
        }

        mutating func remove(_ owner: ConnectionOwner) {
            guard let now = waiting[owner] else { return }
            waiting[owner] = now > 1 ? now - 1 : nil
            count -= 1
        }
    }

    static let maxNamed = 1024
    static let maxMembers = 64
    static let maxUnknown = 256
    private static let burstTogether = 1024
    private static let perSecondTogether = 256

    private var halls: [Policy.Prospect: Hall] = [
        .named: Hall(maxWaiting: maxNamed),
        .member: Hall(
            maxWaiting: maxMembers, together: ConnectionRates(burst: burstTogether, perSecond: perSecondTogether)),
        .unknown: Hall(
            maxWaiting: maxUnknown, together: ConnectionRates(burst: burstTogether, perSecond: perSecondTogether)),
        .stranger: Hall(maxWaiting: maxWaiting),
    ]
    /// Limits how often rejected peers get a reason, because sending a reason costs as much as the rejection.
    private var reasons = ConnectionRates(burst: 16, perSecond: 16)

    mutating func knock(_ newcomer: Newcomer, at now: Duration) -> Answer {
        guard var hall = halls.removeValue(forKey: newcomer.prospect) else { return .tooMany }
        defer { halls[newcomer.prospect] = hall }
        let owner = newcomer.share
        guard hall.count < hall.maxWaiting, hall.waiting[owner, default: 0] < Self.maxWaiting else { return .tooMany }
        guard hall.rates.take(owner, at: now), hall.together?.take(.strangers, at: now) ?? true else { return .tooFast }
        hall.add(owner)
        return .enters
    }

    /// Returns the line that tells a rejected peer the reason; nil if the connection is closed without a line. In a flood, only
    /// a few peers get a line.
    mutating func reason(_ answer: Answer, for newcomer: Newcomer, at now: Duration) -> RefusalLine? {
        guard reasons.take(newcomer.owner, at: now) else { return nil }
        return switch answer {
        case .enters: nil
        case .tooMany: Self.tooMany
        case .tooFast: Self.tooFast
        }
    }

    /// Removes a newcomer that does not wait any longer.
    mutating func hasCome(_ newcomer: Newcomer) { halls[newcomer.prospect]?.remove(newcomer.share) }
}

/// A token bucket for each owner. Each connection takes one token. The bucket fills again over time.
struct ConnectionRates {
    /// The max number of owners with their own bucket. All others share the bucket of the strangers.
    static let maxOwners = 1024

    private struct Level {
        var left: Double
        var since: Duration
    }

    private let burst: Double
    private let perSecond: Double
    private var levels: [ConnectionOwner: Level] = [:]
    private var swept: Duration?

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
        guard levels[owner] == nil, levels.count >= Self.maxOwners else { return owner }
        // Full buckets are removed at most once a second. In a flood, removing them at every connection would cost too much.
        guard swept.map({ now < $0 || now >= $0 + .seconds(1) }) ?? true else { return .strangers }
        swept = now
        levels = levels.filter { level(of: $0.key, at: now) < burst }
        return levels.count < Self.maxOwners ? owner : .strangers
    }
}
