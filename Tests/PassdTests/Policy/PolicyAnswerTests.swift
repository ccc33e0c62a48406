// Tests the reports of the policy to peers and operators. rpc.md §6, §7.

import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer
@testable import PassSystem

@Suite struct PolicyAnswerTests {
    private func whoAmI(_ peer: PeerFacts, sameUser: Bool = false, on socket: SocketKind = .api) throws -> WhoAmI.Result
    {
        let policy = try PolicyTests.policy(sameUser: sameUser)
        return policy.whoAmI(
            policy.standing(of: peer, on: socket), PeerIdentity(uid: peer.user, gid: 100, pid: 4242), using: nil)
    }

    @Test func `a peer is told its apps, its rights and its rules`() throws {
        let answer = try whoAmI(PeerFacts(user: 1000, groups: [44], unit: "kodi.service"))
        #expect(answer.identity == PeerIdentity(uid: 1000, gid: 100, pid: 4242, app: "kodi"))
        #expect(answer.may == [.entitlement, .observe])
        #expect(answer.requestors == ["NEWS24", "SPORTS", "NEWS24PLUS"])
        #expect(answer.rule == "app kodi: allow user:kodi+unit:kodi.service; app news24: allow group:video")
    }

    @Test func `a stranger is told that no stanza names it`() throws {
        let answer = try whoAmI(PeerFacts(user: 5))
        #expect(answer.identity.app == nil && answer.may.isEmpty && answer.requestors.isEmpty)
        #expect(answer.rule == "no app stanza matches this peer (user 5)")
    }

    @Test func `an app without the entitlement capability has no requestors to use`() throws {
        let answer = try whoAmI(PeerFacts(user: 2000))
        #expect(answer.may == [.observe] && answer.requestors.isEmpty)
    }

    @Test func `a peer that may do everything is told why`() throws {
        let developer = try whoAmI(PeerFacts(user: 990), sameUser: true)
        #expect(developer.may == Capability.allCases && developer.requestors == ["*"])
        #expect(developer.identity.app == "development" && developer.rule.contains("--allow-same-user"))
        let operatorsPeer = try whoAmI(PolicyTests.viewer, on: .admin)
        #expect(operatorsPeer.identity.app == "news24" && operatorsPeer.rule.contains("admin socket"))
    }

    private static let open = Confinement(network: true, units: true)

    @Test func `a denial names the app that lists the requestor, and why its rule does not match`() throws {
        let params = PolicyExplain.Params(uid: 1000, method: "getAuthorization", requestorID: "SHUT")
        let peer = PeerFacts(user: 1000, unit: "kodi.service")
        let policy = try PolicyTests.policy()
        let answer = policy.explain(params, about: peer, seeing: Self.open)
        #expect(!answer.allowed && answer.rule.contains("app shut lists requestor SHUT, but does not match this peer"))
        let standing = policy.standing(of: peer, on: .api)
        let told = policy.denial("for itself", of: standing)
        #expect(!told.reason.contains("shut"), "the peer is told nothing about other stanzas")
    }

    @Test func `a permit names the other apps that would allow the same`() throws {
        let params = PolicyExplain.Params(uid: 1000, method: "getAuthorization")
        let peer = PeerFacts(user: 1000, groups: [44], unit: "kodi.service")
        let answer = try PolicyTests.policy().explain(params, about: peer, seeing: Self.open)
        #expect(answer.allowed && answer.app == "kodi")
        #expect(
            answer.rule
                == "app kodi: allow user:kodi+unit:kodi.service (also app news24: allow group:video)")
        let one = PolicyExplain.Params(uid: 1000, method: "getAuthorization", requestorID: "NEWS24PLUS")
        #expect(
            try PolicyTests.policy().explain(one, about: peer, seeing: Self.open).rule
                == "app news24: allow group:video")
    }

    @Test func `if the daemon cannot see a fact that a rule needs, the answer says so`() throws {
        let params = PolicyExplain.Params(uid: 5, method: "getAuthorization", requestorID: "NEWS24")
        let sight = Confinement(network: true, units: false)
        let answer = try PolicyTests.policy().explain(params, about: PeerFacts(user: 5), seeing: sight)
        #expect(answer.notes.count == 1 && answer.notes[0].contains("\"unit:\" never match"), "\(answer.notes)")
        #expect(try PolicyTests.policy().explain(params, about: PeerFacts(user: 5), seeing: Self.open).notes.isEmpty)
    }

    @Test func `for an unknown method, the answer says where to find the methods`() throws {
        let params = PolicyExplain.Params(uid: 5, method: "nothing\u{1B}[2J like it")
        let answer = try PolicyTests.policy().explain(params, about: PeerFacts(user: 5), seeing: Self.open)
        #expect(!answer.allowed && answer.rule == "there is no method nothing [2J like it")
        #expect(answer.notes == ["passd-cli describe lists the methods."])
    }

    struct Question: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let params: PolicyExplain.Params
        var groups: Set<UInt32> = []
        let isAllowed: Bool
        var app: String?
        let rule: String
    }

    @Test(arguments: [
        Question(
            testDescription: "a stranger", params: .init(uid: 5, method: "getAuthorization", requestorID: "NEWS24"),
            isAllowed: false, rule: "does not match this peer"),
        Question(
            testDescription: "by unit", params: .init(uid: 5, unit: "news24.service", method: "passd.subscribe"),
            isAllowed: true, app: "news24", rule: "app news24: allow unit:news24.service"),
        Question(
            testDescription: "by group", params: .init(uid: 5, method: "logout", requestorID: "NEWS24"), groups: [44],
            isAllowed: true, app: "news24", rule: "group:video"),
        Question(
            testDescription: "a mistyped method", params: .init(uid: 5, method: "getAuthorisation"), isAllowed: false,
            rule: "did you mean getAuthorization?"),
        Question(
            testDescription: "for all peers", params: .init(uid: 5, method: "rpc.discover"), isAllowed: true,
            rule: "every peer may"),
        Question(
            testDescription: "root, for operators", params: .init(uid: 0, method: "passd.forget"), isAllowed: true,
            rule: "root can open it"),
        Question(
            testDescription: "the group, for operators", params: .init(uid: 5, method: "passd.forget"), groups: [990],
            isAllowed: true, rule: "the daemon's group can open it"),
        Question(
            testDescription: "a viewer, for operators", params: .init(uid: 5, method: "passd.forget"),
            isAllowed: false, rule: "only root"),
    ])
    func `a decision can be explained without the peer`(question: Question) throws {
        let params = question.params
        let peer = PeerFacts(
            user: try #require(params.uid), groups: question.groups, unit: params.unit)
        let answer = try PolicyTests.policy().explain(params, about: peer, seeing: Self.open)
        #expect(answer.allowed == question.isAllowed)
        #expect(answer.app == question.app)
        #expect(answer.rule.contains(question.rule), "\(answer.rule)")
    }
}
