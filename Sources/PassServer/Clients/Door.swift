// Who may come in, decided by the user and the groups alone, before anything is made for a connection or looked up about its
// process. A flood of newcomers costs its own user the way in, and nobody else. One person may be tens of thousands of users:
// so those whom no rule asks for by their user are bounded together as well, and whoever may be anybody has one turn with all
// others of whom that is true.

import PassProtocol
import PassSystem
import PassWire

struct Door {
    /// Newcomers of one owner that wait for their turn.
    static let mostWaiting = 64
    /// So many connections of one owner at once, and so many a second from then on.
    static let burst = 256
    static let perSecond = 64

    static let tooMany = RefusalLine(.limit("new-connections-per-user", maximum: mostWaiting))
    static let tooFast = RefusalLine(
        .limit("connections-per-second", maximum: perSecond, retryAfter: 1))

    enum Answer: Equatable { case enters, tooMany, tooFast }

    /// Somebody at the door.
    struct Newcomer: Equatable {
        let user: UInt32
        let prospect: Policy.Prospect

        /// With whom it shares its bounds.
        fileprivate var share: ConnectionOwner { prospect == .stranger ? .strangers : .user(user) }

        /// With whom it takes its turn.
        var owner: ConnectionOwner {
            switch prospect {
            case .named, .member: .user(user)
            case .unknown, .stranger: .strangers
            }
        }
    }

    /// Newcomers of one kind.
    private struct Hall {
        /// Of all owners together.
        let mostWaiting: Int
        var waiting: [ConnectionOwner: Int] = [:]
        var rates = ConnectionRates(burst: burst, perSecond: perSecond)
        /// Nil: each has its own and no more is counted.
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

    /// More than that of all together wait nowhere.
    static let mostWaitingOfAll = mostNamed + mostMembers + mostUnknown + mostWaiting
    private static let mostNamed = 1024
    static let mostMembers = 64
    static let mostUnknown = 256
    private static let burstTogether = 1024
    private static let perSecondTogether = 256

    private var halls: [Policy.Prospect: Hall] = [
        .named: Hall(mostWaiting: mostNamed),
        .member: Hall(
            mostWaiting: mostMembers, together: ConnectionRates(burst: burstTogether, perSecond: perSecondTogether)),
        .unknown: Hall(
            mostWaiting: mostUnknown, together: ConnectionRates(burst: burstTogether, perSecond: perSecondTogether)),
        .stranger: Hall(mostWaiting: mostWaiting),
    ]
    /// To say why costs as much again as to send away.
    private var reasons = ConnectionRates(burst: 16, perSecond: 16)

    mutating func knock(_ newcomer: Newcomer, at now: Duration) -> Answer {
        guard var hall = halls.removeValue(forKey: newcomer.prospect) else { return .tooMany }
        defer { halls[newcomer.prospect] = hall }
        let owner = newcomer.share
        guard hall.count < hall.mostWaiting, hall.waiting[owner, default: 0] < Self.mostWaiting else { return .tooMany }
        guard hall.rates.take(owner, at: now), hall.together?.take(.strangers, at: now) ?? true else { return .tooFast }
        hall.add(owner)
        return .enters
    }

    /// What somebody hears who is sent away. Of a flood some do; the others are just closed.
    mutating func reason(_ answer: Answer, for newcomer: Newcomer, at now: Duration) -> RefusalLine? {
        guard reasons.take(newcomer.owner, at: now) else { return nil }
        return switch answer {
        case .enters: nil
        case .tooMany: Self.tooMany
        case .tooFast: Self.tooFast
        }
    }

    /// It has its turn.
    mutating func hasCome(_ newcomer: Newcomer) { halls[newcomer.prospect]?.remove(newcomer.share) }
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
        guard levels[owner] == nil, levels.count >= Self.mostOwners else { return owner }
        // Looking at all of them is no work for each knock of a flood.
        guard swept.map({ now < $0 || now >= $0 + .seconds(1) }) ?? true else { return .strangers }
        swept = now
        levels = levels.filter { level(of: $0.key, at: now) < burst }
        return levels.count < Self.mostOwners ? owner : .strangers
    }
}
