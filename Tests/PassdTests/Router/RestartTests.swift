// Clients over a restart of the daemon: one house hands them over, another takes them back. operations.md §3.

import AccessEnabler
import Glibc
import PassProtocol
import PassWire
import Synchronization
import Testing

@testable import passd

/// What a service manager would keep.
private final class Keeper: Sendable {
    private let kept = Mutex<[String: Int32]>([:])

    func keep(_ descriptor: Int32, _ name: String) -> Bool {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        kept.withLock { $0[name] = copy }
        return copy >= 0
    }

    func take(_ name: String) -> Int32? { kept.withLock { $0.removeValue(forKey: name) } }
}

@Suite struct RestartTests {
    private func restart(_ first: Household, into second: Household) async throws -> [String] {
        let keeper = Keeper()
        let notes = await first.handOver(keeper)
        let clients = KeptClient.read(notes)
        for client in clients { await second.takeBack(try #require(keeper.take(client.name)), client) }
        return clients.map(\.name)
    }

    @Test func `a client at rest goes on as if nothing had been`() async throws {
        let (first, second) = (try await Household(), try await Household())
        await second.logsIn()
        let visitor = try await first.app()
        try await visitor.call("setOptions", ["visitorID": "42"])
        #expect(try await restart(first, into: second).count == 1)
        #expect(await first.house.clients.isEmpty)
        let exchange = try await visitor.exchange("checkAuthentication")
        #expect(exchange.fault == nil)
        #expect(!exchange.heard.contains("setRequestorComplete"), "it hears nothing of being set up again")
        #expect(await second.requestors == ["NEWS24"])
    }

    @Test func `what it sent meanwhile is answered afterwards`() async throws {
        let (first, second) = (try await Household(), try await Household())
        let visitor = try await first.app()
        let keeper = Keeper()
        let notes = await first.handOver(keeper)
        try await visitor.send(#"{"jsonrpc":"2.0","id":77,"method":"checkAuthentication"}"#)
        for client in KeptClient.read(notes) { await second.takeBack(try #require(keeper.take(client.name)), client) }
        _ = try await visitor.hear("setAuthenticationStatus")
    }

    @Test func `whoever is in the middle of something is not handed over`() async throws {
        let household = try await Household { $0.offersAll() }
        let silent = try await household.connect()
        let watcher = try await household.connect()
        try await watcher.call("passd.subscribe")
        let chooser = try await household.app()
        try await chooser.call("getAuthentication")
        let keeper = Keeper()
        #expect(KeptClient.read(await household.handOver(keeper)).isEmpty)
        for visitor in [silent, watcher, chooser] { try await visitor.leave() }
    }

    @Test func `today's policy decides, and who may not any more is closed`() async throws {
        let first = try await Household()
        let second = try await Household(apps: [.sample(user: geteuid() + 1)])
        let visitor = try await first.app()
        #expect(try await restart(first, into: second).count == 1)
        #expect(await second.house.clients.isEmpty)
        await #expect(throws: (any Error).self) { try await visitor.call("checkAuthentication") }
    }

    @Test func `where nobody keeps it nothing happens to the client`() async throws {
        let household = try await Household()
        let visitor = try await household.app()
        #expect(await household.handOverToNobody().isEmpty)
        try await visitor.call("checkAuthentication")
    }

    @Test func `a session is remembered by the last word of its options, and nothing is erased twice`() throws {
        var setup = Setup()
        let calls: [(String, JSONValue)] = [
            ("setOptions", ["visitorID": "1", "flow": "browser"]), ("setOptions", ["visitorID": "2"]),
            ("checkAuthentication", [:]), ("setRequestor", ["requestorID": "NEWS24", "storageCheck": "clear"]),
        ]
        for (method, params) in calls {
            let request = Request(id: nil, method: method, params: params)
            setup.learn(try request.check(against: try request.type(on: .api)))
        }
        #expect(
            setup.calls == [
                Request(id: nil, method: "setOptions", params: ["flow": "browser", "visitorID": "2"]),
                Request(id: nil, method: "setRequestor", params: ["requestorID": "NEWS24", "storageCheck": "none"]),
            ])
    }

    @Test func `notes come back as they were, and rubbish is no notes`() {
        let kept = KeptClient(
            name: "client-1", socket: .admin, framing: .headers,
            setup: [Request(id: nil, method: "setOptions", params: ["visitorID": "1"])])
        #expect(KeptClient.read(KeptClient.notes([kept])) == [kept])
        for text in [
            "", "{", "{}", "[1,{}]", "[{\"name\":\"a\",\"socket\":\"web\",\"framing\":\"line\",\"setup\":[]}]",
        ] {
            #expect(KeptClient.read(Array(text.utf8)).isEmpty, "\(text)")
        }
    }
}

extension Household {
    fileprivate func handOver(_ keeper: Keeper) -> [UInt8] {
        KeptClient.notes(house.handOver { keeper.keep($0, $1) })
    }

    fileprivate func handOverToNobody() -> [KeptClient] { house.handOver { _, _ in false } }

    fileprivate func takeBack(_ descriptor: Int32, _ client: KeptClient) async {
        await house.takeBack(Descriptor(adopting: descriptor), client)
    }

    fileprivate var requestors: [String] { house.clients.values.compactMap { $0.session.requestor?.rawValue } }
}
