// Tests what a home screen sees and does, and the rights of every method. rpc.md §6.

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

@Suite("rpc.md §6: the household") struct HouseholdTests {
    /// A box with two apps and a home screen. All are processes of this user, so the requestor tells the apps apart.
    private static func box(
        vault: FakeVault = FakeVault(), _ script: @Sendable (inout FakeBackend.Script) -> Void = { $0.offersAll() }
    ) async throws -> Household {
        var news = AppStanza.sample("news24", may: [.entitlement])
        news.title = "News 24"
        return try await Household(
            apps: [
                news, .sample("sport-app", ["SPORT"], may: [.entitlement]),
                .sample("home", [], may: [.household, .observe]),
            ], vault: vault, script)
    }

    private static func profile(ending end: Int64 = 1_803_340_861_000, since: Int64 = 1_795_564_000_000) -> Profile {
        var profile = Sample.profile
        (profile.notBefore, profile.notAfter) = (ServerTime(milliseconds: since), ServerTime(milliseconds: end))
        return profile
    }

    @Test func `nobody is signed in at first`() async throws {
        let home = try await Self.box().connect()
        #expect(try await home.call("passd.household") == ["signedIn": false, "logins": [], "openCodes": []])
        #expect(try await home.call("passd.subscribe")["snapshot"]?["signedIn"] == false)
        #expect(try await home.call("passd.signOut") == ["forgotten": 0])
    }

    @Test func `a login shows its provider, its times and its apps, and nothing else`() async throws {
        let household = try await Self.box()
        let home = try await household.connect()
        let news = try await household.app()
        try await news.call("getAuthentication")
        try await news.call("setSelectedProvider", ["providerID": "M1"])
        await household.usesCode()
        _ = try await news.hear("setAuthenticationStatus")
        await household.clock.advance(by: .seconds(60))
        try await news.call("getAuthorization", ["resource": "secret-film"])
        let now = household.clock.wall.milliseconds
        let answer = try await home.call("passd.household")
        #expect(
            answer == [
                "signedIn": true,
                "logins": [
                    [
                        "provider": ["id": "M1", "displayName": "North", "logoURL": "https://north.test/logo.png"],
                        "kind": "regular", "since": 1_795_564_000_000, "until": 1_803_340_861_000,
                        "apps": [["name": "news24", "title": "News 24", "lastUsed": .int(now)]],
                    ]
                ], "openCodes": [],
            ])
        for secret in Sample.secrets + ["NEWS24", "secret-film"] { #expect(!answer.text.contains(secret)) }
        #expect(try await home.call("passd.subscribe")["snapshot"]?["signedIn"] == true)
        // Questions that only read do not count as use, because the daemon may repeat their answers.
        await household.clock.advance(by: .seconds(60))
        try await news.call("checkAuthentication")
        #expect(try await home.call("passd.household") == answer)
    }

    @Test func `logins of several apps with one provider are one entry, until the first of them ends`() async throws {
        let household = try await Self.box()
        let home = try await household.connect()
        household.backend.script {
            $0.profiles[Sample.news] = .success([Self.profile(since: 1_795_563_000_000)])
            $0.profiles[Sample.sport] = .success([Self.profile(ending: 1_800_000_000_000)])
        }
        let (news, sport) = (try await household.app("NEWS24"), try await household.app("SPORT"))
        try await news.call("checkAuthorization", ["resource": "R"])
        await household.clock.advance(by: .seconds(1))
        try await sport.call("checkAuthorization", ["resource": "R"])
        // A start is no use.
        await household.clock.advance(by: .seconds(1))
        _ = try await household.app("NEWS24")
        let logins = try await home.call("passd.household")["logins"]
        #expect(logins?.array?.count == 1)
        let login = logins?.array?.first
        #expect(login?["since"] == 1_795_563_000_000 && login?["until"] == 1_800_000_000_000)
        #expect(login?["apps"]?.array?.map { $0["name"] } == ["sport-app", "news24"], "the last used app comes first")
        #expect(login?["apps"]?.array?.first?["title"] == nil)
    }

    @Test func `after a restart, the times of use are unknown`() async throws {
        let vault = FakeVault()
        let former = try await Self.box(vault: vault)
        await former.logsIn()
        _ = try await former.app()
        let home = try await Self.box(vault: FakeVault(vault.contents)).connect()
        let apps = try await home.call("passd.household")["logins"]?.array?.first?["apps"]
        #expect(apps == [["name": "news24", "title": "News 24"]])
    }

