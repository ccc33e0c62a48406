// Tests clients during a restart of the daemon. One household hands them over, and another restores them.
// operations.md §3.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Synchronization
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

/// Keeps the same data as a service manager.
final class Keeper: Sendable {
    private struct Entry {
        let descriptor: Int32
        let note: [UInt8]
    }

    private let kept = Mutex<[String: Entry]>([:])

    func keep(_ descriptor: Int32, _ note: [UInt8], _ name: String) -> Bool {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        kept.withLock { $0[name] = Entry(descriptor: copy, note: note) }
        return copy >= 0
    }

    /// Takes all clients. A client with an unreadable note is closed.
    func takeAll() -> [(Int32, KeptClient)] {
        kept.withLock { entries in
            defer { entries = [:] }
            return entries.values.compactMap { entry in
                if let client = KeptClient(note: entry.note) { return (entry.descriptor, client) }
                close(entry.descriptor)
                return nil
            }
        }
    }

    func bendFirstNote() {
        kept.withLock { entries in
            guard let name = entries.keys.min(), let entry = entries[name] else { return }
            entries[name] = Entry(descriptor: entry.descriptor, note: Array(entry.note.dropLast()))
        }
    }
}

@Suite struct RestartTests {
    /// Hands over from one household to another, as soon as this many clients of the first are idle.
    private func restart(_ first: Household, into second: Household, of clients: Int = 1) async throws -> [String] {
        let keeper = Keeper()
        try await first.awaitRest(of: clients)
        let names = await first.handOver(keeper)
        for (descriptor, client) in keeper.takeAll() { await second.restore(client, on: descriptor) }
        return names
    }

    @Test func `an idle client continues as if nothing had happened`() async throws {
        let (first, second) = (try await Household(), try await Household())
        await second.logsIn()
        let visitor = try await first.app()
        try await visitor.call("setOptions", ["visitorID": "42"])
        #expect(try await restart(first, into: second).count == 1)
        #expect(await first.server.clients.isEmpty)
        let exchange = try await visitor.exchange("checkAuthentication")
        #expect(exchange.fault == nil)
        #expect(!exchange.heard.contains("setRequestorComplete"), "the new setup is not reported to the client")
        #expect(await second.requestors == ["NEWS24"])
    }

