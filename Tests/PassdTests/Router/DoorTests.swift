// Who may come in: how many of one owner at once, and how many in a second.

import Glibc
import PassProtocol
import PassWire
import Testing

@testable import passd

@Suite struct DoorTests {
    private let flood = ConnectionOwner.user(4_000_001)
    private let app = ConnectionOwner.user(4_000_002)

    /// A door at which somebody knocks.
    private final class Knocker {
        var door = Door()

        func knock(_ owner: ConnectionOwner, isTrusted: Bool = false) -> Door.Answer {
            door.knock(owner, isTrusted: isTrusted, at: .zero)
        }

        /// How many come in of whom no one waits.
        func entered(_ owner: ConnectionOwner, of many: Int, at now: Duration) -> Int {
            (0..<many).count { _ in
                let isIn = door.knock(owner, isTrusted: false, at: now) == .enters
                if isIn { door.hasCome(owner) }
                return isIn
            }
        }
    }

    @Test func `of one owner only so many wait for their turn, and others are not concerned`() {
        let knocker = Knocker()
        for _ in 0..<Door.mostWaiting { #expect(knocker.knock(flood) == .enters) }
        #expect(knocker.knock(flood) == .tooMany)
        #expect(knocker.knock(app) == .enters)
        #expect(knocker.knock(flood, isTrusted: true) == .enters, "who is trusted with everything may")
        for _ in 0..<2 { knocker.door.hasCome(flood) }
        #expect(knocker.knock(flood) == .enters)
    }

    @Test func `who comes and goes without end is let in so many times a second`() {
        let knocker = Knocker()
        #expect(knocker.entered(flood, of: 1000, at: .seconds(1)) == Door.burst)
        #expect(knocker.entered(flood, of: 1000, at: .seconds(2)) == Door.perSecond)
        #expect(knocker.entered(app, of: 1000, at: .seconds(2)) == Door.burst)
        #expect(knocker.entered(flood, of: 1000, at: .seconds(1)) == 0, "a clock that goes back gives nothing")
        #expect(knocker.entered(flood, of: 1000, at: .seconds(1000)) == Door.burst)
    }

    @Test func `some of a flood hear why`() {
        var door = Door()
        let told = (0..<1000).count { _ in door.reason(.tooFast, for: flood, at: .zero) != nil }
        #expect((1...100).contains(told))
        let another = door.reason(.tooMany, for: app, at: .zero)
        #expect(another != nil)
    }

    @Test func `a number of users without end is not remembered without end`() {
        var rates = ConnectionRates(burst: 2, perSecond: 1)
        let first = (0..<UInt32(ConnectionRates.mostOwners)).count { rates.take(.user($0), at: .zero) }
        let further = (10_000..<UInt32(20_000)).count { rates.take(.user($0), at: .zero) }
        let later = rates.take(.user(30_000), at: .seconds(60))
        #expect((first, further) == (ConnectionRates.mostOwners, 2), "they share one part")
        #expect(later, "whoever is at rest is forgotten")
    }

    static let rules: [([AllowRule.Condition], Bool)] = [
        ([.user(4_000_001)], true), ([.user(4_000_002)], false), ([.unit("a.service")], true), ([.group(1)], true),
        ([.unit("a.service"), .user(4_000_002)], false), ([.nobody], false), ([], false),
    ]

    @Test(arguments: rules)
    func `by the user alone it is known who can only be a stranger`(_ conditions: [AllowRule.Condition], _ mayBe: Bool)
    {
        var stanza = AppStanza.sample()
        stanza.allow = [AllowRule(text: "", conditions: conditions)]
        let policy = Policy(stanzas: [stanza], ownUser: 4_000_003)
        #expect(policy.mayName(user: 4_000_001, on: .api) == mayBe)
        #expect(policy.mayName(user: 4_000_001, on: .admin))
        #expect(Policy(stanzas: [], ownUser: 7, allowsSameUser: true).mayName(user: 7, on: .api))
    }

    @Test func `the house asks the kernel, and lets in who is trusted however often they come`() async throws {
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
            guard case .enters = house.admit(number, on: .api) else { return false }
            return true
        }
    }
}
