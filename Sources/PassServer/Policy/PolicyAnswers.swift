// The questions of peers and operators to the policy: `passd.whoami` and `passd.policyExplain`. rpc.md §6, §7.

import AccessEnabler
import PassConfiguration
import PassProtocol
import PassSystem

extension Policy {
    /// Answers `passd.whoami`. The answer contains `identity` with the app filled in.
    func whoAmI(_ standing: PeerStanding, _ identity: PeerIdentity, using requestor: RequestorID?) -> WhoAmI.Result {
        let identity = self.identity(identity, of: standing, using: requestor)
        if let privilege = standing.privilege {
            return WhoAmI.Result(
                identity: identity, may: Capability.allCases, requestors: ["*"], rule: privilege.rule)
        }
        var seen: Set<String> = []
        let requestors = standing.matches.map { stanzas[$0.stanza] }.filter { $0.may.contains(.entitlement) }
            .flatMap(\.requestors).filter { seen.insert($0).inserted }
        return WhoAmI.Result(
            identity: identity, may: Capability.allCases.filter(standing.capabilities.contains), requestors: requestors,
            rule: standing.matches.isEmpty ? stranger(standing.peer, nil) : rules(of: standing.matches))
    }

    /// Each app with the rule by which it matches the peer.
    private func rules(of matches: [PeerStanding.Match]) -> String {
        Self.some(matches, separator: "; ") { match in
            let stanza = stanzas[match.stanza]
            return "app \(stanza.name): allow \(stanza.allow[match.rule].text)"
        }
    }

    /// Adds the name of the peer's app. If several stanzas name the peer, takes the app whose stanza lists the
    /// session's requestor.
    func identity(_ identity: PeerIdentity, of standing: PeerStanding, using requestor: RequestorID?) -> PeerIdentity {
        var identity = identity
        let match = requestor.flatMap { self.match(of: standing, .entitlement, $0.rawValue) } ?? standing.matches.first
        identity.app = match.map { stanzas[$0.stanza].name } ?? standing.privilege?.app
        return identity
    }

    /// Explains what the policy would decide about a peer. The peer need not be connected. `sight` says which facts the daemon
    /// can see from inside the unit's sandbox.
    func explain(
        _ question: PolicyExplain.Params, about peer: PeerFacts, seeing sight: Confinement
    ) -> PolicyExplain.Result {
        guard let method = MethodTable.find(question.method)?.definition else {
            let nearest = MethodTable.nearest(to: question.method).map { "; did you mean \($0)?" } ?? ""
            var answer = PolicyExplain.Result(
                allowed: false, rule: "there is no method \(question.method.onOneLine.cut(toBytes: 64))\(nearest)")
            answer.notes = ["passd-cli describe lists the methods."]
            return answer
        }
        if method.socket == .admin {
            return peer.origin == nil && peer.socket == nil
                ? explainAdmin(peer)
                : PolicyExplain.Result(
                    allowed: false, rule: "the method is on the admin socket, which no web app or container reaches")
        }
        let standing = standing(of: peer, on: .api)
        let requestor = question.requestorID
        var answer =
            switch decide(standing, needs: method.capability, requestor: requestor) {
            case .allowed(let grant):
                PolicyExplain.Result(
                    allowed: true, rule: grant.rule + others(than: grant, standing, method.capability, requestor),
                    app: grant.app)
            case .denied(let reason):
                PolicyExplain.Result(allowed: false, rule: wholeReason(reason, to: standing, about: requestor))
            }
        answer.notes = blindSpots(about: requestor, seeing: sight)
        return answer
    }

    /// Returns a text that names the other stanzas that would also allow the call; empty if there are none.
    private func others(
        than grant: Grant, _ standing: PeerStanding, _ capability: Capability?, _ requestor: String?
    ) -> String {
        guard case .rule = grant.basis, let capability else { return "" }
        let matches = requestor.map { standing.matches(among: listings(of: $0)) } ?? standing.matches
        let others = matches.filter { stanzas[$0.stanza].may.contains(capability) }.dropFirst()
        return others.isEmpty ? "" : " (also \(rules(of: Array(others))))"
    }

    /// Returns notes about rules that never match, because the unit's sandbox hides the facts for these rules from the daemon.
    /// If the question names a requestor, only the stanzas that list the requestor are examined.
    private func blindSpots(about requestor: String?, seeing sight: Confinement) -> [String] {
        let concerned = requestor.map { listings(of: $0).map { stanzas[$0] } } ?? stanzas
        let conditions = concerned.flatMap(\.allow).flatMap(\.conditions)
        let hasUnit = conditions.contains { if case .unit = $0 { true } else { false } }
        return sight.units || !hasUnit
            ? []
            : [
                "The daemon cannot see the units of processes, so rules with \"unit:\" never match. See CONFINEMENT "
                    + "in passd(8)."
            ]
    }

    /// Explains who may use the admin socket. The operator's methods exist only on this socket, so the mode of the socket's
    /// file decides who may call them.
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