    @Test func `calls that the client sends meanwhile are answered afterwards`() async throws {
        let (first, second) = (try await Household(), try await Household())
        let visitor = try await first.app()
        let keeper = Keeper()
        try await first.awaitRest(of: 1)
        await first.handOver(keeper)
        try await visitor.send(#"{"jsonrpc":"2.0","id":77,"method":"checkAuthentication"}"#)
        for (descriptor, client) in keeper.takeAll() { await second.restore(client, on: descriptor) }
        _ = try await visitor.hear("setAuthenticationStatus")
    }

    @Test func `a call that is answered during the handover does not end the app's connection`() async throws {
        let (first, second) = (try await Household(), try await Household())
        await second.logsIn()
        await first.logsIn()
        let visitor = try await first.app()
        let keeper = Keeper()
        first.backend.hold("authorize")
        try await visitor.send(
            #"{"jsonrpc":"2.0","id":77,"method":"checkAuthorization","params":{"resource":"channel-1"}}"#)
        await eventually { first.backend.calls.elements.contains { $0.hasPrefix("authorize") } }
        let alarms = first.clock.alarmCount
        let handingOver = Task { await first.handOver(over: .milliseconds(20), keeper) }
        await eventually { first.clock.alarmCount > alarms }
        first.backend.release("authorize")
        _ = try await visitor.hear("tokenRequestFailed")
        try await first.awaitRest(of: 1)
        await first.clock.advance(by: .milliseconds(20))
        await handingOver.value
        let kept = keeper.takeAll()
        #expect(kept.count == 1)
        for (descriptor, client) in kept { await second.restore(client, on: descriptor) }
        #expect(try await visitor.exchange("checkAuthentication").fault == nil)
    }

    @Test func `a busy client is not handed over`() async throws {
        let household = try await Household { $0.offersAll() }
        let silent = try await household.connect()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe")
        let chooser = try await household.app()
        try await chooser.call("getAuthentication")
        #expect(await household.handOver(Keeper()).isEmpty)
        for visitor in [silent, watcher, chooser] { try await visitor.leave() }
    }

    @Test func `a stranger is not handed over`() async throws {
        let household = try await Household(apps: [.sample(user: geteuid() + 1)])
        let visitor = try await household.connect()
        try await visitor.call("passd.whoami")
        #expect(await household.handOver(Keeper()).isEmpty)
        try await visitor.leave()
    }

    @Test func `a client whose state is too large for a note must reconnect, and other clients are not affected`()
        async throws
    {
        let (first, second) = (try await Household(), try await Household())
        let (large, small) = (try await first.app(), try await first.app())
        let text = JSONValue.string(String(repeating: "x", count: 16_000))
        try await large.call(
            "setOptions",
            [
                "visitorID": text, "applicationProfile": text,
                "deviceInfo": .string(String(repeating: "A", count: 16_000)),
            ])
        #expect(try await restart(first, into: second).count == 1)
        try await small.call("checkAuthentication")
        try await large.call("checkAuthentication")
        #expect(await first.server.clients.count == 1, "the client is closed with the first server")
    }

    @Test func `a damaged note affects only its own client`() async throws {
        let (first, second) = (try await Household(), try await Household())
        let visitors = [try await first.app(), try await first.app(), try await first.app()]
        let keeper = Keeper()
        try await first.awaitRest(of: 3)
        #expect(await first.handOver(keeper).count == 3)
        keeper.bendFirstNote()
        for (descriptor, client) in keeper.takeAll() { await second.restore(client, on: descriptor) }
        await #expect(throws: (any Error).self) { try await visitors[0].call("checkAuthentication") }
        for visitor in visitors.dropFirst() { try await visitor.call("checkAuthentication") }
    }

    @Test func `the user with the least kept data comes next, and the total is limited`() {
        var room = KeepingRoom()
        var order: [UInt32] = []
        while order.count < 2000, let user = room.next(of: [1, 2, 3]) {
            let size = user == 1 ? 32 << 10 : 100
            guard room.has(size) else { break }
            room.take(size, user)
            order.append(user)
        }
        #expect(order.count == KeepingRoom.maxClients)
        #expect(order.prefix(3) == [1, 2, 3])
        #expect(order.count { $0 == 1 } <= 3, "a user with large notes has fewer of them")
        var full = KeepingRoom()
        while full.has(KeptClient.maxNoteSize) { full.take(KeptClient.maxNoteSize, 1) }
        #expect(!full.has(1) && full.next(of: [1]) != nil)
        #expect(full.next(of: []) == nil)
    }

    @Test func `the new policy decides, and clients that it does not allow are closed`() async throws {
        let first = try await Household()
        let second = try await Household(apps: [.sample(user: geteuid() + 1)])
        let visitor = try await first.app()
        #expect(try await restart(first, into: second).count == 1)
        #expect(await second.server.clients.isEmpty)
        await #expect(throws: (any Error).self) { try await visitor.call("checkAuthentication") }
    }

    @Test func `if a client is not kept, its connection continues`() async throws {
        let household = try await Household()
        let visitor = try await household.app()
        #expect(await household.handOverToNobody().isEmpty)
        try await visitor.call("checkAuthentication")
    }

    @Test func `a session is stored with the latest value of each option, and nothing is erased twice`() throws {
        var setup = Setup()
        var options = SetOptions.Params()
        let calls: [(String, JSONValue)] = [
            ("setOptions", ["visitorID": "1", "flow": "browser"]), ("setOptions", ["visitorID": "2"]),
            ("checkAuthentication", [:]), ("setRequestor", ["requestorID": "NEWS24", "storageCheck": "clear"]),
        ]
        for (method, params) in calls {
            let request = Request(id: nil, method: method, params: params)
            let call = try request.check(against: try request.type(on: .api))
            setup.learn(call)
            if let params = call.params(of: SetOptions.self) { options.take(over: params) }
        }
        #expect(
            setup.calls(setting: options) == [
                Request(id: nil, method: "setOptions", params: ["flow": "browser", "visitorID": "2"]),
                Request(id: nil, method: "setRequestor", params: ["requestorID": "NEWS24", "storageCheck": "none"]),
            ])
    }

    @Test func `a note is read as it was written, and an invalid note is refused`() throws {
        let kept = KeptClient(
            socket: .app("news24"), framing: .headers,
            setup: [Request(id: nil, method: "setOptions", params: ["visitorID": "1"])])
        let note = try #require(kept.note)
        #expect(KeptClient(note: note) == kept)
        for count in 0..<note.count { #expect(KeptClient(note: Array(note.prefix(count))) == nil) }
        for text in [
            "{}", "[1,{}]", "[]", #"{"socket":"web","framing":"line","setup":[]}"#,
            #"{"socket":"api","framing":"both","setup":[]}"#, #"{"socket":"api","framing":"line","setup":[1]}"#,
            #"{"socket":"api","framing":"line","setup":[{"method":"logout"}]}"#,
        ] {
            #expect(KeptClient(note: Array(text.utf8)) == nil, "\(text)")
        }
    }
}

extension Household {
    /// Waits until this many clients are idle, without handing them over. A client may have read its answer before its
    /// call has ended completely.
    func awaitRest(of count: Int) async throws {
        await eventually("\(count) clients never came to rest") { @EngineActor in
            var resting = 0
            server.handOver { _, _, _ in
                resting += 1
                return false
            }
            return resting == count
        }
    }

    @discardableResult func handOver(_ keeper: Keeper) -> [String] {
        server.handOver { keeper.keep($0, $1, $2) }
    }

    fileprivate func handOver(over moment: Duration, _ keeper: Keeper) async {
        await server.handOver(over: moment, by: clock) { keeper.keep($0, $1, $2) }
    }

    fileprivate func handOverToNobody() -> [String] { server.handOver { _, _, _ in false } }

    func restore(_ client: KeptClient, on descriptor: Int32) async {
        await server.restore(client, on: Descriptor(adopting: descriptor))
    }

    fileprivate var requestors: [String] { server.clients.all.compactMap { $0.session.requestor?.rawValue } }
}
