// `watch`: prints the daemon's events if policy allows them, and the session's own callbacks.

import PassArguments
import PassClient
import PassJSON
import PassProtocol
import PassWire

extension Verb {
    static let watch = Verb(
        "watch", "print what happens, until Ctrl-C",
        details: """
            Prints the daemon's events. With --requestor, also prints the callbacks that an app of this requestor gets. \
            To get events, passd-cli needs the admin socket, or a stanza (an app's section of the configuration) with \
            the line "may = observe". \
            passd-cli tries the admin socket first if you give neither --requestor nor --socket. With --json, prints one \
            object per line.
            """
    ) { invocation in
        // If an option names a socket or requestor, the operators' socket is not tried.
        let observes = invocation.requestor == nil && invocation.arguments[.socket] == nil
        let client = observes ? try await invocation.connectToObserve() : try await invocation.connect()
        let watch = Watch(invocation: invocation, client: client)
        do {
            try await invocation.console.untilInterrupted { try await watch.run() }
        } catch is Interrupted {
        } catch OutputLost.readerGone {
            // The reader has closed the pipe. This is the usual end of watching.
        }
        return Outcome()
    }
}

private struct Watch: Sendable {
    let invocation: Invocation
    let client: Client

    /// Runs until it is cancelled or fails.
    func run() async throws {
        try await begin()
        for await callback in client.callbacks {
            try print(callback)
            if callback.method == "event", callback.params["type"]?.string == EventType.overrun.rawValue {
                throw Failure(
                    .tryLater, name: "OVERRUN", "This program read too slowly and missed events.",
                    remedy: "Run watch again.")
            }
        }
        try Task.checkCancellation()
        throw await client.ending ?? ClientFault.gone(reason: "the connection ended")
    }

    /// Begins the session. If policy allows no events, the session still gets the callbacks of its requestor.
    private func begin() async throws {
        let subscription = try await subscribe()
        if subscription == nil || invocation.requestor != nil {
            _ = try await client.call(SetRequestor.self, .init(requestorID: invocation.requestor(of: client)))
        }
        if invocation.wantsJSON, let subscription {
            try invocation.console.write("snapshot", subscription)
        } else if invocation.console.errors.isTerminal {
            invocation.console.tell("Watching; press Ctrl-C to stop.")
        }
    }

    /// Subscribes to events; nil if the daemon does not allow it.
    private func subscribe() async throws(ClientFault) -> JSONValue? {
        do throws(ClientFault) {
            return try await client.call(Subscribe.self, .init())
        } catch {
            guard case .refused(let refusal) = error, [.denied, .methodNotFound].contains(refusal.name) else {
                throw error
            }
            invocation.console.tell("Showing only callbacks, because events are not available: \(refusal.message)")
            return nil
        }
    }

    private func print(_ callback: Client.Callback) throws(OutputLost) {
        let isEvent = callback.method == "event"
        guard !invocation.wantsJSON else {
            return isEvent
                ? try invocation.console.write("event", callback.params)
                : try invocation.console.write(
                    "callback", ["name": .string(callback.method), "params": callback.params])
        }
        let time = (isEvent ? callback.params["time"]?.int64 : nil) ?? invocation.console.now
        let name = isEvent ? callback.params["type"]?.string ?? "event" : callback.method
        let data = isEvent ? callback.params["data"] ?? [:] : callback.params
        let members = data.members.map { "\($0.name)=\(Table.phrase($0.value, $0.name))".onOneLine }
        try invocation.console.write(
            ([Moment.clock(time), invocation.paint.strong(name.onOneLine)] + members).joined(separator: "  ") + "\n")
    }
}