    @Test func `an open code shows its app and its end, but not the code or the link`() async throws {
        let household = try await Self.box()
        let home = try await household.connect()
        let news = try await household.app()
        try await news.call("getAuthentication")
        let code = try await news.call("setSelectedProvider", ["providerID": "M1"])
        let answer = try await home.call("passd.household")
        #expect(
            answer == [
                "signedIn": false, "logins": [],
                "openCodes": [["app": "news24", "title": "News 24", "expires": code["expires"] ?? .null]],
            ])
        for secret in Sample.secrets + ["service.test"] { #expect(!answer.text.contains(secret)) }
    }

    @Test func `a sign-out ends all logins, the apps and the service hear it, and the journal has the home screen`()
        async throws
    {
        let household = try await Self.box()
        await household.logsIn()
        household.backend.script { $0.profiles[Sample.sport] = .success([Sample.profile]) }
        let (news, sport) = (try await household.app(), try await household.app("SPORT"))
        let home = try await household.connect()
        #expect(try await home.call("passd.signOut") == ["forgotten": 2])
        for app in [news, sport] {
            let status = try await app.hear("setAuthenticationStatus")
            #expect(status["status"] == 0 && status["reason"] == "logout")
            #expect(status["displayCode"] == "signedOutElsewhere")
        }
        #expect(household.log.text.split(separator: "\n").count { $0.contains("reason=logout by=home") } == 2)
        #expect(household.backend.calls.elements.count { $0.hasPrefix("logout") } == 2)
        #expect(try await home.call("passd.household")["signedIn"] == false)
    }

    @Test func `an observer hears who signed the viewer out`() async throws {
        let household = try await Self.box()
        await household.logsIn()
        _ = try await household.app()
        let (watcher, home) = (try await household.connect(), try await household.connect())
        try await watcher.call("passd.subscribe", ["types": ["authentication"]])
        try await home.call("passd.signOut")
        let event = try await watcher.hear("event")
        #expect(event["data"]?["authenticated"] == false && event["data"]?["by"] == "home")
        #expect(event["data"]?["reason"] == "logout")
    }

    @Test func `a sign-out counts the logouts that the service has not accepted`() async throws {
        let household = try await Self.box {
            $0.offersAll()
            $0.logout = .failure(BackendFault(.serverError(503)))
        }
        await household.logsIn()
        _ = try await household.app()
        #expect(try await household.connect().call("passd.signOut") == ["forgotten": 1, "untold": 1])
    }

    @Test func `access-enabler.md §17.8: a sign-out names the providers of the TV account that stays signed in`()
        async throws
    {
        let household = try await Self.box {
            $0.offersAll()
            var profile = Sample.profile
            profile.kind = .appleSSO
            $0.profiles[Sample.news] = .success([profile])
            $0.profiles[Sample.sport] = .success([Sample.profile])
        }
        _ = (try await household.app(), try await household.app("SPORT"))
        // No app has asked for the list of providers, so passd knows only the provider's ID.
        #expect(try await household.connect().call("passd.signOut") == ["forgotten": 2, "onPlatform": ["M1"]])
    }

    @Test func `an app with open codes for two requestors is named once`() async throws {
        let household = try await Household(
            apps: [
                .sample("lumen", ["NEWS24", "SPORT"], may: [.entitlement]), .sample("home", [], may: [.household]),
            ]
        ) { $0.offersAll() }
        for requestor in ["NEWS24", "SPORT"] {
            let app = try await household.app(requestor)
            try await app.call("getAuthentication")
            try await app.call("setSelectedProvider", ["providerID": "M1"])
        }
        let codes = try await household.connect().call("passd.household")["openCodes"]?.array
        #expect(codes?.count == 1 && codes?.first?["app"] == "lumen")
    }

    @Test func `ruling 50: a sign-out ends the codes that no app shows, and no other code`() async throws {
        let household = try await Self.box()
        let home = try await household.connect()
        let news = try await household.app()
        try await news.call("getAuthentication")
        try await news.call("setSelectedProvider", ["providerID": "M1"])
        try await home.call("passd.signOut")
        #expect(try await home.call("passd.household")["openCodes"]?.array?.count == 1)
        try await home.call("passd.subscribe", ["types": ["session.closed"]])
        try await news.leave()
        _ = try await home.hear("event")
        try await home.call("passd.signOut")
        #expect(try await home.call("passd.household")["openCodes"] == [])
    }

