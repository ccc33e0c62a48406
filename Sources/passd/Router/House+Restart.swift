// Clients over a restart of the daemon. Handed over are those in the middle of nothing: no call pending, no half message
// in either direction, no login on the screen, no subscription, whose numbers would begin anew. The others are closed after
// their answers, as ever, and connect again. What a client sends meanwhile waits in its socket.

import AccessEnabler
import PassProtocol
import PassSystem
import PassWire

extension House {
    /// `keep` takes a copy of a descriptor under a name. What goes along with those that it took.
    func handOver(_ keep: (Int32, String) -> Bool) -> [KeptClient] {
        clients.values.sorted { $0.number < $1.number }.compactMap { client in
            guard client.subscription == nil, client.session.isAtRest,
                client.session.requestor?.rawValue == client.setup.requestor?.requestorID,
                let framing = client.connection.framing
            else { return nil }
            let kept = KeptClient(
                name: "client-\(client.number)", socket: client.socket, framing: framing, setup: client.setup.calls)
            guard client.connection.handOver({ keep($0, kept.name) }) else { return nil }
            return kept
        }
    }

    /// Its session is set up again before anything more is read from it. Where that cannot be done, the client is closed:
    /// it then connects again, and hears why.
    func takeBack(_ descriptor: consuming Descriptor, _ kept: KeptClient) async {
        guard let client = enter(descriptor, on: kept.socket, kept.framing) else { return }
        for request in kept.setup where router.readiness == nil {
            if await router.repeatCall(request, for: client) { continue }
            return dismiss(client)
        }
        // Asked to end meanwhile.
        guard router.readiness == nil else { return dismiss(client) }
        begin(client)
    }

    private func dismiss(_ client: Client) {
        remove(client)
        client.connection.close(.requested("its session could not be set up again"))
        Task { @EngineActor in await client.session.close() }
    }
}
