// Tests which peers may make which calls. operations.md §2.

import PassProtocol
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct PolicyTests {
    static let apps = """
        [app kodi]
        requestors = NEWS24 SPORTS
        allow = user:kodi+unit:kodi.service
        may = entitlement
        [app news24]
        requestors = NEWS24 NEWS24PLUS
        allow = unit:news24.service group:video
        may = entitlement observe
        [app remote]
        allow = user:2000
        may = observe
        [app shut]
        requestors = SHUT
        """

    static func policy(_ text: String = apps, sameUser: Bool = false) throws -> Policy {
        Policy(stanzas: try Workspace().load(apps: text).apps, ownUser: 990, allowsSameUser: sameUser, adminGroup: 990)
    }

    /// Swift considers these strings equal, but their bytes differ.
    static let lookalikes = [("caf\u{E9}", "cafe\u{301}"), ("KANAL", "\u{212A}ANAL")]

    @Test(arguments: lookalikes)
    func `a rule compares bytes, not characters`(_ one: String, _ other: String) {
        let rule = AllowRule(text: "", conditions: [.unit(one + ".service")])
        #expect(rule.holds(for: .init(user: 1, unit: one + ".service")))
        #expect(!rule.holds(for: .init(user: 1, unit: other + ".service")))
        var stanza = AppStanza.sample("a", [one], user: 1)
        stanza.may = [.entitlement]
        let policy = Policy(stanzas: [stanza], ownUser: 2)
        func isAllowed(_ requestor: String) -> Bool {
            guard case .allowed = policy.decide(.init(user: 1), on: .api, needs: .entitlement, requestor: requestor)
            else {
                return false
            }
            return true
        }
        #expect(isAllowed(one) && !isAllowed(other))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let peer: PeerFacts
        let capability: Capability
        let requestor: String?
        /// The app of the peer; nil if the call is denied.
        let app: String?
        let text: String

        init(
            _ name: String, _ peer: PeerFacts, _ capability: Capability = .entitlement, _ requestor: String? = "NEWS24",
            app: String? = nil, _ text: String
        ) {
            (testDescription, self.peer, self.capability) = (name, peer, capability)
            (self.requestor, self.app, self.text) = (requestor, app, text)
        }
    }

    static let kodi = PeerFacts(user: 1000, unit: "kodi.service")
    static let viewer = PeerFacts(user: 3000, groups: [44])

    @Test(arguments: [
        Case("by user and unit", kodi, app: "kodi", "app kodi: allow user:kodi+unit:kodi.service"),
        Case("by group", viewer, app: "news24", "app news24: allow group:video"),
        Case(
            "by unit", PeerFacts(user: 1, unit: "news24.service"), app: "news24",
            "app news24: allow unit:news24.service"),
        Case(
            "of two matching stanzas, the first by name",
            PeerFacts(user: 1000, groups: [44], unit: "kodi.service"),
            app: "kodi", "app kodi: allow user:kodi+unit:kodi.service"),
        Case(
            "the stanza that lists the requestor", PeerFacts(user: 1000, groups: [44], unit: "kodi.service"),
            .entitlement, "NEWS24PLUS", app: "news24", "app news24: allow group:video"),
        Case(
            "the stanza that grants the capability", PeerFacts(user: 1000, groups: [44], unit: "kodi.service"),
            .observe, "NEWS24", app: "news24", "app news24: allow group:video"),
        Case("without a requestor", viewer, .observe, nil, app: "news24", "app news24: allow group:video"),
        Case("an observer", PeerFacts(user: 2000), .observe, nil, app: "remote", "app remote: allow user:2000"),
    ])
    func `a peer that a stanza names is allowed, and the answer has the rule`(row: Case) throws {
        let decision = try Self.policy().decide(row.peer, on: .api, needs: row.capability, requestor: row.requestor)
        guard case .allowed(let grant) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(grant.app == row.app && grant.stanza?.name == row.app && grant.rule == row.text)
    }

    @Test(arguments: [
        Case("a stranger", PeerFacts(user: 5), .observe, nil, "no app stanza matches this peer (user 5)"),
        Case("a stranger and an unknown requestor", PeerFacts(user: 5), .entitlement, "X", "none lists requestor X"),
        Case("root", PeerFacts(user: 0, groups: [0]), .entitlement, "NEWS24", "does not match this peer"),
        Case(
            "the daemon's own user", PeerFacts(user: 990, groups: [990]), .entitlement, "NEWS24",
            "does not match this peer"),
        Case(
            "half of a rule", PeerFacts(user: 1000, unit: "vlc.service"), .entitlement, "SPORTS",
            "the unit of the peer is vlc.service"),
        Case(
            "the other half", PeerFacts(user: 7, unit: "kodi.service"), .entitlement, "SPORTS",
            "needs user 1000, but the peer is user 7"),
        Case("a unit that the daemon cannot see", PeerFacts(user: 1000), .entitlement, "SPORTS", "cannot see"),
        Case(
            "another app's requestor", kodi, .entitlement, "NEWS24PLUS",
            "requestor NEWS24PLUS is not a requestor of this peer"),
        Case(
            "a capability that the setting may omits", kodi, .observe, "NEWS24",
            "the setting \"may\" of app kodi does not list observe"),
        Case(
            "a capability that the setting may omits, without a requestor", viewer, .admin, nil,
            "the setting \"may\" of app news24 does not list admin"),
        Case("a stanza without a rule", viewer, .entitlement, "SHUT", "requestor SHUT is not a requestor of this peer"),
        Case(
            "a stranger, with a stanza without a rule", PeerFacts(user: 5), .entitlement, "SHUT",
            "the stanza has no allow"),
        Case("a requestor's other spelling", kodi, .entitlement, "news24", "requestor news24 is not a requestor"),
        Case("an empty requestor", kodi, .entitlement, "", "requestor  is not a requestor"),
    ])
    func `all other peers are denied, and the answer says what was missing`(row: Case) throws {
        let decision = try Self.policy().decide(row.peer, on: .api, needs: row.capability, requestor: row.requestor)
        guard case .denied(let reason) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(reason.contains(row.text), "\(reason)")
    }

    @Test func `a reason repeats only harmless parts of a client's text`() throws {
        let name = "A\u{1B}[2J\n" + String(repeating: "x", count: 10_000)
        guard
            case .denied(let reason) = try Self.policy().decide(
                Self.kodi, on: .api, needs: .entitlement, requestor: name)
        else {
            Issue.record("allowed")
            return
        }
        #expect(reason.utf8.count < 300 && !reason.contains("\u{1B}") && !reason.contains("\n"))
    }

    @Test func `without stanzas all calls that need a capability are denied`() throws {
        let policy = try Self.policy("")
        #expect(
            policy.decide(Self.kodi, on: .api, needs: .entitlement)
                == .denied(reason: "no app stanza matches this peer (user 1000)"))
        #expect(
            policy.decide(Self.kodi, on: .api, needs: nil)
                == .allowed(Grant(app: nil, stanza: nil, basis: .everyPeer)))
    }

    @Test(arguments: [("NEWS24", "kodi", true), ("SHUT", "shut", true), ("FREE", "development", false)])
    func `in development the daemon's own user may do everything`(requestor: String, app: String, isListed: Bool) throws
    {
        let policy = try Self.policy(sameUser: true)
        let peer = PeerFacts(user: 990)
        guard case .allowed(let grant) = policy.decide(peer, on: .api, needs: .entitlement, requestor: requestor) else {
            Issue.record("denied")
            return
        }
        #expect(grant.app == app && (grant.stanza != nil) == isListed && grant.rule.contains("--allow-same-user"))
        guard case .denied = policy.decide(PeerFacts(user: 5), on: .api, needs: .entitlement, requestor: requestor)
        else {
            Issue.record("another user is not meant")
            return
        }
    }

    @Test(arguments: Capability.allCases)
    func `on the admin socket everything is allowed, because its file mode protects it`(capability: Capability) throws {
        let policy = try Self.policy()
        let decision = policy.decide(PeerFacts(user: 5), on: .admin, needs: capability, requestor: "NEWS24PLUS")
        guard case .allowed(let grant) = decision else {
            Issue.record("denied")
            return
        }
        #expect(grant.app == "news24" && grant.stanza?.requestors == ["NEWS24", "NEWS24PLUS"])
        guard
            case .allowed(let other) = policy.decide(PeerFacts(user: 5), on: .admin, needs: capability, requestor: "X")
        else {
            Issue.record("denied")
            return
        }
        #expect(other.app == "admin" && other.stanza == nil)
    }

    @Test func `an unknown account allows no peer`() throws {
        let policy = try Self.policy("[app a]\nrequestors = A\nallow = user:gone group:gone+user:kodi\n")
        for user: UInt32 in [0, 1000, .max] {
            guard case .denied = policy.decide(PeerFacts(user: user), on: .api, needs: .entitlement, requestor: "A")
            else {
                Issue.record("user \(user)")
                continue
            }
        }
    }
}

extension Policy {
    /// Decides about a peer that need not be connected.
    func decide(
        _ peer: PeerFacts, on socket: SocketKind, needs capability: Capability?, requestor: String? = nil
    ) -> PolicyDecision {
        decide(standing(of: peer, on: socket), needs: capability, requestor: requestor)
    }
}
