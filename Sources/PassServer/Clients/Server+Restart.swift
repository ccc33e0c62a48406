// Hands clients over to the next process when the daemon restarts. Only clients that are at rest are handed over: no
// call is pending, no message is incomplete in either direction, no login is on the screen, and there is no
// subscription, since the next process numbers events from the start. A call that is answered within a moment does not count. All
// others are closed after their answers, as at any stop, and connect again. What a client sends in the meantime waits in its socket.

package import AccessEnabler
import PassProtocol
import PassSystem
package import PassWire

extension Server {
    /// Offers the clients at rest to `keep`, which takes a copy of a descriptor with a note and a name. Returns the
    /// names of those that it took.
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

    /// Hands over the clients at rest, and after a moment those whose call was being answered just then, so that it does
    /// not cost an app its connection.
    package func handOver(
        over moment: Duration, by clock: any EngineClock, _ keep: (Int32, [UInt8], String) -> Bool
    ) async {
        handOver(keep)
        guard !clients.isEmpty else { return }
        await withCheckedContinuation { continuation in
            _ = clock.alarm(at: clock.boot.advanced(by: moment)) { continuation.resume() }
        }
        handOver(keep)
    }

    /// Nil if the client is not at rest, if its note would be too long, or if it is a stranger, which has nothing to
    /// lose.
    private func note(of client: ConnectedClient) -> [UInt8]? {
        guard !client.isStranger, !policyInForce.standing(of: client).isStranger, client.subscription == nil,
            client.session.isAtRest,
            client.session.requestor?.rawValue == client.setup.requestor?.requestorID,
            let framing = client.connection.framing
        else { return nil }
        return KeptClient(socket: client.socket, framing: framing, setup: client.setup.calls).note
    }

    /// Takes a client back. Its session is configured again before anything more is read from it. If that fails, the
    /// client is closed; it then connects again and learns the reason.
    package func restore(_ kept: KeptClient, on descriptor: consuming Descriptor) async {
        let number = descriptor.release()
        var executable: String?
        if let claim = claim(of: number) { executable = await parts.programs.path(claim, by: parts.clock) }
        guard let client = enter(Descriptor(adopting: number), on: kept.socket, kept.framing, executable: executable)
        else { return }
        for request in kept.setup where router.readiness == nil {
            if await router.repeatCall(request, for: client) { continue }
            return dismiss(client)
        }
        // The daemon was asked to stop in the meantime.
        guard router.readiness == nil else { return dismiss(client) }
        begin(client)
    }

    private func dismiss(_ client: ConnectedClient) {
        remove(client)
        client.connection.close(.requested("its session could not be restored"))
        Task { @EngineActor in await client.session.close() }
    }
}

/// Bounds on what is given to the service manager to keep. The user who has taken the least is next, so that one user's
/// clients cannot keep those of another from being handed over.
struct KeepingRoom {
    /// A client takes two descriptors; see `FileDescriptorStoreMax=` in passd.service.
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
