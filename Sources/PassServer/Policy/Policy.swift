// Decides about the rights of a peer. The decision uses only the app stanzas and the kernel's facts about the peer, never a
// claim of the peer. Calls that no stanza allows are denied, even if root makes them. operations.md §2.

import AccessEnabler
package import PassConfiguration
import PassProtocol

package struct Policy: Sendable {
    /// The stanzas, sorted by name.
    let stanzas: [AppStanza]
    /// The number of the user that the daemon runs as.
    let ownUser: UInt32
    /// The option `--allow-same-user`: peers of the daemon's own user may do everything. For development.
    let allowsSameUser: Bool
    /// Whether the daemon probably runs for a developer. A developer can change the policy, and reads the log in a terminal or
    /// a file.
    let isForDevelopers: Bool
    /// The group that may open the admin socket, besides root. Only `explain` uses it.
    let adminGroup: UInt32?
    /// The rule for the process that is trusted to name a web app; nil if there is none.
    let gateway: AllowRule?
    /// `prospect` needs three facts: the users in rules, the groups in rules without a user, and whether a rule has neither.
    private let namedUsers: Set<UInt32>
    private let namedGroups: Set<UInt32>
    private let hasOpenRules: Bool
    let rules: RuleIndex
    /// The titles of apps, by the names of their stanzas.
    let titles: [String: String]
    /// The indices of the stanzas that list a requestor.
    private let listings: [RequestorID: [Int]]
    let origin = PeerStanding.Origin()

    package init(
        stanzas: [AppStanza], ownUser: UInt32, allowsSameUser: Bool = false, isForDevelopers: Bool = false,
        adminGroup: UInt32? = nil, gateway: AllowRule? = nil
    ) {
        let stanzas = stanzas.sorted { $0.name < $1.name }
        self.stanzas = stanzas
        self.ownUser = ownUser
        self.allowsSameUser = allowsSameUser
        self.isForDevelopers = isForDevelopers || allowsSameUser
        self.adminGroup = adminGroup
        self.gateway = gateway
        let effective = stanzas.flatMap(\.allow).filter {
            !$0.conditions.isEmpty && !$0.conditions.contains(.missingAccount)
        }
        let native = effective.filter { $0.origin == nil && $0.socket == nil }
        namedUsers = Set(native.compactMap(\.user) + [gateway?.user].compactMap(\.self))
        let others = native.filter { $0.user == nil }
        namedGroups = Set(others.compactMap(\.group))
        hasOpenRules = others.contains { $0.group == nil }
        rules = RuleIndex(stanzas)
        titles = stanzas.reduce(into: [:]) { $0[$1.name] = $1.title }
        listings = stanzas.indices.reduce(into: [:]) { listings, index in
            for requestor in stanzas[index].requestors {
                listings[RequestorID(rawValue: requestor), default: []].append(index)
            }
        }
    }

    /// Decides about a call. If the capability is nil, every peer may make the call.
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

    /// The sorted indices of the stanzas that list the requestor.
    func listings(of requestor: String) -> [Int] { listings[RequestorID(rawValue: requestor)] ?? [] }

    /// The first matching stanza that gives the capability. If the call names a requestor, the stanza must list it.
    func match(of standing: PeerStanding, _ capability: Capability, _ requestor: String?) -> PeerStanding.Match? {
        guard standing.capabilities.contains(capability) else { return nil }
        let candidates = requestor.map { standing.matches(among: listings(of: $0)) } ?? standing.matches
        return candidates.first { stanzas[$0.stanza].may.contains(capability) }
    }

    /// A right that needs no stanza.
    struct Privilege: Equatable {
        /// The name that the peer gets as its app if no stanza lists the requestor.
        let app: String
        let rule: String
    }

    func privilege(of peer: PeerFacts, on socket: SocketKind) -> Privilege? {
        if socket == .admin {
            return Privilege(app: "admin", rule: "the admin socket: every peer that can open it may do everything")
        }
        // Web apps and apps in containers do not get this privilege, because it is meant for one developer's programs, and not
        // for any page in the developer's browser or any program in a container.
        guard allowsSameUser, peer.user == ownUser, peer.origin == nil, peer.socket == nil else { return nil }
        return Privilege(
            app: "development", rule: "--allow-same-user: the peer runs as the daemon's own user \(ownUser)")
    }

    func isGateway(_ peer: PeerFacts) -> Bool { gateway?.holds(for: peer) ?? false }

    /// Returns how the rules may name a new peer, before its process is looked up. The cost does not depend on the number of
    /// stanzas. `groups` looks up the peer's groups, and is called only if some rule needs them.
    func prospect(user: UInt32, on socket: Entrance, groups: () -> Set<UInt32>) -> Prospect {
        if let app = socket.app {
            let users = rules.places(of: .socket(app)).map { stanzas[$0.stanza].allow[$0.rule].user }
            return users.contains(user) ? .named : users.contains(nil) ? .member : .stranger
        }
        if socket == .admin || namedUsers.contains(user) || allowsSameUser && user == ownUser { return .named }
        if !namedGroups.isEmpty, !groups().isDisjoint(with: namedGroups) { return .member }
        return hasOpenRules ? .unknown : .stranger
    }

    enum Prospect: CaseIterable {
        /// A rule requires this user, or the peer has a privilege.
        case named
        /// A rule requires one of the peer's groups, or its socket, but no user. Such a rule may hold for very many users.
        case member
        /// A rule that requires neither user nor group may name the peer.
        case unknown
        case stranger
    }
}

enum PolicyDecision: Equatable, Sendable {
    case allowed(Grant)
    /// The reason is a sentence without a full stop, as `RPCError.denied` expects it.
    case denied(reason: String)
}

struct Grant: Equatable, Sendable {
    enum Basis: Equatable, Sendable {
        case everyPeer
        case privilege(Policy.Privilege)
        case rule(AllowRule)
    }

    /// The app; nil if the call needs none.
    let app: String?
    /// The stanza that lists the requestor; nil if none does. The stanza has the software statement.
    let stanza: AppStanza?
    let basis: Basis

    /// The app's name for screens, if its stanza has one.
    var title: String? { stanza?.title }

    /// The basis of the decision, as text for people.
    var rule: String {
        switch basis {
        case .everyPeer: "every peer may call it"
        case .privilege(let privilege): privilege.rule
        case .rule(let rule): "app \(app ?? ""): allow \(rule.text)"
        }
    }
}
