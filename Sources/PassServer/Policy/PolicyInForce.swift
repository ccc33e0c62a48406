// The policy that decides at the moment, and what it makes of clients. What a client is to it is looked up when the client
// comes, and once more after each reload.

import AccessEnabler
import PassProtocol

@EngineActor final class PolicyInForce {
    var policy: Policy

    init(_ policy: Policy) { self.policy = policy }

    func standing(of client: ConnectedClient) -> PeerStanding {
        if !policy.made(client.standing) { client.standing = policy.standing(of: client.facts, on: client.socket) }
        return client.standing
    }

    /// Its identity with the app as which it is known.
    func identity(of client: ConnectedClient) -> PeerIdentity {
        policy.identity(client.identity, of: standing(of: client))
    }

    func whoAmI(_ client: ConnectedClient) -> WhoAmI.Result { policy.whoAmI(standing(of: client), client.identity) }

    func decide(on client: ConnectedClient, needs capability: Capability?, requestor: String?) -> PolicyDecision {
        policy.decide(standing(of: client), needs: capability, requestor: requestor)
    }

    /// As which app it may use the requestor; nil if it may not.
    func app(of client: ConnectedClient, using requestor: String) -> String? {
        guard case .allowed(let grant) = decide(on: client, needs: .entitlement, requestor: requestor) else {
            return nil
        }
        return grant.app
    }

    /// What the client itself is told of a refusal.
    func explanation(of reason: String, to client: ConnectedClient) -> String {
        policy.told(reason, standing(of: client))
    }
}
