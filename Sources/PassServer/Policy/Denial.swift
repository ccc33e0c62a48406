// Why a peer may not: what was missing, as precisely as it helps whoever writes the stanza. Of very many stanzas only some
// are named. A peer that none names is told no more than that: what the stanzas say is nothing for strangers.

import PassProtocol

extension Policy {
    /// What the peer itself is told. For a stranger it is the same whatever it asks for.
    func told(_ reason: String, _ standing: PeerStanding) -> String {
        standing.isStranger ? stranger(standing.peer, nil) : reason
    }

    /// No stanza names the peer. For the journal and the operator.
    func stranger(_ peer: PeerFacts, _ requestor: String?) -> String {
        if let requestor, let stanza = listings(of: requestor).first.map({ stanzas[$0] }) {
            let obstacles = stanza.allow.prefix(4).compactMap { rule in
                rule.obstacle(to: peer).map { "\(rule.text): \($0)" }
            }
            let why = obstacles.isEmpty ? "it has no allow" : obstacles.joined(separator: "; ")
            return "app \(stanza.name) lists requestor \(shown(requestor)) but does not name this peer (\(why))"
        }
        let end = requestor.map { ", and none lists requestor \(shown($0))" } ?? ""
        return "no app stanza names this peer (user \(peer.user))\(end)"
    }

    /// Stanzas name the peer, but none gives what is wanted.
    func obstacle(_ standing: PeerStanding, capability: Capability, requestor: String?) -> String {
        let named = standing.matches.map { stanzas[$0.stanza] }
        guard let requestor else {
            let apps = Self.some(named, separator: ", ") { "app \($0.name)" }
            return "\(capability.rawValue) is not listed in may of \(apps)"
        }
        if let match = standing.matches(among: listings(of: requestor)).first {
            return "\(capability.rawValue) is not listed in may of app \(stanzas[match.stanza].name)"
        }
        let apps = Self.some(named, separator: "; ") { stanza in
            "app \(stanza.name) lists "
                + (stanza.requestors.isEmpty ? "none" : Self.some(stanza.requestors, separator: " ") { $0 })
        }
        return "this peer may not use requestor \(shown(requestor)) (\(apps))"
    }

    private static let mostNamed = 8

    /// The first few of them, and how many more there are.
    static func some<Item>(_ items: [Item], separator: String, text: (Item) -> String) -> String {
        let named = items.prefix(mostNamed).map(text).joined(separator: separator)
        return items.count > mostNamed ? "\(named)\(separator)and \(items.count - mostNamed) more" : named
    }

    /// It comes from the client.
    private func shown(_ requestor: String) -> String {
        let text = requestor.cut(toBytes: 64)
        return text.onOneLine + (text.utf8.count < requestor.utf8.count ? "…" : "")
    }
}
