// Tests a peer that no rule matches. It can ask for its identity and for the methods, and uses few resources.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct StrangerTests {
    private func stranger() async throws -> (Household, Visitor) {
        let household = try await Household(apps: [.sample(user: 4_000_000)])
        return (household, try await household.connect())
    }

    @Test func `no call tells a stranger about the stanzas, and the journal has the reason`() async throws {
        let (household, visitor) = try await stranger()
        var errors: [JSONValue?] = []
        let calls: [(String, JSONValue)] = [
            ("setRequestor", ["requestorID": "NEWS24"]), ("setRequestor", ["requestorID": "NOPE"]),
            ("setRequestor", [:]), ("checkAuthentication", ["requestorID": "NEWS24"]), ("passd.subscribe", [:]),
        ]
        for (method, params) in calls {
            let refused = try await visitor.exchange(method, params)
            #expect(refused.fault == "DENIED")
            errors.append(refused.answer["error"])
        }
        let message = "no app stanza matches this peer (user \(geteuid()))"
        #expect(errors.first??["message"]?.string?.lowercased() == "\(message).")
        // An entitlement method also has a sentence for the viewer, which does not depend on the call.
        let core = errors.map { [$0?["code"], $0?["message"], $0?["data"]?["code"], $0?["data"]?["remedy"]] }
        #expect(core.allSatisfy { $0 == core.first })
        #expect(errors.dropLast().allSatisfy { $0 == errors.first })
        #expect(try await visitor.call("passd.whoami")["rule"]?.string == message)
        #expect(
            household.log.text.contains(
                "app news24 lists requestor NEWS24, but does not match this peer (rule user:4000000"))
    }

    @Test func `no call tells an app that has lost its stanza about the stanzas`() async throws {
        let household = try await Household()
        let visitor = try await household.app()
        household.backend.hold("providers")
        let asked = household.backend.calls.elements.count
        try await visitor.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"listProviders\"}")
        try await household.backend.calls.wait(for: asked + 1)
        let policy = Policy(stanzas: [.sample(user: 4_000_000)], ownUser: 1)
        await household.apply(policy)
        let answers = [try await visitor.next(), try await visitor.exchange("checkAuthentication").answer]
        for answer in answers {
            #expect(answer?["error"]?["data"]?["code"] == "DENIED")
            #expect(answer?["error"]?["message"]?.string?.contains("news24") == false)
        }
        household.backend.release("providers")
    }

    @Test func `messages of a stranger have a smaller limit than those of an app`() async throws {
        let (_, visitor) = try await stranger()
        let long = String(repeating: " ", count: 16 << 10)
        try await visitor.send(long + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"passd.whoami\"}")
        #expect(try await visitor.next()?["error"]?["data"]?["limit"] == .int(16 << 10))
        #expect(try await visitor.next() == nil)

        let app = try await Household().connect()
        try await app.send(long + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"passd.whoami\"}")
        #expect(try await app.next()?["result"] != nil)
    }

    @Test func `strangers share one limit of sessions, and apps can still connect`() async throws {
        let household = try await Household(apps: [.sample(may: [.entitlement])], sessionsPerUser: 4096)
        await household.change { $0.policy = Policy(stanzas: [.sample(user: 4_000_000)], ownUser: 4_000_000) }
        var visitors: [Visitor] = []
        for _ in 0..<Quotas.maxStrangers { visitors.append(try await household.connect()) }
        let refused = try await household.connect().next()
        #expect(refused?["error"]?["data"]?["details"]?["limit"] == "sessions-of-strangers")
        await household.change { $0.policy = Policy(stanzas: [.sample()], ownUser: 4_000_000) }
        try await household.connect().call("passd.hello")
        for visitor in visitors { try await visitor.leave() }
    }

    @Test func `a session stores only the params that its methods know`() async throws {
        let household = try await Household()
        let visitor = try await household.app()
        var options: [(String, JSONValue)] = (0..<5000).map { ("unknown\($0)", .int($0)) }
        options.append(("visitorID", "v"))
        try await visitor.call("setOptions", .object(JSONObject(options)))
        try await visitor.call("setOptions", ["flow": "browser"])
        try await visitor.call(
            "setRequestor",
            ["requestorID": "NEWS24", "storageCheck": "all", "more": .string(String(repeating: "x", count: 9999))])
        let setup = await household.server.keptCalls
        #expect(
            setup == [
                Request(id: nil, method: "setOptions", params: ["visitorID": "v", "flow": "browser"]),
                Request(id: nil, method: "setRequestor", params: ["requestorID": "NEWS24", "storageCheck": "none"]),
            ])
    }

    @Test(arguments: [
        ("setOptions", "visitorID", 16 << 10), ("setOptions", "applicationProfile", 16 << 10),
        ("setOptions", "deviceInfo", 16 << 10), ("setRequestor", "requestorID", 256),
        ("setRequestor", "softwareStatement", 16 << 10), ("getAuthentication", "data", 16 << 10),
        ("getAuthorization", "data", 16 << 10),
    ]) func `params over their limit are refused`(
        _ method: String, _ member: String, _ most: Int
    ) async throws {
        let visitor = try await Household().connect()
        let long = JSONValue.string(String(repeating: "A", count: most + 4))
        var params = JSONObject([(member, member == "data" ? ["a": long] : long)])
        if method == "getAuthorization" { params.append("resource", "r") }
        if method == "setRequestor", member != "requestorID" { params.append("requestorID", "NEWS24") }
        let exchange = try await visitor.exchange(method, .object(params))
        #expect(exchange.fault == "INVALID_PARAMS")
        #expect(exchange.answer["error"]?["data"]?["details"]?["member"] == .string(member))
    }
}

extension Household {
}

extension Server {
    /// The calls that are kept of the only client.
    fileprivate var keptCalls: [Request]? {
        clients.all.first.map { $0.setup.calls(setting: $0.session.options) }
    }
}
