// Hands clients over to the next process when the daemon restarts. Only idle clients are handed over. An idle client has no
// pending call and no incomplete message in either direction. It has no login on the screen and no subscription. A subscription
// cannot continue, because the next process numbers events from the start. Calls that are answered within a moment do not count
// as pending.
//
// All other clients get their answers and are closed, as at any stop. They connect again. Input that a kept client sends during
// the restart waits in its socket.

package import AccessEnabler
import PassProtocol
import PassSystem
package import PassWire

extension Server {
    /// Offers the idle clients to `keep`. `keep` takes a copy of a descriptor with a note and a name. Returns the names of the
    /// clients that were taken.
    @discardableResult package func handOver(_ keep: (Int32, [UInt8], String) -> Bool) -> [String] {
        var waiting = Dictionary(grouping: clients.inOrder, by: \.facts.user)
            .mapValues { $0[...] }
        var names: [String] = []
        while let user = keeping.next(of: waiting.keys), let client = waiting[user]?.popFirst() {
            if waiting[user]?.isEmpty == true { waiting[user] = nil }
            guard let note = note(of: client), keeping.has(note.count) else { continue }
            let name = "client-\(client.number)"
            guard client.connection.handOver({ keep($0, note, name) }) else { continue }
            keeping.take(note.count, user)
            names.append(name)
        }
        return names
    }

    /// Hands over the idle clients. After a moment, hands over the clients that have become idle in the meantime.
    package func handOver(
        over moment: Duration, by clock: any EngineClock, _ keep: (Int32, [UInt8], String) -> Bool
    ) async {
        handOver(keep)
        guard !clients.isEmpty else { return }
        await clock.sleep(for: moment)
        handOver(keep)
    }

    /// Returns the client's note. Nil if the client is not idle or its note would be too long. Strangers have no state to keep,
    /// so they get no note.
    private func note(of client: ConnectedClient) -> [UInt8]? {
        guard !client.isStranger, !policyInForce.standing(of: client).isStranger, client.subscription == nil,
            client.session.isAtRest,
            client.session.requestor?.rawValue == client.setup.requestor?.requestorID,
            let framing = client.connection.framing
        else { return nil }
        return KeptClient(
            socket: client.entrance, framing: framing, setup: client.setup.calls(setting: client.session.options)
        ).note
    }

    /// Takes a client back. The daemon configures its session again and only then reads further input. If this configuration
    /// fails, the daemon closes the client. The client then connects again and learns the reason.
    package func restore(_ kept: KeptClient, on descriptor: consuming Descriptor) async {
        guard let client = enter(descriptor, on: kept.socket, kept.framing) else { return }
        for request in kept.setup where router.readiness == nil {
            if await router.repeatCall(request, for: client) { continue }
            return dismiss(client)
        }
        // If the daemon was asked to stop in the meantime, the client is closed.
        guard router.readiness == nil else { return dismiss(client) }
        begin(client)
    }

    private func dismiss(_ client: ConnectedClient) {
        remove(client)
        client.connection.close(.requested("its session could not be restored"))
        Task { @EngineActor in await client.session.close() }
    }
}

/// The limits of the kept clients and their notes. The next client to keep belongs to the user with the fewest bytes in kept
/// notes. In this order, one user's clients cannot displace another user's clients.
struct KeepingRoom {
    /// The max number of clients. Each client takes two descriptors; see `FileDescriptorStoreMax=` in passd.service.
    static let maxClients = 512
    static let maxBytes = 4 << 20

    private struct Share { var (bytes, clients) = (0, 0) }

    private var shares: [UInt32: Share] = [:]
    private var all = Share()

    func next(of users: some Sequence<UInt32>) -> UInt32? {
        guard all.clients < Self.maxClients else { return nil }
        return users.min { rank($0) < rank($1) }
    }

    private func rank(_ user: UInt32) -> (Int, Int, UInt32) {
        let share = shares[user] ?? Share()
        return (share.bytes, share.clients, user)
    }

    func has(_ bytes: Int) -> Bool { bytes <= Self.maxBytes - all.bytes }

    mutating func take(_ bytes: Int, _ user: UInt32) {
        shares[user, default: Share()].bytes += bytes
        shares[user, default: Share()].clients += 1
        all.bytes += bytes
        all.clients += 1
    }
}
