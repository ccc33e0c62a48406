// Who may do what: decided from the app stanzas and facts about the peer, and from nothing that the peer says. What no
// stanza allows is denied, to root as well. operations.md §2.

import AccessEnabler
import PassConfiguration
import PassProtocol

package struct Policy: Sendable {
    /// In the order of their names.
    let stanzas: [AppStanza]
    /// The daemon's own user.
    let ownUser: UInt32
    /// `--allow-same-user`: peers of that user may do everything. For development.
    let allowsSameUser: Bool
    /// Who may open the admin socket, besides root; for `explain`.
    let adminGroup: UInt32?
    /// For the door: the users that rules ask for; the groups of those that ask for no user; and whether there are some that
    /// ask for neither.
    private let namedUsers: Set<UInt32>
    private let namedGroups: Set<UInt32>
    private let hasOpenRules: Bool
    let rules: RuleIndex
    /// Which stanzas list a requestor.
    private let listings: [RequestorID: [Int]]
    let origin = PeerStanding.Origin()

    package init(stanzas: [AppStanza], ownUser: UInt32, allowsSameUser: Bool = false, adminGroup: UInt32? = nil) {
        let stanzas = stanzas.sorted { $0.name < $1.name }
        self.stanzas = stanzas
        self.ownUser = ownUser
        self.allowsSameUser = allowsSameUser
        self.adminGroup = adminGroup
        let effective = stanzas.flatMap(\.allow).filter { !$0.conditions.isEmpty && !$0.conditions.contains(.nobody) }
        namedUsers = Set(effective.compactMap(\.user))
        let others = effective.filter { $0.user == nil }
        namedGroups = Set(others.compactMap(\.group))
        hasOpenRules = others.contains { $0.group == nil }
        rules = RuleIndex(stanzas)
        listings = stanzas.indices.reduce(into: [:]) { listings, index in
            for requestor in stanzas[index].requestors {
                listings[RequestorID(rawValue: requestor), default: []].append(index)
            }
        }
    }

    /// Nil as capability: what every peer may.
    func decide(
        _ standing: PeerStanding, needs capability: Capability?, requestor: String? = nil
    ) -> PolicyDecision {
        guard let capability else { return .allowed(Grant(app: nil, stanza: nil, basis: .everyPeer)) }
        if let privilege = standing.privilege {
            let stanza = requestor.flatMap { listings(of: $0).first }.map { stanzas[$0] }
            return .allowed(Grant(app: stanza?.name ?? privilege.app, stanza: stanza, basis: .privilege(privilege)))
        }
        if let match = match(of: standing, capability, requestor) {
            let stanza = stanzas[match.stanza]
            return .allowed(Grant(app: stanza.name, stanza: stanza, basis: .rule(stanza.allow[match.rule])))
        }
        return .denied(
            reason: standing.matches.isEmpty
                ? stranger(standing.peer, requestor) : obstacle(standing, capability: capability, requestor: requestor))
    }

    /// For who is not connected.
    func decide(
        _ peer: PeerFacts, on socket: SocketKind, needs capability: Capability?, requestor: String? = nil
    ) -> PolicyDecision {
        decide(standing(of: peer, on: socket), needs: capability, requestor: requestor)
    }

    /// In the order of the stanzas.
    func listings(of requestor: String) -> [Int] { listings[RequestorID(rawValue: requestor)] ?? [] }

    /// The first that gives it.
    private func match(of standing: PeerStanding, _ capability: Capability, _ requestor: String?) -> PeerStanding.Match?
    {
        guard standing.capabilities.contains(capability) else { return nil }
        let candidates = requestor.map { standing.matches(among: listings(of: $0)) } ?? standing.matches
        return candidates.first { stanzas[$0.stanza].may.contains(capability) }
    }

    /// A right that needs no stanza.
    struct Privilege: Equatable {
        /// Where no stanza lists the requestor.
        let app: String
        let rule: String
    }

    func privilege(of peer: PeerFacts, on socket: SocketKind) -> Privilege? {
        if socket == .admin {
            return Privilege(app: "admin", rule: "clients of the admin socket may do everything")
        }
        guard allowsSameUser, peer.user == ownUser else { return nil }
        return Privilege(app: "development", rule: "--allow-same-user: the peer runs as the daemon's user \(ownUser)")
    }

    /// What a newcomer may be, as far as it can be told before its process is looked at. Costs the same with any number of
    /// stanzas; the groups are asked for only where they matter.
    func prospect(user: UInt32, on socket: SocketKind, groups: () -> Set<UInt32>) -> Prospect {
        if socket == .admin || namedUsers.contains(user) || allowsSameUser && user == ownUser { return .named }
        if !namedGroups.isEmpty, !groups().isDisjoint(with: namedGroups) { return .member }
        return hasOpenRules ? .unknown : .stranger
    }

    enum Prospect: CaseIterable {
        /// A rule asks for its user.
        case named
        /// A rule asks for one of its groups, whichever user that is: it may have very many.
        case member
        /// A rule may name it that asks for neither.
        case unknown
        case stranger
    }
}

enum PolicyDecision: Equatable, Sendable {
    case allowed(Grant)
    /// A sentence without its full stop, for `RPCError.denied`.
    case denied(reason: String)
}

struct Grant: Equatable, Sendable {
    enum Basis: Equatable, Sendable {
        case everyPeer
        case privilege(Policy.Privilege)
        case rule(AllowRule)
    }

    /// Nil where it needs none.
    let app: String?
    /// Supplies the statement, where one is listed for the requestor.
    let stanza: AppStanza?
    let basis: Basis

    /// What decided, for people.
    var rule: String {
        switch basis {
        case .everyPeer: "every peer may call it"
        case .privilege(let privilege): privilege.rule
        case .rule(let rule): "app \(app ?? ""): allow \(rule.text)"
        }
    }
}
