// Tests apps that come through a socket of their own: who they are, what they share, and that a restart changes neither.
// docs/decisions/0023.

import AccessEnabler
import Glibc
import PassJSON
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer

@Suite("ruling 55") struct ContainerTests {
    private static func stanza(_ name: String, _ requestor: String) -> AppStanza {
        var stanza = AppStanza.sample(name, [requestor])
        stanza.allow = [AllowRule(text: "socket:\(name)", conditions: [.socket(name)])]
        return stanza
    }

    private static let apps = [stanza("news24", "NEWS24"), stanza("sport", "SPORT")]

    private static func identity(_ visitor: Visitor) async throws -> [String?] {
        let identity = try await visitor.call("passd.whoami")["identity"]
        return [identity?["app"]?.string, identity?["socket"]?.string]
    }

    @Test func `two apps of one user are told apart by their sockets`() async throws {
        let household = try await Household(apps: Self.apps)
        for (app, own, other) in [("news24", "NEWS24", "SPORT"), ("sport", "SPORT", "NEWS24")] {
            let visitor = try await household.connect(through: app)
            #expect(try await Self.identity(visitor) == [app, app])
            #expect(try await visitor.exchange("setRequestor", ["requestorID": .string(own)]).fault == nil)
            #expect(try await visitor.exchange("setRequestor", ["requestorID": .string(other)]).fault == "DENIED")
            #expect(try await visitor.exchange("passd.status").fault == "METHOD_NOT_FOUND")
        }
        let third = try await household.connect()
        #expect(try await Self.identity(third) == [nil, nil])
        #expect(try await third.exchange("setRequestor", ["requestorID": "NEWS24"]).fault == "DENIED")
    }

    @Test func `the sockets of one user's apps have limits of their own`() async throws {
        let household = try await Household(apps: Self.apps, sessionsPerUser: 1)
        let first = try await household.connect(through: "news24")
        try await first.call("passd.whoami")
        let second = try await household.connect(through: "news24")
        #expect(try await second.next()?["error"]?["data"]?["code"] == "LIMIT")
        try await (try await household.connect(through: "sport")).call("passd.whoami")
    }

    @Test func `after a restart a kept client has the same app`() async throws {
        let (first, second) = (try await Household(apps: Self.apps), try await Household(apps: Self.apps))
        let visitor = try await first.connect(through: "sport")
        try await visitor.call("setRequestor", ["requestorID": "SPORT"])
        let keeper = Keeper()
        try await first.awaitRest(of: 1)
        await first.handOver(keeper)
        for (descriptor, client) in keeper.takeAll() { await second.restore(client, on: descriptor) }
        #expect(try await Self.identity(visitor) == ["sport", "sport"])
    }

    @Test func `without its rule a connected app loses its rights`() async throws {
        let household = try await Household(apps: Self.apps)
        let visitor = try await household.connect(through: "sport")
        try await visitor.call("setRequestor", ["requestorID": "SPORT"])
        await household.apply(Policy(stanzas: [Self.apps[0]], ownUser: geteuid()))
        #expect(try await visitor.exchange("checkAuthentication").fault == "DENIED")
    }
}
