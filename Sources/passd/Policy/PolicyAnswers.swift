// Policy as peers and operators ask for it: `passd.whoami` and `passd.policyExplain`. rpc.md §6, §7.

import PassProtocol

extension Policy {
    /// `identity` is sent back with the app filled in.
    func whoAmI(_ peer: PeerFacts, _ identity: PassProtocol.PeerIdentity, on socket: SocketKind) -> WhoAmI.Result {
        let matches = matches(of: peer)
        var identity = identity
        identity.app = matches.first?.stanza.name
        if let privilege = privilege(of: peer, on: socket) {
            identity.app = identity.app ?? privilege.app
            return WhoAmI.Result(
                identity: identity, may: Capability.allCases, requestors: ["*"], rule: privilege.rule)
        }
        let may = Capability.allCases.filter { capability in matches.contains { $0.stanza.may.contains(capability) } }
        var requestors: [String] = []
        for match in matches where match.stanza.may.contains(.entitlement) {
            requestors += match.stanza.requestors.filter { !requestors.contains($0) }
        }
        let rule =
            matches.isEmpty ? stranger(peer, nil) : matches.map(\.grant.rule).joined(separator: "; ")
        return WhoAmI.Result(identity: identity, may: may, requestors: requestors, rule: rule)
    }

    /// What would be decided about a peer that need not be there. `groups` are those of `question.uid`.
    func explain(_ question: PolicyExplain.Params, groups: Set<UInt32>) -> PolicyExplain.Result {
        guard let method = MethodTable.find(question.method)?.definition else {
            let nearest = MethodTable.nearest(to: question.method).map { "; did you mean \($0)?" } ?? ""
            return PolicyExplain.Result(allowed: false, rule: "there is no method of this name\(nearest)")
        }
        let peer = PeerFacts(
            user: question.uid, groups: groups, executable: question.executable, unit: question.unit)
        if method.socket == .admin { return explainAdmin(peer) }
        switch decide(peer, on: .api, needs: method.capability, requestor: question.requestorID) {
        case .allowed(let grant): return PolicyExplain.Result(allowed: true, rule: grant.rule, app: grant.app)
        case .denied(let reason): return PolicyExplain.Result(allowed: false, rule: reason)
        }
    }

    /// The method is only on the admin socket, and the mode of that file decides.
    private func explainAdmin(_ peer: PeerFacts) -> PolicyExplain.Result {
        let who: String? =
            if peer.user == 0 {
                "root"
            } else if peer.user == ownUser {
                "the daemon's user"
            } else if let adminGroup, peer.groups.contains(adminGroup) {
                "its group"
            } else {
                nil
            }
        guard let who else {
            return PolicyExplain.Result(
                allowed: false,
                rule: "the method is on the admin socket, which only root, the daemon's user and its group may open")
        }
        return PolicyExplain.Result(allowed: true, rule: "the admin socket: \(who) may open it")
    }
}
