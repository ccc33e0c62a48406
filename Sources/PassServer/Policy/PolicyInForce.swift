// Holds the policy in force and answers questions about connected clients. A client is looked up in the policy when it
// connects and once more after each reload.

import AccessEnabler
import PassProtocol

@EngineActor final class PolicyInForce {
    var policy: Policy

    init(_ policy: Policy) { self.policy = policy }

    func standing(of client: ConnectedClient) -> PeerStanding {
        if !policy.made(client.standing) { client.standing = policy.standing(of: client.facts, on: client.socket) }
        return client.standing
    }

    /// The client's identity, with the app that it is known as.
    func identity(of client: ConnectedClient) -> PeerIdentity {
        policy.identity(client.identity, of: standing(of: client))
    }

    func whoAmI(_ client: ConnectedClient) -> WhoAmI.Result { policy.whoAmI(standing(of: client), client.identity) }

    func decide(on client: ConnectedClient, needs capability: Capability?, requestor: String?) -> PolicyDecision {
        policy.decide(standing(of: client), needs: capability, requestor: requestor)
    }

    /// The app by whose name the client may use the requestor; nil if it may not.
    func app(of client: ConnectedClient, using requestor: String) -> String? {
        guard case .allowed(let grant) = decide(on: client, needs: .entitlement, requestor: requestor) else {
            return nil
        }
        return grant.app
    }

    /// The reason for a refusal as the journal and the operator get it.
    func wholeReason(_ reason: String, of client: ConnectedClient, using requestor: String?) -> String {
        policy.wholeReason(reason, to: standing(of: client), about: requestor)
    }

    /// The reason for a refusal as the client itself gets it.
    func explanation(of reason: String, to client: ConnectedClient) -> String {
        policy.told(reason, standing(of: client))
    }
}
