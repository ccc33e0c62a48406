// What peers and operators can ask the policy: `passd.whoami` and `passd.policyExplain`. rpc.md §6, §7.

import PassProtocol

extension Policy {
    /// The answer contains `identity` with the app filled in.
    func whoAmI(_ standing: PeerStanding, _ identity: PeerIdentity) -> WhoAmI.Result {
        let identity = self.identity(identity, of: standing)
        if let privilege = standing.privilege {
            return WhoAmI.Result(
                identity: identity, may: Capability.allCases, requestors: ["*"], rule: privilege.rule)
        }
        var seen: Set<String> = []
        let requestors = standing.matches.map { stanzas[$0.stanza] }.filter { $0.may.contains(.entitlement) }
            .flatMap(\.requestors).filter { seen.insert($0).inserted }
        let rules = Self.some(standing.matches, separator: "; ") { match in
            let stanza = stanzas[match.stanza]
            return "app \(stanza.name): allow \(stanza.allow[match.rule].text)"
        }
        return WhoAmI.Result(
            identity: identity, may: Capability.allCases.filter(standing.capabilities.contains), requestors: requestors,
            rule: standing.matches.isEmpty ? stranger(standing.peer, nil) : rules)
    }

    /// Adds the name of the app that the peer is known as.
    func identity(_ identity: PeerIdentity, of standing: PeerStanding) -> PeerIdentity {
        var identity = identity
        identity.app = standing.matches.first.map { stanzas[$0.stanza].name } ?? standing.privilege?.app
        return identity
    }

    /// What the policy would decide about a peer that need not be connected. `groups` are those of `question.uid`.
    func explain(_ question: PolicyExplain.Params, groups: Set<UInt32>) -> PolicyExplain.Result {
        guard let method = MethodTable.find(question.method)?.definition else {
            let nearest = MethodTable.nearest(to: question.method).map { "; did you mean \($0)?" } ?? ""
            return PolicyExplain.Result(allowed: false, rule: "unknown method\(nearest)")
        }
        let peer = PeerFacts(
            user: question.uid, groups: groups, executable: question.executable, unit: question.unit)
        if method.socket == .admin { return explainAdmin(peer) }
        switch decide(peer, on: .api, needs: method.capability, requestor: question.requestorID) {
        case .allowed(let grant): return PolicyExplain.Result(allowed: true, rule: grant.rule, app: grant.app)
        case .denied(let reason): return PolicyExplain.Result(allowed: false, rule: reason)
        }
    }

    /// The method exists only on the admin socket, so the mode of that file decides.
    private func explainAdmin(_ peer: PeerFacts) -> PolicyExplain.Result {
        let who: String? =
            if peer.user == 0 {
                "root"
            } else if peer.user == ownUser {
                "the daemon's own user"
            } else if let adminGroup, peer.groups.contains(adminGroup) {
                "the daemon's group"
            } else {
                nil
            }
        guard let who else {
            return PolicyExplain.Result(
                allowed: false,
                rule: "the method is on the admin socket, which only root, the daemon's user and its group can open")
        }
        return PolicyExplain.Result(allowed: true, rule: "the admin socket: \(who) can open it")
    }
}
