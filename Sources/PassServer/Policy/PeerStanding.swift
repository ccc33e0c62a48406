// The result of looking a peer up in a policy: which stanzas name it, and by which of their rules. The lookup is the
// larger part of a decision, so it is done once for each connection and again after a reload. Connections of one program
// share it.

import PassConfiguration
import PassProtocol

final class PeerStanding: Sendable {
    /// Indices of a stanza in the policy and of a rule in the stanza.
    struct Match: Equatable, Sendable {
        let stanza: Int
        let rule: Int
    }

    /// The identity of a policy, which tells apart the policies before and after a reload.
    final class Origin: Sendable {}

    let peer: PeerFacts
    let privilege: Policy.Privilege?
    /// Sorted by stanza.
    let matches: [Match]
    /// What the stanzas allow for any requestor.
    let capabilities: Set<Capability>
    /// Identifies the policy in which the peer was looked up.
    let origin: Origin

    init(
        peer: PeerFacts, privilege: Policy.Privilege?, matches: [Match], capabilities: Set<Capability>, origin: Origin
    ) {
        self.peer = peer
        self.privilege = privilege
        self.matches = matches
        self.capabilities = capabilities
        self.origin = origin
    }

    /// Whether neither a stanza nor a privilege names the peer.
    var isStranger: Bool { privilege == nil && matches.isEmpty }

    /// A capability of nil means what every peer may do.
    func may(_ capability: Capability?) -> Bool {
        guard let capability, privilege == nil else { return true }
        return capabilities.contains(capability)
    }
}

extension PeerStanding {
    /// The matches whose stanza is in `listing`, which is sorted too. The shorter one is gone through and the longer one
    /// is searched: very many apps may list one requestor, or one peer be very many apps.
    func matches(among listing: [Int]) -> [Match] {
        if matches.count < listing.count {
            return matches.filter { Self.place(of: $0.stanza, in: listing, \.self) != nil }
        }
        return listing.compactMap { stanza in Self.place(of: stanza, in: matches, \.stanza).map { matches[$0] } }
    }

    /// By halving, since the items are sorted by their numbers.
    private static func place<Item>(of number: Int, in items: [Item], _ key: (Item) -> Int) -> Int? {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if key(items[middle]) < number { low = middle + 1 } else { high = middle }
        }
        return low < items.count && key(items[low]) == number ? low : nil
    }
}

extension Policy {
    func standing(of peer: PeerFacts, on socket: SocketKind) -> PeerStanding {
        let matches = rules.matches(of: peer, in: stanzas)
        return PeerStanding(
            peer: peer, privilege: privilege(of: peer, on: socket), matches: matches,
            capabilities: matches.reduce(into: []) { $0.formUnion(stanzas[$1.stanza].may) }, origin: origin)
    }

    /// The app of the peer for every requestor; nil if several or none match.
    func onlyApp(of standing: PeerStanding) -> String? {
        guard let first = standing.matches.first, first.stanza == standing.matches.last?.stanza else { return nil }
        return stanzas[first.stanza].name
    }

    /// Whether the lookup was made in this policy, and not in the one before a reload.
    func made(_ standing: PeerStanding) -> Bool { standing.origin === origin }
}
