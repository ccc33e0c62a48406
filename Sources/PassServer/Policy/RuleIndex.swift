// An index of the rules by one of their conditions. With the index, a lookup has to check only a few of the rules.

import PassConfiguration

struct RuleIndex: Sendable {
    private var places: [AllowRule.Condition: [PeerStanding.Match]] = [:]

    init(_ stanzas: [AppStanza]) {
        for (stanza, app) in stanzas.enumerated() {
            for (rule, alternative) in app.allow.enumerated() {
                guard let key = Self.key(of: alternative) else { continue }
                places[key, default: []].append(PeerStanding.Match(stanza: stanza, rule: rule))
            }
        }
    }

    /// The first rule of each stanza that holds for the peer.
    func matches(of peer: PeerFacts, in stanzas: [AppStanza]) -> [PeerStanding.Match] {
        var first: [Int: Int] = [:]
        for key in Self.keys(of: peer) {
            for place in places(of: key) where place.rule < first[place.stanza] ?? .max {
                if stanzas[place.stanza].allow[place.rule].holds(for: peer) { first[place.stanza] = place.rule }
            }
        }
        return first.sorted { $0.key < $1.key }.map { PeerStanding.Match(stanza: $0.key, rule: $0.value) }
    }

    /// The rules that are indexed by this condition.
    func places(of key: AllowRule.Condition) -> [PeerStanding.Match] { places[key] ?? [] }

    /// The condition by which the rule is indexed. A rule for a web app is indexed by the origin, because all web apps of a
    /// browser have the same user. A rule with a socket is indexed by the socket. Any other rule is indexed by the condition
    /// that a peer can influence least. Nil if the rule never holds.
    private static func key(of rule: AllowRule) -> AllowRule.Condition? {
        rule.conditions.contains(.missingAccount) ? nil : rule.conditions.min { rank($0) < rank($1) }
    }

    private static func rank(_ condition: AllowRule.Condition) -> Int {
        switch condition {
        case .missingAccount, .origin, .socket: 0
        case .user: 1
        case .unit: 2
        case .group: 3
        }
    }

    private static func keys(of peer: PeerFacts) -> [AllowRule.Condition] {
        if let origin = peer.origin { return [.origin(origin)] }
        if let socket = peer.socket { return [.socket(socket)] }
        return [.user(peer.user)] + peer.groups.map(AllowRule.Condition.group)
            + [peer.unit.map(AllowRule.Condition.unit)].compactMap(\.self)
    }
}
