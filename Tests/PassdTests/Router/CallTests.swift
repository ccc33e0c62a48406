// Tests the execution of calls: the order in which they begin, the callbacks before their answers, and the reasons for
// a refusal. rpc.md §2, §3, §5.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct CallTests {
    @Test func `rpc.md §2: the callbacks of a call come before its answer, and none comes later`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.connect()
        #expect(
            try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"]).heard == ["setRequestorComplete"])
        let answered = try await visitor.exchange("checkAuthorization", ["resource": "R"])
        #expect(answered.heard.contains("setToken"))
        #expect(answered.answer["result"]?["authorized"] == true)
        #expect(try await visitor.exchange("passd.hello").heard == [])
    }

    @Test func `the service is asked for the user that the kernel names and for the app's stanza`()
        async throws
    {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        _ = try await household.app().exchange("checkAuthorization", ["resource": "R"])
        let owner = try #require(household.backend.owners.elements.first)
        #expect(owner.user == getuid() && owner.app != nil)
    }

    @Test func `rpc.md §2: the callbacks of a failing call come before its error`() async throws {
        let visitor = try await Household().connect()
        let exchange = try await visitor.exchange("checkAuthentication")
        #expect(exchange.heard == ["setAuthenticationStatus"])
        #expect(exchange.fault == "REQUESTOR_NOT_SET")
    }

    @Test func `rpc.md §2: pipelined calls begin in their order`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.app()
        let resources = (1...20).map { "R\($0)" }
        let lines = resources.map {
            "{\"jsonrpc\":\"2.0\",\"id\":\"\($0)\",\"method\":\"getMetadata\",\"params\":"
                + "{\"key\":\"METADATA_AUTHORIZATION\",\"resource\":\"\($0)\"}}"
        }
        try await visitor.send(lines.joined(separator: "\n"))
        // Calls that do not wait are answered in the order in which they began.
        var answered: [String] = []
        while answered.count < resources.count, let message = try await visitor.next() {
            if let id = message["id"]?.string { answered.append(id) }
        }
        #expect(answered == resources)
    }

    @Test func `rpc.md §2: a later call may be answered earlier, but a call that needs the requestor waits`()
        async throws
    {
        let household = try await Household()
        household.backend.hold("prepare")
        let visitor = try await household.connect()
        try await visitor.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"setRequestor\",\"params\":{\"requestorID\":\"NEWS24\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"checkAuthentication\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"passd.whoami\"}")
        #expect(try await visitor.next()?["id"] == 3)
        household.backend.release("prepare")
        var order: [JSONValue] = []
        while order.count < 2, let message = try await visitor.next() {
            if let id = message["id"] { order.append(id) }
            #expect(message["error"] == nil)
        }
        #expect(order == [1, 2])
    }

    @Test(arguments: [
        "{\"jsonrpc\":\"2.0\",\"method\":\"passd.whoami\"}", "{\"jsonrpc\":\"2.0\",\"method\":\"nope\"}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"checkAuthorization\",\"params\":{}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"setRequestor\",\"params\":{\"requestorID\":\"OTHER\"}}",
        "[{\"jsonrpc\":\"2.0\",\"method\":\"passd.hello\"},{\"jsonrpc\":\"2.0\",\"method\":\"nope\"}]",
    ]) func `rpc.md §2: a notification gets no answer, not even an error`(line: String) async throws {
        let visitor = try await Household().connect()
        try await visitor.send(line)
        let exchange = try await visitor.exchange("passd.whoami")
        #expect(exchange.callbacks == [])
        #expect(exchange.fault == nil)
    }

    @Test func `a notification is still executed`() async throws {
        let visitor = try await Household().app()
        try await visitor.send("{\"jsonrpc\":\"2.0\",\"method\":\"checkAuthentication\"}")
        #expect(try await visitor.hear("setAuthenticationStatus")["status"] == 0)
    }

    @Test func `rpc.md §4: a login elsewhere is reported to the requestor's other session`() async throws {
        let household = try await Household { $0.offersAll() }
        let (one, other) = (try await household.app(), try await household.app())
        try await one.call("getAuthentication")
        let first = try await one.call("setSelectedProvider", ["providerID": "M1"])
        let joined = try await other.call("getAuthentication")
        #expect(joined["code"] == first["code"])
        await household.usesCode()
        for visitor in [one, other] { #expect(try await visitor.hear("setAuthenticationStatus")["status"] == 1) }
        #expect(household.backend.calls.elements.count { $0.hasPrefix("beginLogin") } == 1)
    }

    @Test func `while the daemon stops, no new call begins, and pending calls are answered`() async throws {
        let household = try await Household()
        let (visitor, late) = (try await household.connect(), try await household.connect())
        household.backend.hold("prepare")
        try await visitor.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"setRequestor\",\"params\":{\"requestorID\":\"NEWS24\"}}")
        try await household.backend.calls.wait(for: 1)
        await household.change { $0.readiness = .stopping }
        let refused = try await late.exchange("rpc.discover")
        #expect(refused.fault == "NOT_READY")
        #expect(refused.answer["error"]?["data"]?["details"]?["state"] == "stopping")
        let farewell = Task { @EngineActor in
            await household.server.sayFarewell(within: .seconds(60), by: try BoxClock())
            return household.server.clients.count
        }
        #expect(try await late.next() == nil)
        household.backend.release("prepare")
        #expect(try await visitor.hear("setRequestorComplete")["status"] == 1)
        #expect(try await visitor.next()?["result"]?["status"] == 1)
        #expect(try await visitor.next() == nil)
        #expect(try await farewell.value == 0)
    }

    @Test func `a stop does not wait longer than its limit, and waiting clients are told`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        household.backend.hold("prepare")
        try await visitor.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"setRequestor\",\"params\":{\"requestorID\":\"NEWS24\"}}")
        try await household.backend.calls.wait(for: 1)
        let left = Task { @EngineActor in
            await household.server.sayFarewell(within: .milliseconds(50), by: try BoxClock())
            return household.server.clients.count
        }
        #expect(try await visitor.next()?["error"]?["data"]?["code"] == "NOT_READY")
        #expect(try await visitor.next() == nil)
        #expect(try await left.value == 0)
        household.backend.release("prepare")
    }
}
