// Tests the client's side: calls, deadlines, notifications, and the end of the daemon.

import Dispatch
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Testing

@Suite("architecture.md §2: a client connection")
struct ClientConnectionTests {
    @Test func `a call gets its result`() async throws {
        let served = try ServedPeer()
        let client = served.client()
        #expect(try await client.call("m", ["a": 1]) == ["method": "m", "params": ["a": 1]])
        client.close()
        try await served.closes.wait(for: 1)
    }

    @Test func `an error of the daemon keeps code, name and remedy`() async throws {
        let served = try ServedPeer { $0.answer(.failure(.requestorNotSet())) }
        let client = served.client()
        await #expect(throws: ClientError.refused(.requestorNotSet())) { try await client.call("m") }
        client.close()
    }

    @Test func `1,000 calls at once get their own answers`() async throws {
        let served = try ServedPeer()
        let client = served.client()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask { try await client.call("m", ["n": .int(number)])["params"]?["n"] == .int(number) }
            }
            for try await isRight in group { #expect(isRight) }
        }
        client.close()
    }

    @Test func `callbacks come in order, and end with the connection`() async throws {
        let served = try ServedPeer { call in
            call.connection.notify(.setRequestorComplete(status: 1))
            call.connection.notify(.preauthorizedResources(["r"]))
            call.answer(.success([:]))
        }
        let client = served.client()
        _ = try await client.call("m")
        client.close()
        var names: [String] = []
        for await notification in client.notifications { names.append(notification.method) }
        #expect(names == ["setRequestorComplete", "preauthorizedResources"])
        #expect(await client.disconnection == .closedByUs)
    }

    @Test func `a deadline ends a call with a named error, and a late answer is dropped`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { call in
            if call.request.method == "slow" { held.append(call) } else { call.answer(.success([:])) }
        }
        let client = served.client()
        await #expect(throws: ClientError.timedOut) { try await client.call("slow", within: .milliseconds(5)) }
        let calls = try await held.wait(for: 1)
        served.queue.sync { calls.first?.answer(.success([:])) }
        #expect(try await client.call("fast") == [:])
        client.close()
    }

    @Test func `a cancelled call ends with a named error`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let client = served.client()
        let task = Task { try await client.call("m") }
        try await held.wait(for: 1)
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        client.close()
    }

    @Test func `if the daemon ends, every waiting call fails with the reason`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        let client = served.client()
        let tasks = (0..<10).map { _ in Task { try await client.call("m") } }
        try await held.wait(for: 10)
        served.queue.sync { served.server.close(.requested("test")) }
        for task in tasks {
            await #expect(throws: ClientError.disconnected(.closedByDaemon)) { try await task.value }
        }
        await #expect(throws: ClientError.disconnected(.closedByDaemon)) { try await client.call("m") }
    }

    @Test func `unread notifications are limited, and the connection ends with a named error`() async throws {
        let served = try ServedPeer()
        var limits = ClientLimits()
        limits.notifications = 10
        let client = served.client(limits: limits)
        served.queue.sync {
            for _ in 0..<11 { served.server.notify(.setRequestorComplete(status: 1)) }
        }
        try await served.ends.wait(for: 1)
        #expect(await client.disconnection == .notificationsUnread(limit: 10))
    }

    @Test func `too many simultaneous calls are refused with a named error`() async throws {
        let held = Recorder<Call>()
        let served = try ServedPeer { held.append($0) }
        var limits = ClientLimits()
        limits.pendingCalls = 1
        let client = served.client(limits: limits)
        let first = Task { try await client.call("m") }
        try await held.wait(for: 1)
        await #expect(throws: ClientError.tooManyCalls(limit: 1)) { try await client.call("m") }
        client.close()
        await #expect(throws: ClientError.disconnected(.closedByUs)) { try await first.value }
    }

    @Test func `a connection to a daemon that sends garbage ends with a named error`() async throws {
        let (ours, theirs) = try Descriptor.pair()
        let client = ClientConnection(Descriptor(adopting: ours))
        let daemon = RawPeer(Descriptor(adopting: theirs))
        try daemon.send("nonsense\n")
        #expect(try daemon.line() == nil)
        guard case .notUnderstood? = await client.disconnection else {
            Issue.record("still there")
            return
        }
    }

    @Test func `a client without references closes its connection`() async throws {
        let served = try ServedPeer()
        do {
            let client = served.client()
            _ = try await client.call("m")
        }
        #expect(try await served.ends.wait(for: 1) == [.peerClosed])
    }

    @Test func `a path without a listener has a named error`() async throws {
        let directory = TemporaryDirectory()
        do throws(ClientError) {
            _ = try await ClientConnection.connect(to: directory.file("nobody.sock"))
            Issue.record("connected")
        } catch {
            guard case .unreachable = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test func `a client finds the daemon by its path`() async throws {
        let directory = TemporaryDirectory()
        let queue = DispatchQueue(label: "test.daemon")
        let listener = try Listener(path: directory.file("passd.sock"), mode: 0o600, queue: queue)
        queue.sync {
            listener.start(onAccept: { descriptor, _ in
                ServerConnection(descriptor, queue: queue).start(onCall: ServedPeer.echo, onClose: { _, _ in })
            })
        }
        let client = try await ClientConnection.connect(to: directory.file("passd.sock"))
        #expect(try await client.call("m")["method"] == "m")
        client.close()
        queue.sync { listener.stop() }
    }
}
