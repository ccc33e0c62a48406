// Tests a reload that takes a requestor away. The pending work for the requestor ends, and the connection stays without
// rights.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("operations.md §2: rights that a reload takes away") struct RevocationTests {
    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apps: [AppStanza]
    }

    nonisolated static let losses: [Loss] = [
        Loss(testDescription: "the stanza is removed", apps: []),
        Loss(testDescription: "the stanza names another user", apps: [.sample(user: 4_000_000)]),
        Loss(testDescription: "the stanza lists another requestor", apps: [.sample("news24", ["SPORT"])]),
        Loss(testDescription: "the stanza gives another right", apps: [.sample(may: [.observe])]),
    ]

    @Test(arguments: losses) func `a shown code ends, and the viewer's login is not reported`(
        _ loss: Loss
    ) async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.app()
        try await visitor.call("getAuthorization", ["resource": "R"])
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        household.backend.script { $0.polls = [.success(.done(Sample.profile))] }
        await household.reload(loss.apps)
        let refused = try await visitor.exchange("checkAuthentication")
        #expect(refused.fault == "DENIED")
        #expect(refused.callbacks == [])
        await household.clock.advance(by: .seconds(60))
        #expect(try await visitor.exchange("passd.whoami").callbacks == [])
        #expect(
            household.backend.calls.elements.allSatisfy { !$0.hasPrefix("authorize") && !$0.hasPrefix("pollLogin") })
    }

    @Test func `a login that another session shows continues for that session`() async throws {
        let household = try await Household { $0.offersAll() }
        let (visitor, other) = (try await household.app(), try await household.app("NEWS24", .admin))
        for visitor in [visitor, other] {
            try await visitor.call("getAuthentication")
            try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        }
        await household.reload([])
        await household.usesCode()
        #expect(try await other.hear("setAuthenticationStatus")["status"] == 1)
        #expect(try await visitor.exchange("passd.whoami").callbacks == [])
    }

    @Test(arguments: losses) func `a call that waits for the service is refused, and its result is dropped`(
        _ loss: Loss
    ) async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.app()
        household.backend.hold("authorize")
        let asked = household.backend.calls.elements.count
        try await visitor.send(
            "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"getAuthorization\",\"params\":{\"resource\":\"R\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"getAuthorization\",\"params\":{\"resource\":\"S\"}}")
        try await household.backend.calls.wait(for: asked + 2)
        await household.reload(loss.apps)
        for id in ["a", "b"] {
            let answer = try await visitor.next()
            #expect(answer?["id"] == .string(id))
            #expect(answer?["error"]?["data"]?["code"] == "DENIED")
        }
        #expect(household.log.text.split(separator: "\n").count { $0.contains("policy denied a call") } == 2)
        household.backend.release("authorize")
        #expect(try await visitor.exchange("passd.whoami").callbacks == [])
        #expect(await household.server.router.counts.denied == 2)
    }

    @Test func `a requestor whose setup is pending is not set`() async throws {
        let household = try await Household()
        let (visitor, admin) = (try await household.connect(), try await household.connect(.admin))
        household.backend.hold("prepare")
        try await visitor.send(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"setRequestor\",\"params\":{\"requestorID\":\"NEWS24\"}}")
        try await household.backend.calls.wait(for: 1)
        await household.reload([])
        #expect(try await visitor.next()?["error"]?["data"]?["code"] == "DENIED")
        household.backend.release("prepare")
        #expect(try await visitor.exchange("checkAuthentication").heard == [])
        let sessions = try await admin.call("passd.sessions")["sessions"]?.array
        #expect(sessions?.contains { $0["requestorID"] != nil } == false)
    }

    @Test func `events about others are no longer sent`() async throws {
        let household = try await Household { $0.offersAll() }
        let (visitor, other) = (try await household.app(), try await household.app("NEWS24", .admin))
        await household.reload([])
        try await other.call("getAuthentication")
        try await other.call("setSelectedProvider", ["providerID": "M1"])
        await household.usesCode()
        #expect(try await other.hear("setAuthenticationStatus")["status"] == 1)
        try await other.call("logout")
        #expect(try await visitor.exchange("passd.whoami").callbacks == [])
    }

    @Test func `calls that are still allowed continue, and a capability that returns starts again`() async throws {
        let household = try await Household(apps: [.sample("a", ["NEWS24"]), .sample("b", ["SPORT"])])
        let (news, sport) = (try await household.app("NEWS24"), try await household.app("SPORT"))
        let watcher = try await household.connect(.admin)
        try await watcher.call("passd.subscribe", ["types": ["session.opened", "session.closed"]])
        try await news.call("setOptions", ["callbacks": false])
        await household.reload([.sample("b", ["SPORT"])])
        #expect(
            try await watcher.hear("event")["data"]
                == ["session": 1, "reason": "policy no longer allows its requestor"])
        #expect(try await watcher.hear("event")["data"]?["session"] == 4)
        #expect(try await sport.exchange("checkAuthentication").fault == nil)
        #expect(try await news.exchange("checkAuthentication").fault == "DENIED")
        await household.reload([.sample("a", ["NEWS24"]), .sample("b", ["SPORT"])])
        #expect(try await news.exchange("checkAuthentication").fault == "REQUESTOR_NOT_SET")
        #expect(try await news.exchange("setRequestor", ["requestorID": "NEWS24"]).heard == [])
        try await news.leave()
        #expect(try await watcher.hear("event")["data"]?["session"] == 4)
    }
}

extension Household {
    fileprivate func reload(_ apps: [AppStanza]) { apply(Policy(stanzas: apps, ownUser: 1)) }
}
