// Tests the owners, the validity, the origins and the removal of tokens.

import PassJSON
import PassProtocol
import PassTestKit
import Synchronization
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §5.2, §9; open-questions.md OQ-12, OQ-16") @EngineActor struct StorageTests {
    /// Returns the given tokens, once for each requestor.
    private final class Importer: TokenImporter {
        let state: Mutex<[ImportedLogin]>
        let asked = Mutex(0)

        init(_ logins: [ImportedLogin]) { state = Mutex(logins) }

        func logins(for requestor: RequestorID) async -> [ImportedLogin] {
            asked.withLock { $0 += 1 }
            return state.withLock { logins in logins.filter { $0.requestor == nil || $0.requestor == requestor } }
        }

        func forget(_ requestors: Set<RequestorID>?) async -> Bool {
            state.withLock { $0 = [] }
            return true
        }
    }

    @Test func `OQ-12: app 1 stays logged in while app 2 logs in with another provider`() async throws {
        let second = ProviderID(rawValue: "M2")
        let stage = try await Stage { $0.offersLogin() }
        // 1, 2: app 1 logs in with MVPD 1.
        let one = try await stage.app("App1", "PROGRAMMER1")
        _ = try await one.getAuthentication(.init())
        _ = try await one.setSelectedProvider(.init(providerID: "M1"))
        stage.backend.script {
            $0.polls = [.success(.done(Sample.profile()))]
            $0.isLoggedIn("PROGRAMMER1")
        }
        try await stage.poll()
        try await stage.hear("App1 ← setAuthenticationStatus 1 ")
        // 3, 4: app 2 is not logged in by that login, because its programmer does not work with MVPD 1.
        let two = try await stage.app("App2", "PROGRAMMER2")
        #expect(try await two.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
        // 5: app 2 logs in with MVPD 2.
        stage.backend.script { $0.beginLogin = .success(.showCode(Sample.login("SECOND", second))) }
        _ = try await two.getAuthentication(.init())
        _ = try await two.setSelectedProvider(.init(providerID: "M2"))
        stage.backend.script {
            $0.polls = [.success(.done(Sample.profile(second)))]
            $0.isLoggedIn("PROGRAMMER2", profile: Sample.profile(second))
        }
        try await stage.poll("SECOND")
        try await stage.hear("App2 ← setAuthenticationStatus 1 ")
        // 6: app 1 is still logged in with its own provider, even after a restart of the app.
        let again = try await stage.app("App1", "PROGRAMMER1")
        #expect(
            try await again.checkAuthentication()
                == .authenticated(provider: "M1", expires: 1_803_340_861_000, type: "regular"))
        #expect(stage.vault.contents.profiles.count == 2)
    }

    @Test func `if an app erases data while the disk is unreadable, they stay erased afterwards`() async throws {
        let former = try await Stage { $0.isLoggedIn("NEWS24", "SUMMIT") }
        _ = try await former.app("A", "NEWS24")
        _ = try await former.app("B", "SUMMIT")
        let found = former.vault.contents
        let vault = FakeVault()
        vault.loseDisk()
        let stage = try await Stage(vault: vault)
        let session = stage.connect("A")
        _ = try await session.setRequestor(.init(requestorID: "NEWS24", storageCheck: .clear), Stage.grant("A"))
        vault.findDisk(found)
        for _ in 0..<1000 where stage.engine.memory.contents.profiles.isEmpty {
            stage.clock.advance(by: .seconds(31))
            for _ in 0..<50 { await EngineActor.turn() }
        }
        #expect(stage.engine.inventory.map(\.key.requestor.rawValue) == ["SUMMIT"] && !session.isIn)
        #expect(stage.engine.memory.contents.tombstones.map(\.requestor.rawValue) == ["NEWS24"])
    }

    @Test func `§9.2: a token is valid until its expiry and not a millisecond longer`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24", profile: Sample.profile(ends: 1_795_564_801_000)) }
        let app = try await stage.app("A", "NEWS24")
        stage.clock.advance(by: .milliseconds(999))
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
        stage.clock.advance(by: .milliseconds(1))
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated, saying: .signInAgain))
    }

    @Test func `OQ-9: after a cancel no viewer is signed in, and a choice of the same provider restores the login`()
        async throws
    {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
        let mark = stage.mark
        #expect(try await app.setSelectedProvider(.init(providerID: "M1")) == .authenticated)
        #expect(!stage.lines(since: mark).contains { $0.hasPrefix("⇄") })
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
    }

    @Test func `ruling 23: a cancel signs out until a later setRequestor finds the viewer signed in`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        for _ in 0..<2 { #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated)) }
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
    }

    @Test func `the app chooses among several logins, and the choice is remembered`() async throws {
        let second = ProviderID(rawValue: "M2")
        let stage = try await Stage {
            $0.profiles[RequestorID(rawValue: "NEWS24")] = .success([
                Sample.profile(), Sample.profile(second, ends: 1_799_000_000_000),
            ])
        }
        let app = try await stage.app("A", "NEWS24")
        #expect(try await app.listProfiles().profiles.map(\.provider) == ["M1", "M2"])
        // The login with the latest expiry counts until the app chooses another login.
        #expect(try await app.getMetadata(.authentication).metadata == "1803340861000")
        _ = try await app.setSelectedProvider(.init(providerID: "M2"))
        let next = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(next.provider == "M2")
        #expect(try await app.listProfiles().profiles.count == 2)
    }

    nonisolated static let checks: [(SetRequestor.StorageCheck, isBroken: Bool, erases: Bool)] = [
        (.none, true, false), (.all, false, false), (.all, true, true), (.clear, false, true),
    ]

    @Test(arguments: checks)
    func `§5.2: the storage check erases the data of the app`(
        _ check: SetRequestor.StorageCheck, _ isBroken: Bool, _ erases: Bool
    ) async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24", "SUMMIT") }
        _ = try await stage.app("A", "NEWS24")
        let other = try await stage.app("B", "SUMMIT")
        if isBroken { stage.vault.breakDown(VaultFault(.broken, "bad")) }
        let app = stage.connect("A2")
        let result = try await app.setRequestor(
            .init(requestorID: "NEWS24", storageCheck: check), Stage.grant("A"))
        #expect(result.authenticated == !erases)
        #expect(try await other.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
    }

    nonisolated static let imports: [(String, ImportedLogin, remembers: Bool)] = [
        ("of this box", token(), true), ("private, of this requestor", token(requestor: "NEWS24"), true),
        ("private, of another one", token(requestor: "OTHER"), false), ("of another box", token(print: "x"), false),
        ("that has ended", token(ends: 1_795_564_799_999), false),
    ]

    private nonisolated static func token(
        requestor: String? = nil, print: String = String(repeating: "d1", count: 32), ends: Int64 = 1_800_000_000_000
    ) -> ImportedLogin {
        ImportedLogin(
            requestor: requestor.map { RequestorID(rawValue: $0) }, provider: ProviderID(rawValue: "M1"),
            expires: ServerTime(milliseconds: ends), fingerprint: print)
    }

    @Test(arguments: imports)
    func `§6.1 item 4: a token of an older layout is imported, and the service decides`(
        _ name: String, _ token: ImportedLogin, _ remembers: Bool
    ) async throws {
        let importer = Importer([token])
        let stage = try await Stage(importer: importer)
        let app = try await stage.app("A", "NEWS24")
        // The service is asked about the imported provider, but knows no login there.
        #expect(stage.lines().contains("⇄ profiles NEWS24 M1") == remembers)
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
        #expect((stage.vault.contents.selections.values.first?.provider.id == Sample.north) == remembers)
        // If the service knows a login, the viewer stays signed in.
        let other = try await Stage({ $0.isLoggedIn("NEWS24") }, importer: Importer([token]))
        #expect(try await other.app("A", "NEWS24").checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
    }

    private static let olderTraits = BackendTraits(
        multipleProfiles: false, cancellableCode: false, headerSignOn: false)

    nonisolated static let lists: [(String, Result<[Provider], BackendFault>, ImportedLogin, isIn: Bool)] = [
        ("on the list", .success(Sample.providers), token(), true),
        ("not on the list", .success([Sample.providers[1]]), token(), false),
        ("no list", .failure(BackendFault(.unreachable)), token(), false),
        ("an empty list", .success([]), token(), false),
        ("one login for each requestor, shared token", .success([Sample.strict]), token(), false),
        ("one login for each requestor, own token", .success([Sample.strict]), token(requestor: "NEWS24"), true),
    ]

    @Test(arguments: lists, [true, false])
    func `§9.2 rules 2 and 4: with resync = off a token counts only if its provider is on the requestor's list`(
        _ row: (name: String, list: Result<[Provider], BackendFault>, token: ImportedLogin, isIn: Bool), isOlder: Bool
    ) async throws {
        let importer = Importer([row.token])
        var settings = EngineSettings()
        settings.resyncs = false
        let traits = isOlder ? Self.olderTraits : FakeBackend.richTraits
        let stage = try await Stage({ $0.providers = row.list }, settings: settings, importer: importer, traits: traits)
        let app = try await stage.app("A", "NEWS24")
        #expect(app.isIn == row.isIn, "\(row.name)")
        #expect(stage.vault.contents.selections.isEmpty == !row.isIn)
        #expect(!stage.lines().contains { $0.hasPrefix("⇄ profiles") })
        // A later list is enough, because no token was imported before.
        guard case .failure = row.list else { return }
        #expect(importer.asked.withLock { $0 } == 0)
        stage.backend.script { $0.providers = .success(Sample.providers) }
        try await stage.setAgain(app)
        #expect(app.isIn)
    }

    @Test(arguments: [true, false])
    func `§9.2 rule 2: if the token's provider is not on the list, no provider is selected, and the picker is shown`(
        isOlder: Bool
    ) async throws {
        let traits = isOlder ? Self.olderTraits : FakeBackend.richTraits
        let stage = try await Stage(
            { $0.providers = .success([Sample.providers[1]]) }, importer: Importer([Self.token()]), traits: traits)
        let app = try await stage.app("A", "NEWS24")
        #expect(!app.isIn)
        guard case .selectProvider = try await app.getAuthentication(.init()) else {
            Issue.record("there is no picker")
            return
        }
    }

    @Test func `rpc.md §5: sessions that share an imported login are told about it`() async throws {
        let importer = Importer([])
        let stage = try await Stage(importer: importer)
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        importer.state.withLock { $0 = [Self.token()] }
        let mark = stage.mark
        let second = stage.connect("A2")
        _ = try await second.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(stage.lines(since: mark).contains("A ← setAuthenticationStatus 1  reason=sso"))
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
    }

    @Test func `OQ-13: a logout also removes the tokens of older layouts`() async throws {
        let importer = Importer([Self.token()])
        let stage = try await Stage({ $0.isLoggedIn("NEWS24") }, importer: importer)
        _ = try await stage.app("A", "NEWS24").logout()
        #expect(await importer.logins(for: RequestorID(rawValue: "NEWS24")).isEmpty)
    }

    @Test func `OQ-13, the other scope: a logout of one requestor keeps the logins of the others`() async throws {
        var settings = EngineSettings()
        settings.logoutScope = .requestor
        let stage = try await Stage({ $0.isLoggedIn("NEWS24", "SUMMIT") }, settings: settings)
        let other = try await stage.app("B", "SUMMIT")
        _ = try await stage.app("A", "NEWS24").logout()
        #expect(try await other.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
    }
}
