// Why a peer may not: what was missing, as precisely as it helps whoever writes the stanza.

import PassProtocol

extension Policy {
    /// No stanza names the peer.
    func stranger(_ peer: PeerFacts, _ requestor: String?) -> String {
        let candidates = stanzas.filter { stanza in requestor.map(stanza.requestors.contains) ?? false }
        if let requestor, let stanza = candidates.first {
            let obstacles = stanza.allow.prefix(4).compactMap { rule -> String? in
                guard case .fails(let reason) = rule.match(peer) else { return nil }
                return "\(rule.text): \(reason)"
            }
            let why = obstacles.isEmpty ? "it has no allow" : obstacles.joined(separator: "; ")
            return "app \(stanza.name) lists requestor \(shown(requestor)) but does not name this peer (\(why))"
        }
        let end = requestor.map { ", and none lists requestor \(shown($0))" } ?? ""
        return "no app stanza names this peer (user \(peer.user))\(end)"
    }

    /// Stanzas name the peer, but none gives what is wanted.
    func obstacle(_ matches: [Match], _ capability: Capability, _ requestor: String?) -> String {
        guard let requestor else {
            let apps = matches.map { "app \($0.stanza.name)" }.joined(separator: ", ")
            return "\(capability.rawValue) is not in may of \(apps)"
        }
        if let match = matches.first(where: { $0.stanza.requestors.contains(requestor) }) {
            return "\(capability.rawValue) is not in may of app \(match.stanza.name)"
        }
        let apps = matches.map { match in
            let listed = match.stanza.requestors.isEmpty ? "none" : match.stanza.requestors.joined(separator: " ")
            return "app \(match.stanza.name) lists \(listed)"
        }
        return "requestor \(shown(requestor)) is not one of this peer (\(apps.joined(separator: "; ")))"
    }

    /// It comes from the client.
    private func shown(_ requestor: String) -> String {
        let text = requestor.cut(toBytes: 64)
        return text.onOneLine + (text.utf8.count < requestor.utf8.count ? "…" : "")
    }
}
