// Compares the index of rules with a search through every rule.

import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct StandingTests {
    /// Random rules with few users, groups, units and programs, so that many of them match.
    private struct Dice: RandomNumberGenerator {
        private var state: UInt64

        init(seed: UInt64) { state = seed }

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 16 | state << 48
        }

        mutating func condition() -> AllowRule.Condition {
            let number = UInt32.random(in: 0..<6, using: &self)
            return switch Int.random(in: 0..<8, using: &self) {
            case 0...2: .user(number)
            case 3...4: .group(number)
            case 5...6: .unit("\(number).service")
            default: .missingAccount
            }
        }

        mutating func policy() -> Policy {
            let stanzas = (0..<Int.random(in: 0..<12, using: &self)).map { number in
                var stanza = AppStanza("app\(number)", at: FilePosition("apps.conf"))
                stanza.requestors = (0..<5).filter { _ in Bool.random(using: &self) }.map { "R\($0)" }
                stanza.may = Set(Capability.allCases.filter { _ in Bool.random(using: &self) })
                stanza.allow = (0..<Int.random(in: 0..<5, using: &self)).map { rule in
                    AllowRule(
                        text: "\(rule)",
                        conditions: (0..<Int.random(in: 0..<4, using: &self)).map { _ in condition() })
                }
                return stanza
            }
            return Policy(stanzas: stanzas, ownUser: 0, allowsSameUser: Bool.random(using: &self))
        }

        mutating func peer() -> PeerFacts {
            let numbers = (0..<6).filter { _ in Bool.random(using: &self) }
            return PeerFacts(
                user: UInt32.random(in: 0..<6, using: &self), groups: Set(numbers.map(UInt32.init)),
                unit: Bool.random(using: &self) ? "\(Int.random(in: 0..<6, using: &self)).service" : nil)
        }
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>) func `the index gives the same matches as the search`(
        _ seed: UInt64
    ) {
        var dice = Dice(seed: seed)
        let policy = dice.policy()
        for _ in 0..<20 {
            let peer = dice.peer()
            let standing = policy.standing(of: peer, on: .api)
            let expected = policy.stanzas.enumerated().compactMap { index, stanza in
                stanza.allow.firstIndex { $0.obstacle(to: peer) == nil }.map {
                    PeerStanding.Match(stanza: index, rule: $0)
                }
            }
            #expect(standing.matches == expected)
            #expect(standing.isStranger == (expected.isEmpty && standing.privilege == nil))
            for capability in Capability.allCases {
                for requestor in [nil, "R0", "R4", "X"] {
                    check(policy, standing, expected, capability, requestor)
                }
                guard case .denied = policy.decide(standing, needs: capability) else {
                    #expect(standing.may(capability))
                    continue
                }
                #expect(!standing.may(capability))
            }
        }
    }

    private func check(
        _ policy: Policy, _ standing: PeerStanding, _ matches: [PeerStanding.Match], _ capability: Capability,
        _ requestor: String?
    ) {
        if standing.privilege != nil { return }
        let app = matches.map { policy.stanzas[$0.stanza] }.first { stanza in
            stanza.may.contains(capability) && requestor.map(stanza.requestors.contains) ?? true
        }
        switch policy.decide(standing, needs: capability, requestor: requestor) {
        case .allowed(let grant): #expect(grant.stanza == app)
        case .denied: #expect(app == nil)
        }
    }

    @Test func `a standing is valid only for the policy that made it`() {
        let policy = Policy(stanzas: [.sample()], ownUser: 1)
        let standing = policy.standing(of: PeerFacts(user: 7), on: .api)
        #expect(policy.made(standing))
        #expect(!Policy(stanzas: [.sample()], ownUser: 1).made(standing))
    }

    @Test func `with very many stanzas, a reason names a few, and the number of the others`() {
        let stanzas = (100..<300).map { number in
            AppStanza.sample("app\(number)", (0..<64).map { "R\(number).\($0)" }, may: [.entitlement], user: 7)
        }
        let policy = Policy(stanzas: stanzas, ownUser: 1)
        let standing = policy.standing(of: PeerFacts(user: 7), on: .api)
        for requestor in ["X", nil] {
            guard
                case .denied(let reason) = policy.decide(
                    standing, needs: requestor == nil ? .admin : .entitlement, requestor: requestor)
            else {
                Issue.record("allowed")
                continue
            }
            #expect(reason.contains("app app100") && reason.contains("and 192 more") && reason.utf8.count < 1200)
        }
        let known = policy.whoAmI(standing, PeerIdentity(uid: 7, gid: 7, pid: 1), using: nil)
        #expect(known.requestors.count == 200 * 64 && known.rule.utf8.count < 500)
    }
}
