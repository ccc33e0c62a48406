// Tests the claims of the web gateway: when the daemon trusts them, and their effects. docs/decisions/0021.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct WebAppTests {
    private static let kiosk: UInt32 = 4_000_100
    private static let origin = "https://news24.example"
    private static let claim: JSONValue = ["origin": .string(origin), "uid": .int(kiosk)]

    /// A rule that makes this process the gateway, and nothing else.
    private static let gateway = AllowRule(text: "user:\(geteuid())", conditions: [.user(geteuid())])

    private static func stanza(_ name: String = "news24", _ requestors: [String] = ["NEWS24"]) throws -> AppStanza {
        var stanza = AppStanza.sample(name, requestors)
        stanza.allow = [AllowRule(text: "web", conditions: [.user(kiosk), .origin(try WebOrigin(origin))])]
        return stanza
    }

    private func household(sessionsPerUser: Int? = nil, gateway: AllowRule? = gateway) async throws -> Household {
        try await Household(apps: [try Self.stanza()], sessionsPerUser: sessionsPerUser, gateway: gateway)
    }

    @Test func `a web app has the identity from the gateway, and uses its requestor`() async throws {
        let household = try await household()
        let app = try await household.connect()
        try await app.call("passd.speakFor", Self.claim)
        let answer = try await app.call("passd.whoami")
        #expect(answer["identity"]?["uid"]?.int64 == Int64(Self.kiosk))
        #expect(answer["identity"]?["origin"]?.string == Self.origin && answer["identity"]?["app"] == "news24")
        #expect(answer["identity"]?["pid"] == 0)
        _ = try await app.call("setRequestor", ["requestorID": "NEWS24"])
        let other = try await app.exchange("setRequestor", ["requestorID": "SPORT"])
        #expect(other.fault == "DENIED")
    }

    @Test func `the gateway's facts about the browser are used`() async throws {
        var stanza = try Self.stanza()
        stanza.allow = [
            AllowRule(
                text: "web",
                conditions: [.user(Self.kiosk), .unit("kiosk.service"), .origin(try WebOrigin(Self.origin))])
        ]
        let household = try await Household(apps: [stanza], gateway: Self.gateway)
        let unseen = try await household.connect()
        #expect(try await unseen.exchange("passd.speakFor", Self.claim).fault == "DENIED")
        let app = try await household.connect()
        try await app.call(
            "passd.speakFor",
            ["origin": .string(Self.origin), "uid": .int(Self.kiosk), "pid": 4242, "unit": "kiosk.service"])
        #expect(try await app.call("passd.whoami")["identity"]?["pid"] == 4242)
    }

    @Test func `no other peer's claim is accepted, and the journal names the peer`() async throws {
        let stranger = AllowRule(text: "other", conditions: [.user(Self.kiosk), .unit("passd-web.service")])
        for gateway in [nil, stranger] {
            let household = try await household(gateway: gateway)
            let peer = try await household.connect()
            #expect(try await peer.exchange("passd.speakFor", Self.claim).fault == "DENIED")
            let identity = try await peer.call("passd.whoami")["identity"]
            #expect(identity?["uid"]?.int64 == Int64(geteuid()) && identity?["origin"] == nil)
            await eventually { household.log.text.contains(Self.origin) }
            #expect(!household.log.text.contains("origin=\(Self.origin)"), "the origin is logged only as a claim")
        }
    }

    @Test func `on a developer's daemon, a page that is not admitted is told the option for it`() async throws {
        let household = try await Household(apps: [try Self.stanza()], isForDevelopers: true, gateway: Self.gateway)
        let claim: JSONValue = ["origin": "http://localhost:5173", "uid": .int(Self.kiosk)]
        let error = try await household.connect().exchange("passd.speakFor", claim).answer["error"]
        let remedy = error?["data"]?["remedy"]?.string ?? ""
        #expect(remedy.contains("Start it with --web http://localhost:5173 to accept this page."))
    }

    @Test func `a refused claim has a remedy`() async throws {
        let (closed, open) = (try await household(gateway: nil), try await household())
        let (unknown, late, stranger) = (try await closed.connect(), try await open.connect(), try await open.connect())
        try await late.call("passd.whoami")
        let other: JSONValue = ["origin": "https://other.example", "uid": .int(Self.kiosk)]
        for (peer, claim, words) in [
            (unknown, Self.claim, "web-gateway"), (late, Self.claim, "passd.speakFor first"),
            (stranger, other, "[app] stanza"),
        ] {
            let remedy = try await peer.exchange("passd.speakFor", claim).answer["error"]?["data"]?["remedy"]?.string
            #expect(remedy?.contains(words) == true, "\(String(describing: remedy))")
        }
    }

    @Test func `an operator's socket accepts no claim`() async throws {
        let household = try await household()
        let peer = try await household.connect(.admin)
        #expect(try await peer.exchange("passd.speakFor", Self.claim).fault == "DENIED")
    }

    @Test func `the socket of an app in a container accepts no claim`() async throws {
        let household = try await household()
        let peer = try await household.connect(through: "news24")
        #expect(try await peer.exchange("passd.speakFor", Self.claim).fault == "DENIED")
    }

    @Test func `a second claim is denied, and the first claim stays`() async throws {
        let household = try await household()
        let app = try await household.connect()
        try await app.call("passd.speakFor", Self.claim)
        let second: JSONValue = ["origin": "https://other.example", "uid": 0]
        #expect(try await app.exchange("passd.speakFor", second).fault == "DENIED")
        #expect(try await app.call("passd.whoami")["identity"]?["origin"]?.string == Self.origin)
    }

    @Test func `a claim must come first`() async throws {
        let household = try await household()
        let late = try await household.connect()
        try await late.call("passd.whoami")
        #expect(try await late.exchange("passd.speakFor", Self.claim).fault == "DENIED")
    }

    @Test func `without a claim the gateway itself has no rights`() async throws {
        let household = try await household()
        let peer = try await household.connect()
        #expect(try await peer.exchange("setRequestor", ["requestorID": "NEWS24"]).fault == "DENIED")
    }

    private static let wrong: [(JSONValue, String)] = [
        (["origin": "https://other.example", "uid": 4_000_100], "DENIED"),
        (["origin": "https://news24.example", "uid": 4_000_101], "DENIED"),
        (["origin": "https://news24.example/", "uid": 4_000_100], "INVALID_PARAMS"),
        (["origin": "null", "uid": 4_000_100], "INVALID_PARAMS"),
        (["origin": "file://", "uid": 4_000_100], "INVALID_PARAMS"),
        (["origin": "https://news24.example", "uid": 4_294_967_295], "INVALID_PARAMS"),
        (["origin": "https://news24.example"], "INVALID_PARAMS"), (["uid": 4_000_100], "INVALID_PARAMS"),
    ]

    @Test(arguments: wrong)
    func `a claim with an invalid origin, or one without a stanza, uses no session`(
        claim: JSONValue, fault: String
    ) async throws {
        let household = try await household()
        let app = try await household.connect()
        #expect(try await app.exchange("passd.speakFor", claim).fault == fault)
        #expect(try await app.exchange("setRequestor", ["requestorID": "NEWS24"]).fault == "DENIED")
        #expect(await household.server.quotas.sessions(of: Self.kiosk, on: .api) == 0)
        guard fault == "DENIED", let origin = claim["origin"]?.string else { return }
        await eventually { household.log.text.contains("origin=\(origin) ") }
    }

    @Test func `sessions of web apps count for the browser's user`() async throws {
        let household = try await household(sessionsPerUser: 2)
        var apps: [Visitor] = []
        for _ in 0..<2 {
            let app = try await household.connect()
            try await app.call("passd.speakFor", Self.claim)
            apps.append(app)
        }
        #expect(await household.server.quotas.sessions(of: geteuid(), on: .api) == 0)
        let third = try await household.connect()
        #expect(try await third.exchange("passd.speakFor", Self.claim).fault == "LIMIT")
        try await apps[0].leave()
        await eventually { await household.server.quotas.sessions(of: Self.kiosk, on: .api) == 1 }
        let fourth = try await household.connect()
        try await fourth.call("passd.speakFor", Self.claim)
    }

    @Test func `operators see the origin and the user, and the first event names the web app`() async throws {
        let household = try await household()
        let watcher = try await household.connect(.admin)
        try await watcher.call("passd.subscribe", ["types": ["session.opened", "session.closed"]])
        let app = try await household.connect()
        try await app.call("passd.speakFor", Self.claim)
        let event = try await watcher.hear("event")
        #expect(event["data"]?["identity"]?["origin"]?.string == Self.origin, "\(event)")
        let sessions = try await watcher.call("passd.sessions")["sessions"]?.array ?? []
        #expect(sessions.contains { $0["identity"]?["origin"]?.string == Self.origin })
    }

    @Test func `a peer that could be the gateway is announced with its first call, and its end too`() async throws {
        let household = try await household()
        let watcher = try await household.connect(.admin)
        try await watcher.call("passd.subscribe", ["types": ["session.opened", "session.closed"]])
        let program = try await household.connect()
        for _ in 0..<2 { try await program.call("passd.whoami") }
        let opened = try await watcher.hear("event")["data"]
        #expect(opened?["session"] != nil && opened?["identity"]?["origin"] == nil, "\(String(describing: opened))")
        try await program.leave()
        #expect(try await watcher.hear("event")["data"]?["session"] == opened?["session"])
    }

    @Test func `if a reload takes rights from an origin, connected clients lose them too`() async throws {
        let household = try await household()
        let app = try await household.connect()
        try await app.call("passd.speakFor", Self.claim)
        try await app.call("setRequestor", ["requestorID": "NEWS24"])
        await household.apply(Policy(stanzas: [.sample(user: Self.kiosk)], ownUser: 1, gateway: Self.gateway))
        #expect(try await app.exchange("checkAuthentication").fault == "DENIED")
    }

    @Test func `after a restart a web app keeps its identity, if the gateway is still trusted`() async throws {
        for gateway in [Self.gateway, nil] {
            let first = try await household()
            let app = try await first.connect()
            try await app.call("passd.speakFor", Self.claim)
            try await app.call("setRequestor", ["requestorID": "NEWS24"])
            let second = try await household(gateway: gateway)
            await second.logsIn()
            try await restart(first, into: second)
            guard gateway != nil else {
                #expect(try await app.next() == nil, "the app is disconnected, and must connect again")
                continue
            }
            let identity = try await app.call("passd.whoami")["identity"]
            #expect(identity?["uid"]?.int64 == Int64(Self.kiosk) && identity?["origin"]?.string == Self.origin)
            #expect(try await app.exchange("checkAuthentication").fault == nil)
            #expect(try await app.exchange("passd.speakFor", Self.claim).fault == "DENIED", "the claim was made before")
            #expect(await second.server.quotas.sessions(of: Self.kiosk, on: .api) == 1)
        }
    }

    @Test func `a restart opens one session of a web app, not two`() async throws {
        let first = try await household()
        let app = try await first.connect()
        try await app.call("passd.speakFor", Self.claim)
        let second = try await household()
        let watcher = try await second.connect(.admin)
        try await watcher.call("passd.subscribe", ["types": ["session.opened"]])
        try await restart(first, into: second)
        try await app.call("passd.whoami")
        let other = try await second.connect()
        try await other.call("passd.speakFor", Self.claim)
        // The next message is about the other app.
        let (opened, next) = (try await watcher.hear("event"), try await watcher.hear("event"))
        #expect(opened["data"]?["session"] != next["data"]?["session"], "\(opened) \(next)")
    }

    private func restart(_ first: Household, into second: Household) async throws {
        let keeper = Keeper()
        try await first.awaitRest(of: 1)
        #expect(await first.handOver(keeper).count == 1)
        for (descriptor, client) in keeper.takeAll() { await second.restore(client, on: descriptor) }
    }
}
