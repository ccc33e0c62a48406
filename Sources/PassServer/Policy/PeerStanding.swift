// What a peer is to a policy: which stanzas name it, by which of their rules. It is looked up once for a connection and
// again after a reload, since looking is the larger part of a decision.

import PassProtocol

struct PeerStanding: Sendable {
    /// Places in the policy.
    struct Match: Equatable, Sendable {
        let stanza: Int
        let rule: Int
    }

    /// Nobody else's.
    final class Origin: Sendable {}

    let peer: PeerFacts
    let privilege: Policy.Privilege?
    /// In the order of the stanzas.
    let matches: [Match]
    /// What the stanzas give, whatever the requestor.
    let capabilities: Set<Capability>
    /// Of the policy in which it was looked up.
    let origin: Origin

    /// Neither a stanza nor a privilege names it.
    var isStranger: Bool { privilege == nil && matches.isEmpty }

    /// Nil: what every peer may.
    func may(_ capability: Capability?) -> Bool {
        guard let capability, privilege == nil else { return true }
        return capabilities.contains(capability)
    }
}

extension PeerStanding {
    /// Those of the given stanzas, which are in order too.
    func matches(among listing: [Int]) -> [Match] {
        var found: [Match] = []
        var left = matches[...]
        for stanza in listing {
            left = left.drop { $0.stanza < stanza }
            if let match = left.first, match.stanza == stanza { found.append(match) }
        }
        return found
    }
}

extension Policy {
    func standing(of peer: PeerFacts, on socket: SocketKind) -> PeerStanding {
        let matches = rules.matches(of: peer, in: stanzas)
        return PeerStanding(
            peer: peer, privilege: privilege(of: peer, on: socket), matches: matches,
            capabilities: matches.reduce(into: []) { $0.formUnion(stanzas[$1.stanza].may) }, origin: origin)
    }

    /// Whether it was looked up here, and not before a reload.
    func made(_ standing: PeerStanding) -> Bool { standing.origin === origin }
}
