// The web gateway opens a connection for each web app, and names the app in the connection's first call. From then on, policy,
// quotas and reports treat the connection as if the web app had opened it under the browser's user. docs/decisions/0021.

import AccessEnabler
import PassConfiguration
import PassProtocol
import PassWire

extension Server {
    /// Rebinds the gateway's connection to a web app. Only the gateway may do this, and only with the first call of a
    /// connection, so that all later calls have the same identity.
    func speak(for app: SpeakFor.Params, through client: ConnectedClient) throws(RPCError) {
        guard client.socket == .api, policyInForce.policy.isGateway(client.facts) else {
            throw router.refusal(of: app, from: client, .notGateway)
        }
        guard client.calls == 1 else { throw router.refusal(of: app, from: client, .lateClaim) }
        let facts = PeerFacts(user: app.uid, unit: app.unit, origin: app.origin)
        let standing = policyInForce.standing(of: facts, on: client.socket)
        // Any web page can cause this call. A page that no stanza names is refused here and uses no quota of the browser's
        // user.
        guard !standing.isStranger else {
            let denial = policyInForce.policy.denial("", of: standing)
            throw router.refusal(of: app, from: client, denial, isGateway: true)
        }
        guard quotas.sessions(of: facts.user, on: .api) < limits.sessionsPerUser else {
            throw .limit("sessions-per-user", maximum: limits.sessionsPerUser)
        }
        let owner = ConnectionOwner.user(facts.user)
        let known = policyInForce.policy.onlyApp(of: standing)
        let calls = quotas.calls(of: owner, on: .api, app: known)
        guard client.connection.move(to: owner, quotas.account(of: owner), calls) else {
            throw .limit("memory-per-user", maximum: quotas.account(of: owner).limit)
        }
        let former = client.session
        _ = clients.remove(client)
        quotas.leave(client)
        client.become(standing, app: known, process: app.pid, session: openSession(client.connection, of: facts.user))
        clients.add(client)
        quotas.enter(client)
        Task.immediate { @EngineActor in await former.close() }
        // After a restart, the new session is reported only when it is completely restored.
        if client.connection.isServing { tellOpened(client) }
        onChange()
    }
}
