// The result of looking up a peer in a policy. It has the stanzas that name the peer, with the matching rules. passd looks up a
// peer when it connects and after a reload, but not for each call, because the lookup takes most of a decision's time.
// Connections of one program share the result.

import PassConfiguration
import PassProtocol

final class PeerStanding: Sendable {
    /// The index of a stanza in the policy, and of a rule in the stanza.
    struct Match: Equatable, Sendable {
        let stanza: Int
        let rule: Int
    }

    /// The identity of a policy. A reload makes a new identity.
    final class Origin: Sendable {}

    let peer: PeerFacts
    let privilege: Policy.Privilege?
    /// The matches, sorted by stanza.
    let matches: [Match]
    /// All capabilities that the matching stanzas give, for any requestor.
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

    /// Whether the peer has no privilege and no stanza names it.
    var isStranger: Bool { privilege == nil && matches.isEmpty }

    /// Whether the peer has the capability. True for nil, because a call that every peer may make needs no capability.
    func may(_ capability: Capability?) -> Bool {
        guard let capability, privilege == nil else { return true }
        return capabilities.contains(capability)
    }
}

extension PeerStanding {
    /// The matches whose stanza is in `listing`. Both lists are sorted and may be very long, so this method searches the longer
    /// list for each element of the shorter one.
    func matches(among listing: [Int]) -> [Match] {
        if matches.count < listing.count {
            return matches.filter { Self.place(of: $0.stanza, in: listing, \.self) != nil }
        }
        return listing.compactMap { stanza in Self.place(of: stanza, in: matches, \.stanza).map { matches[$0] } }
    }

    /// Finds a number by binary search in the sorted items.
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

    /// The peer's app if exactly one stanza matches; otherwise nil.
    func onlyApp(of standing: PeerStanding) -> String? {
        guard let first = standing.matches.first, first.stanza == standing.matches.last?.stanza else { return nil }
        return stanzas[first.stanza].name
    }

    /// Whether the lookup was made in this policy, and not before a reload.
    func made(_ standing: PeerStanding) -> Bool { standing.origin === origin }
}
