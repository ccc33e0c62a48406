// Holds the policy in force and answers questions about connected clients. A client is looked up in the policy when it
// connects and after each reload.

import AccessEnabler
import PassProtocol

@EngineActor final class PolicyInForce {
    private struct Peer: Hashable {
        let facts: PeerFacts
        let socket: SocketKind
    }

    /// The max number of peers for which the result of the lookup is kept, for their next connection.
    private static let maxKnown = 64

    var policy: Policy { didSet { known = [:] } }
    private var known: [Peer: PeerStanding] = [:]

    init(_ policy: Policy) { self.policy = policy }

    func standing(of client: ConnectedClient) -> PeerStanding {
        if !policy.made(client.standing) { client.standing = standing(of: client.facts, on: client.socket) }
        return client.standing
    }

    /// Looks up a peer. The result is kept, and other connections of the same program get it too. Results for strangers are not
    /// kept, so that strangers cannot displace the results for apps.
    func standing(of facts: PeerFacts, on socket: SocketKind) -> PeerStanding {
        let peer = Peer(facts: facts, socket: socket)
        if let standing = known[peer] { return standing }
        let standing = policy.standing(of: facts, on: socket)
        guard !standing.isStranger else { return standing }
        if known.count >= Self.maxKnown { known = [:] }
        known[peer] = standing
        return standing
    }

    /// The client's identity, with the app that policy knows it as.
    func identity(of client: ConnectedClient) -> PeerIdentity {
        policy.identity(client.identity, of: standing(of: client), using: client.session.requestor)
    }

    func whoAmI(_ client: ConnectedClient) -> WhoAmI.Result {
        policy.whoAmI(standing(of: client), client.identity, using: client.session.requestor)
    }

    func decide(on client: ConnectedClient, needs capability: Capability?, requestor: String?) -> PolicyDecision {
        policy.decide(standing(of: client), needs: capability, requestor: requestor)
    }

    /// The app in whose name the client may use the requestor; nil if it may not.
    func app(of client: ConnectedClient, using requestor: String) -> String? {
        guard case .allowed(let grant) = decide(on: client, needs: .entitlement, requestor: requestor) else {
            return nil
        }
        return grant.app
    }

    /// The reason for a refusal, for the journal and the operator.
    func wholeReason(_ reason: String, of client: ConnectedClient, using requestor: String?) -> String {
        policy.wholeReason(reason, to: standing(of: client), about: requestor)
    }
}
