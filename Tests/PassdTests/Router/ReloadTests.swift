// Tests the effect of a reload on connected clients: their rights, who is a stranger, and who may observe. The limits
// of a connection do not change.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("operations.md §2: a reload") struct ReloadTests {
    private static let nobody = AppStanza.sample(user: 4_000_000)

    @Test func `rights are given and taken from one call to the next`() async throws {
        let household = try await Household(apps: [Self.nobody])
        let visitor = try await household.connect()
        #expect(try await visitor.exchange("setRequestor", ["requestorID": "NEWS24"]).fault == "DENIED")
        await household.reload([.sample()])
        try await visitor.call("setRequestor", ["requestorID": "NEWS24"])
        #expect(try await visitor.call("passd.whoami")["requestors"] == ["NEWS24"])
        await household.reload([.sample("kodi", ["SPORT"], may: [.entitlement])])
        #expect(try await visitor.exchange("checkAuthentication").fault == "DENIED")
        #expect(try await visitor.call("passd.whoami")["identity"]?["app"] == "kodi")
        #expect(try await visitor.exchange("passd.subscribe").fault == "DENIED")
        try await visitor.call("setRequestor", ["requestorID": "SPORT"])
        await household.reload([])
        #expect(try await visitor.call("passd.hello")["identity"]?["app"] == nil)
        #expect(try await visitor.exchange("checkAuthentication").fault == "DENIED")
    }

    @Test func `operators see the current apps`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        try await visitor.call("passd.hello")
        let admin = try await household.connect(.admin)
        for name in ["kodi", "lumen"] {
            await household.reload([.sample(name)])
            let sessions = try await admin.call("passd.sessions")["sessions"]?.array
            #expect(sessions?.first?["identity"]?["app"] == .string(name))
        }
    }

    @Test func `a peer that is several apps counts as the app with its requestor, and before that as the first app`()
        async throws
    {
        let household = try await Household(apps: [.sample(), .sample("kodi", ["SPORT"])])
        let (visitor, admin) = (try await household.connect(), try await household.connect(.admin))
        func names() async throws -> [JSONValue?] {
            let sessions = try await admin.call("passd.sessions")["sessions"]?.array
            return [
                sessions?.first?["identity"]?["app"], try await visitor.call("passd.whoami")["identity"]?["app"],
                try await visitor.call("passd.hello")["identity"]?["app"],
            ]
        }
        #expect(try await names() == ["kodi", "kodi", "kodi"])
        try await visitor.call("setRequestor", ["requestorID": "NEWS24"])
        #expect(try await names() == ["news24", "news24", "news24"])
        try await visitor.call("setRequestor", ["requestorID": "SPORT"])
        #expect(try await names() == ["kodi", "kodi", "kodi"])
        // An app that lists the requestor but may not use it does not count.
        await household.reload([
            .sample(), .sample("kodi", ["SPORT"]), .sample("a", ["SPORT"], may: [.observe]),
        ])
        #expect(try await names() == ["kodi", "kodi", "kodi"])
    }

    @Test func `for a nearly correct method name, apps get a suggestion, but strangers do not`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        for (apps, isTold) in [([AppStanza.sample()], true), ([Self.nobody], false), ([.sample()], true)] {
            await household.reload(apps)
            let error = try await visitor.exchange("getAuthorisation").answer["error"]
            #expect(error?["data"]?["code"] == "METHOD_NOT_FOUND")
            #expect(error?["data"]?["remedy"]?.string?.contains("getAuthorization") == isTold)
        }
    }

    @Test func `a client that may no longer observe is disconnected, and other clients continue`() async throws {
        let household = try await Household()
        let (watcher, app, admin) = (
            try await household.connect(), try await household.connect(), try await household.connect(.admin)
        )
        try await watcher.call("passd.subscribe", ["types": ["configuration"]])
        try await admin.call("passd.subscribe", ["types": ["session.closed"]])
        await household.reload([.sample("other", ["SPORT"])])
        try await watcher.call("passd.whoami")
        await household.reload([.sample(may: [.entitlement])])
        #expect(try await watcher.next() == nil)
        #expect(
            try await admin.hear("event")["data"]?["reason"] == "policy no longer lets it receive events")
        try await app.call("setRequestor", ["requestorID": "NEWS24"])
    }

    @Test func `a new message size and its memory limit apply to new connections`() async throws {
        let household = try await Household(messageSize: 400)
        let (before, long) = (try await household.connect(), String(repeating: " ", count: 500))
        try await before.call("passd.hello")
        await household.reload([.sample()], messageSize: 8 << 20)
        let after = try await household.connect()
        try await after.send(long + "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"passd.whoami\"}")
        #expect(try await after.next()?["id"] == 1)
        #expect(await household.room == 96 << 20)
        try await before.send(long + "{}")
        #expect(try await before.next()?["error"]?["data"]?["limit"] == 400)
        // A client that connected with the larger size keeps its memory.
        await household.reload([.sample()], messageSize: 400)
        #expect(await household.room == 96 << 20)
        let limited = try await household.connect()
        try await limited.send(long + "{}")
        #expect(try await limited.next()?["error"]?["data"]?["limit"] == 400)
    }

    @Test func `the memory limit rises with the message size at once, and falls when a user connects again`()
        async throws
    {
        let quotas = await Quotas(messageSize: 1 << 20)
        let (first, second) = (ConnectionOwner.user(1), ConnectionOwner.user(2))
        #expect(await quotas.limit(first) == 48 << 20)
        await quotas.become(8 << 20)
        #expect(await quotas.limit(first) == 96 << 20)
        #expect(await quotas.limit(.strangers) == 16 << 20)
        #expect(await quotas.totalLimit == 192 << 20)
        await quotas.become(1 << 20)
        #expect(await quotas.limit(first) == 96 << 20)
        #expect(await quotas.limit(second) == 48 << 20)
        #expect(await quotas.totalLimit == 192 << 20)
    }
}

extension Household {
    fileprivate func reload(_ apps: [AppStanza], messageSize: Int? = nil) {
        apply(Policy(stanzas: apps, ownUser: 1), messageSize: messageSize)
    }

    /// The memory that this user's connections may keep.
    fileprivate var room: Int { server.quotas.limit(.user(geteuid())) }
}

extension Quotas {
    fileprivate func limit(_ owner: ConnectionOwner) -> Int { account(of: owner).limit }
    fileprivate var totalLimit: Int { total.limit }
    fileprivate func become(_ messageSize: Int) { self.messageSize = messageSize }
}