    @Test func `an observer hears of a login that expires while its app is not connected`() async throws {
        let vault = FakeVault()
        let former = try await Self.box(vault: vault)
        await former.logsIn()
        _ = try await former.app()
        let household = try await Self.box(vault: FakeVault(vault.contents))
        let home = try await household.connect()
        #expect(try await home.call("passd.subscribe")["snapshot"]?["signedIn"] == true)
        // The alarm for the end is at most an hour away, because the date may be corrected.
        household.clock.setDate(Sample.profile.end.milliseconds)
        await household.clock.advance(by: .seconds(3600))
        let event = try await home.hear("event")
        #expect(event["type"] == "authentication" && event["data"]?["reason"] == "expired")
        #expect(try await home.call("passd.household")["signedIn"] == false)
    }

    @Test func `an app without the right is denied, and the journal says why`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        for method in ["passd.household", "passd.signOut"] {
            #expect(try await visitor.exchange(method).fault == "DENIED")
            let line = household.log.text.split(separator: "\n").last ?? ""
            #expect(line.contains("method=\(method)"), "\(line)")
            #expect(line.contains("does not list household"), "\(line)")
        }
    }

    @Test func `a new title is in force after a reload, also in the journal and in decisions`() async throws {
        let household = try await Self.box()
        await household.logsIn()
        let (news, home) = (try await household.app(), try await household.connect())
        try await news.call("getAuthorization", ["resource": "R"])
        #expect(household.log.text.contains("app=news24 app_title=\"News 24\""), "\(household.log.text)")
        var stanzas = await household.server.router.policy.stanzas
        for index in stanzas.indices where stanzas[index].name == "news24" { stanzas[index].title = "Nachrichten 24" }
        await household.apply(Policy(stanzas: stanzas, ownUser: geteuid()))
        let apps = try await home.call("passd.household")["logins"]?.array?.first?["apps"]?.array
        #expect(apps?.first?["title"] == "Nachrichten 24")
        let decisions = try await household.connect(.admin).call("passd.decisions", ["about": "R"])["decisions"]
        #expect(decisions?.array?.first?["title"] == "Nachrichten 24")
    }
}

@Suite("rpc.md §1, §2: the rights of every method") struct RightsTests {
    /// A peer: with a stanza that gives these rights, without a stanza (nil), or an operator at the admin socket.
    struct Peer: Sendable, CustomTestStringConvertible {
        var rights: Set<Capability>?
        var socket = SocketKind.api
        var testDescription: String {
            socket == .admin ? "operator" : rights.map { "may = \($0.map(\.rawValue).sorted())" } ?? "stranger"
        }
    }

    nonisolated static let rights = Capability.allCases.filter { $0 != .admin }
    nonisolated static let peers =
        [Peer(rights: nil), Peer(rights: []), Peer(rights: Set(rights)), Peer(rights: [], socket: .admin)]
        + rights.map { Peer(rights: [$0]) }

    @Test(arguments: peers) func `every method is allowed or denied as the table says`(_ peer: Peer) async throws {
        let stanzas = peer.rights.map { [AppStanza.sample(may: $0)] } ?? []
        for method in MethodTable.all.map({ $0.definition }) {
            // Each call has its own box, because some calls end logins or replace the store.
            let household = try await Household(apps: stanzas) { $0.offersAll() }
            let visitor = try await household.connect(peer.socket)
            let fault = try await visitor.exchange(method.name, method.example.params).fault
            let isLogged = household.log.text.contains("method=\(method.name)")
            if peer.socket == .api, method.socket == .admin {
                #expect(fault == "METHOD_NOT_FOUND", "\(method.name)")
            } else if peer.socket == .admin || method.capability.map({ peer.rights?.contains($0) == true }) ?? true {
                #expect(fault != "DENIED" && fault != "METHOD_NOT_FOUND", "\(method.name)")
            } else {
                #expect(fault == "DENIED" && isLogged, "\(method.name)")
            }
        }
    }

    @Test(arguments: Capability.allCases) func `every permission has a method`(_ capability: Capability) {
        #expect(MethodTable.all.contains { $0.definition.capability == capability })
    }

    @Test func `a stanza can give every permission except admin (operations.md §2)`() throws {
        for capability in Capability.allCases {
            let loaded = try Workspace().load(
                apps: "[app a]\nrequestors = A\nallow = user:kodi\nmay = \(capability.rawValue)\n")
            #expect(loaded.apps.first?.may == (capability == .admin ? nil : [capability]))
        }
    }
}
