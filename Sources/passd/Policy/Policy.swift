// Who may do what: decided from the app stanzas and facts about the peer, and from nothing that the peer says. What no
// stanza allows is denied, to root as well. operations.md §2.

import PassProtocol

struct Policy: Sendable {
    /// In the order of their names.
    let stanzas: [AppStanza]
    /// The daemon's own user.
    let ownUser: UInt32
    /// `--allow-same-user`: peers of that user may do everything. For development.
    let allowsSameUser: Bool
    /// Who may open the admin socket, besides root; for `explain`.
    let adminGroup: UInt32?
    /// The users that rules ask for, and whether a rule asks for none.
    private let namedUsers: Set<UInt32>
    private let namesAnyUser: Bool

    init(stanzas: [AppStanza], ownUser: UInt32, allowsSameUser: Bool = false, adminGroup: UInt32? = nil) {
        self.stanzas = stanzas.sorted { $0.name < $1.name }
        self.ownUser = ownUser
        self.allowsSameUser = allowsSameUser
        self.adminGroup = adminGroup
        let rules = stanzas.flatMap(\.allow).filter { !$0.conditions.isEmpty && !$0.conditions.contains(.nobody) }
        namedUsers = Set(rules.compactMap(\.user))
        namesAnyUser = rules.contains { $0.user == nil }
    }

    /// Nil as capability: what every peer may.
    func decide(
        _ peer: PeerFacts, on socket: SocketKind, needs capability: Capability?, requestor: String? = nil
    ) -> PolicyDecision {
        guard let capability else { return .allowed(Grant(app: nil, stanza: nil, rule: "every peer may")) }
        if let privilege = privilege(of: peer, on: socket) {
            let stanza = requestor.flatMap { name in stanzas.first { $0.requestors.contains(name) } }
            return .allowed(Grant(app: stanza?.name ?? privilege.app, stanza: stanza, rule: privilege.rule))
        }
        let matching = matches(of: peer)
        let granting = matching.first { match in
            match.stanza.may.contains(capability) && requestor.map(match.stanza.requestors.contains) ?? true
        }
        if let granting { return .allowed(granting.grant) }
        return .denied(reason: matching.isEmpty ? stranger(peer, requestor) : obstacle(matching, capability, requestor))
    }

    /// A right that needs no stanza.
    struct Privilege: Equatable {
        /// Where no stanza lists the requestor.
        let app: String
        let rule: String
    }

    func privilege(of peer: PeerFacts, on socket: SocketKind) -> Privilege? {
        if socket == .admin {
            return Privilege(app: "admin", rule: "the admin socket: whoever may open it may do everything")
        }
        guard allowsSameUser, peer.user == ownUser else { return nil }
        return Privilege(app: "development", rule: "--allow-same-user: the peer is of the daemon's own user \(ownUser)")
    }

    /// Neither a stanza nor a privilege names it.
    func isStranger(_ peer: PeerFacts, on socket: SocketKind) -> Bool {
        privilege(of: peer, on: socket) == nil && !stanzas.contains { $0.allow.contains { $0.match(peer) == .holds } }
    }

    /// Whether it may not be a stranger, as far as the user alone can tell. Costs the same with any number of stanzas.
    func mayName(user: UInt32, on socket: SocketKind) -> Bool {
        socket == .admin || namesAnyUser || namedUsers.contains(user) || (allowsSameUser && user == ownUser)
    }

    struct Match: Equatable {
        let stanza: AppStanza
        let grant: Grant
    }

    func matches(of peer: PeerFacts) -> [Match] {
        stanzas.compactMap { stanza in
            stanza.allow.first { $0.match(peer) == .holds }.map { rule in
                Match(
                    stanza: stanza,
                    grant: Grant(app: stanza.name, stanza: stanza, rule: "app \(stanza.name): allow \(rule.text)"))
            }
        }
    }
}

enum PolicyDecision: Equatable, Sendable {
    case allowed(Grant)
    /// A sentence without its full stop, for `RPCError.denied`.
    case denied(reason: String)
}

struct Grant: Equatable, Sendable {
    /// Nil where it needs none.
    let app: String?
    /// Supplies the statement, where one is listed for the requestor.
    let stanza: AppStanza?
    /// What decided, for people.
    let rule: String
}
