// Holds the policy in force and answers questions about connected clients. Looks up each client when it connects and after each
// reload.

import AccessEnabler
import PassProtocol
import PassSystem

@EngineActor final class PolicyInForce {
    private struct Peer: Hashable {
        let facts: PeerFacts
        let socket: SocketKind
    }

    /// The max number of peers whose standing is kept for later connections.
    private static let maxKnown = 64

    var policy: Policy { didSet { known = [:] } }
    private var known: [Peer: PeerStanding] = [:]

    init(_ policy: Policy) { self.policy = policy }

    func standing(of client: ConnectedClient) -> PeerStanding {
        if !policy.made(client.standing) { client.standing = standing(of: client.facts, on: client.socket) }
        return client.standing
    }

    /// Looks up a peer. The standing is kept for other connections of the same program. The standing of a stranger is not
    /// kept, so that strangers cannot displace apps.
    func standing(of facts: PeerFacts, on socket: SocketKind) -> PeerStanding {
        let peer = Peer(facts: facts, socket: socket)
        if let standing = known[peer] { return standing }
        let standing = policy.standing(of: facts, on: socket)
        guard !standing.isStranger else { return standing }
        if known.count >= Self.maxKnown { known = [:] }
        known[peer] = standing
        return standing
    }

    /// The client's identity, with its app according to policy.
    func identity(of client: ConnectedClient) -> PeerIdentity {
        policy.identity(client.identity, of: standing(of: client), using: client.session.requestor)
    }

    func whoAmI(_ client: ConnectedClient) -> WhoAmI.Result {
        policy.whoAmI(standing(of: client), client.identity, using: client.session.requestor)
    }

    func decide(on client: ConnectedClient, needs capability: Capability?, requestor: String?) -> PolicyDecision {
        policy.decide(standing(of: client), needs: capability, requestor: requestor)
    }

    /// The client's app for this requestor; nil if the client may not use the requestor.
    func app(of client: ConnectedClient, using requestor: String) -> String? {
        guard case .allowed(let grant) = decide(on: client, needs: .entitlement, requestor: requestor) else {
            return nil
        }
        return grant.app
    }

    /// The reason for a refusal, for the journal and the operator.
    func wholeReason(_ reason: String, of client: ConnectedClient, using requestor: String?) -> String {
        let whole = policy.wholeReason(reason, to: standing(of: client), about: requestor)
        let hasWay = client.facts.socket != nil || client.facts.origin != nil
        return !hasWay && ProcessFacts.isContained(client.process) ? "\(whole); \(Denial.containerHint)" : whole
    }
}
