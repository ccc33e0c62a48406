// Tests the limits of connections: how many one owner may have at once, and how many per second.

import Glibc
import PassProtocol
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct DoorTests {
    private static let flood = Door.Newcomer(user: 4_000_001, prospect: .named)
    private static let app = Door.Newcomer(user: 4_000_002, prospect: .named)

    /// A door with helpers for its tests.
    private final class Knocker {
        var door = Door()

        func knock(_ newcomer: Door.Newcomer) -> Door.Answer { door.knock(newcomer, at: .zero) }

        /// The number of admitted newcomers if none of them has to wait.
        func entered(_ newcomer: Door.Newcomer, of many: Int, at now: Duration) -> Int {
            (0..<many).count { _ in
                let isIn = door.knock(newcomer, at: now) == .enters
                if isIn { door.hasCome(newcomer) }
                return isIn
            }
        }

        /// The number of waiting newcomers after each user has knocked this many times.
        func crowd(_ prospect: Policy.Prospect, users: UInt32, times: Int) -> Int {
            (0..<users).reduce(0) { sum, user in
                sum + (0..<times).count { _ in knock(Door.Newcomer(user: user, prospect: prospect)) == .enters }
            }
        }
    }

    @Test func `only a limited number of one owner's connections wait, and other owners are not affected`() {
        let knocker = Knocker()
        for _ in 0..<Door.maxWaiting { #expect(knocker.knock(Self.flood) == .enters) }
        #expect(knocker.knock(Self.flood) == .tooMany)
        #expect(knocker.knock(Self.app) == .enters)
        for _ in 0..<2 { knocker.door.hasCome(Self.flood) }
        #expect(knocker.knock(Self.flood) == .enters)
    }

    @Test func `a user that reconnects endlessly is admitted a limited number of times per second`() {
        let knocker = Knocker()
        #expect(knocker.entered(Self.flood, of: 1000, at: .seconds(1)) == Door.burst)
        #expect(knocker.entered(Self.flood, of: 1000, at: .seconds(2)) == Door.perSecond)
        #expect(knocker.entered(Self.app, of: 1000, at: .seconds(2)) == Door.burst)
        #expect(knocker.entered(Self.flood, of: 1000, at: .seconds(1)) == 0, "a clock that goes back admits no more")
        #expect(knocker.entered(Self.flood, of: 1000, at: .seconds(1000)) == Door.burst)
    }

    @Test(arguments: [
        (Policy.Prospect.member, Door.maxMembers), (.unknown, Door.maxUnknown), (.stranger, Door.maxWaiting),
    ])
    func `users that no rule names share one limit, even if they are many`(
        _ prospect: Policy.Prospect, _ most: Int
    ) {
        let knocker = Knocker()
        #expect(knocker.crowd(prospect, users: 3000, times: 3) == most)
        #expect(knocker.knock(Self.app) == .enters, "a user that a rule names is still admitted")
        // The number of their reconnections is limited too.
        let next = Knocker()
        let entered = (0..<3000).reduce(0) { sum, user in
            sum + next.entered(Door.Newcomer(user: UInt32(user), prospect: prospect), of: 10, at: .zero)
        }
        #expect(entered <= 1024)
        #expect(next.entered(Self.app, of: 1000, at: .zero) == Door.burst)
    }

    @Test func `one user that no rule names cannot take all places`() {
        let knocker = Knocker()
        let (one, other) = (
            Door.Newcomer(user: 1, prospect: .unknown), Door.Newcomer(user: 2, prospect: .unknown)
        )
        #expect((0..<1000).count { _ in knocker.knock(one) == .enters } == Door.maxWaiting)
        #expect(knocker.knock(other) == .enters)
        #expect(one.owner == other.owner, "they have one turn")
    }

    @Test func `all waiting connections together leave most descriptors free`() {
        let maxOfAll = Door.maxNamed + Door.maxMembers + Door.maxUnknown + Door.maxWaiting
        #expect(maxOfAll * 8 < 16384)
    }

    @Test func `some clients of a flood are told the reason`() {
        var door = Door()
        let told = (0..<1000).count { _ in door.reason(.tooFast, for: Self.flood, at: .zero) != nil }
        #expect((1...100).contains(told))
        let another = door.reason(.tooMany, for: Self.app, at: .zero)
        #expect(another != nil)
    }

    @Test func `the memory for users has a limit`() {
        var rates = ConnectionRates(burst: 2, perSecond: 1)
        let first = (0..<UInt32(ConnectionRates.maxOwners)).count { rates.take(.user($0), at: .zero) }
        let further = (10_000..<UInt32(20_000)).count { rates.take(.user($0), at: .zero) }
        let later = rates.take(.user(30_000), at: .seconds(60))
        #expect((first, further) == (ConnectionRates.maxOwners, 2), "they share one part")
        #expect(later, "an idle user is forgotten")
    }

    static let rules: [([AllowRule.Condition], Policy.Prospect)] = [
        ([.user(4_000_001)], .named), ([.user(4_000_001), .group(9)], .named), ([.user(4_000_002)], .stranger),
        ([.group(1)], .member), ([.group(2)], .stranger), ([.group(1), .unit("a.service")], .member),
        ([.unit("a.service")], .unknown),
        ([.unit("a.service"), .user(4_000_002)], .stranger), ([.missingAccount], .stranger),
        ([.missingAccount, .group(1)], .stranger),
        ([], .stranger),
    ]

    @Test(arguments: rules)
    func `user and groups alone show which peers can only be strangers`(
        _ conditions: [AllowRule.Condition], _ expected: Policy.Prospect
    ) {
        var stanza = AppStanza.sample()
        stanza.allow = [AllowRule(text: "", conditions: conditions)]
        let policy = Policy(stanzas: [stanza], ownUser: 4_000_003)
        #expect(policy.prospect(user: 4_000_001, on: .api, groups: { [1] }) == expected)
        #expect(policy.prospect(user: 4_000_001, on: .admin, groups: { [] }) == .named)
        let development = Policy(stanzas: [], ownUser: 7, allowsSameUser: true)
        #expect(development.prospect(user: 7, on: .api, groups: { [] }) == .named)
    }

    @Test func `the server asks the kernel, and admits trusted peers without a rate limit`() async throws {
        let household = try await Household()
        let (ours, theirs) = try Descriptor.pair()
        let entered = await household.knocks(2000, on: ours)
        #expect(entered == 2000)
        for number in [ours, theirs] { close(number) }
    }
}

extension Household {
    fileprivate func knocks(_ times: Int, on number: Int32) -> Int {
        change { $0.policy = Policy(stanzas: [], ownUser: geteuid()) }
        return (0..<times).count { _ in
            guard case .enters = server.admit(number, on: .api) else { return false }
            return true
        }
    }
}
