// Clients over a restart of the daemon. Handed over are those in the middle of nothing: no call pending, no half message
// in either direction, no login on the screen, no subscription, whose numbers would begin anew. The others are closed after
// their answers, as ever, and connect again. What a client sends meanwhile waits in its socket.

import AccessEnabler
import PassProtocol
import PassSystem
import PassWire

extension Server {
    /// `keep` takes a copy of a descriptor with its note, under a name. Those that it took.
    @discardableResult package func handOver(_ keep: (Int32, [UInt8], String) -> Bool) -> [String] {
        var room = KeepingRoom()
        var waiting = Dictionary(grouping: clients.inOrder, by: \.facts.user)
            .mapValues { $0[...] }
        var names: [String] = []
        while let user = room.next(of: waiting.keys), let client = waiting[user]?.popFirst() {
            if waiting[user]?.isEmpty == true { waiting[user] = nil }
            guard let note = note(of: client), room.has(note.count) else { continue }
            let name = "client-\(client.number)"
            guard client.connection.handOver({ keep($0, note, name) }) else { continue }
            room.take(note.count, user)
            names.append(name)
        }
        return names
    }

    /// Nil for whoever is in the middle of something, has more to say than a note takes, or is a stranger: that one has
    /// nothing to lose.
    private func note(of client: ConnectedClient) -> [UInt8]? {
        guard !client.isStranger, !policyInForce.standing(of: client).isStranger, client.subscription == nil,
            client.session.isAtRest,
            client.session.requestor?.rawValue == client.setup.requestor?.requestorID,
            let framing = client.connection.framing
        else { return nil }
        return KeptClient(socket: client.socket, framing: framing, setup: client.setup.calls).note
    }

    /// Its session is set up again before anything more is read from it. Where that cannot be done, the client is closed:
    /// it then connects again, and hears why.
    package func restore(_ kept: KeptClient, on descriptor: consuming Descriptor) async {
        guard let client = enter(descriptor, on: kept.socket, kept.framing) else { return }
        for request in kept.setup where router.readiness == nil {
            if await router.repeatCall(request, for: client) { continue }
            return dismiss(client)
        }
        // Asked to end meanwhile.
        guard router.readiness == nil else { return dismiss(client) }
        begin(client)
    }

    private func dismiss(_ client: ConnectedClient) {
        remove(client)
        client.connection.close(.requested("its session could not be restored"))
        Task { @EngineActor in await client.session.close() }
    }
}

/// How much is given to the service manager to keep. Whoever has taken the least comes next, so that no user's clients
/// keep another's from being handed over.
struct KeepingRoom {
    /// Two descriptors each; `FileDescriptorStoreMax=` of passd.service.
    static let mostClients = 512
    static let mostBytes = 4 << 20

    private struct Share { var (bytes, clients) = (0, 0) }

    private var shares: [UInt32: Share] = [:]
    private var all = Share()

    func next(of users: some Sequence<UInt32>) -> UInt32? {
        guard all.clients < Self.mostClients else { return nil }
        return users.min { rank($0) < rank($1) }
    }

    private func rank(_ user: UInt32) -> (Int, Int, UInt32) {
        let share = shares[user] ?? Share()
        return (share.bytes, share.clients, user)
    }

    func has(_ bytes: Int) -> Bool { bytes <= Self.mostBytes - all.bytes }

    mutating func take(_ bytes: Int, _ user: UInt32) {
        shares[user, default: Share()].bytes += bytes
        shares[user, default: Share()].clients += 1
        all.bytes += bytes
        all.clients += 1
    }
}
