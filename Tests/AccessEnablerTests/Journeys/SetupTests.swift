// Tests `setRequestor`: failures, repetitions, and the effects of a broken vault or a wrong clock.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §6, §10; architecture §5") @EngineActor struct SetupTests {
    nonisolated static let faults: [(BackendFault.Kind, SDKStatus)] = [
        (.registrationRefused("invalid_software_statement"), .R400), (.tokenRefused, .R401), (.unreachable, .CFG404),
        (.throttled, .CFG429), (.serverError(503), SDKStatus(rawValue: "CFG503")), (.insecure, .SEC420),
        (.unusableAnswer, SDKStatus(rawValue: "CFG502")), (.deadline, .CFG404),
        (
            .refused(.init(status: 400, code: "invalid_parameter_service_provider", actionName: "none")), .CFG400
        ),
    ]

    @Test(arguments: faults)
    func `§6.1: each failure has its code, and the queued calls fail with it`(
        _ kind: BackendFault.Kind, _ status: SDKStatus
    ) async throws {
        let stage = try await Stage { $0.prepare = .failure(BackendFault(kind)) }
        stage.backend.hold("prepare")
        let app = stage.connect("A")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ prepare NEWS24")
        let queued = Task { try await app.checkAuthorization(.init(resource: "film")) }
        await Task.yield()
        stage.backend.release("prepare")
        let error = await #expect(throws: RPCError.self) { try await setup.value }
        #expect(error?.name == .unanswered(status))
        let other = await #expect(throws: RPCError.self) { try await queued.value }
        #expect(other?.name == .unanswered(status))
        #expect(
            stage.lines().filter { $0 != "⇄ prepare NEWS24" } == [
                "A ~ \(status.rawValue)", "A ← setRequestorComplete 0",
                "A ← tokenRequestFailed film GENERIC_AUTHORIZATION_ERROR ''",
            ])
    }

    @Test func `an empty requestor and an app without a statement are refused without a request`() async throws {
        let stage = try await Stage()
        let app = stage.connect("A")
        let empty = await #expect(throws: RPCError.self) {
            try await app.setRequestor(.init(requestorID: ""), Stage.grant("A"))
        }
        #expect(empty?.name == .unanswered(.CFG400))
        let bare = await #expect(throws: RPCError.self) {
            try await app.setRequestor(
                .init(requestorID: "NEWS24"), .init(app: AppID(rawValue: "A"), statement: nil))
        }
        #expect(bare?.name == .unanswered(.R400))
        #expect(stage.lines().filter { $0.hasPrefix("⇄") }.isEmpty)
    }

    @Test func `OQ-2: a repeated call during the setup joins it`() async throws {
        let stage = try await Stage()
        stage.backend.hold("prepare")
        let app = stage.connect("A")
        let both = (0..<2).map { _ in
            Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        }
        try await stage.hear("⇄ prepare NEWS24")
        await Task.yield()
        stage.backend.release("prepare")
        for task in both { #expect(try await task.value.requestorID == "NEWS24") }
        #expect(stage.lines().filter { $0 == "⇄ prepare NEWS24" }.count == 1)
        #expect(stage.lines().filter { $0 == "A ← setRequestorComplete 1" }.count == 2)
    }

    @Test func `§7.7a: another requestor ends the open login, the same requestor keeps it`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(stage.vault.contents.openLogins.count == 1)
        let mark = stage.mark
        _ = try await app.setRequestor(.init(requestorID: "SUMMIT"), Stage.grant("A"))
        #expect(stage.lines(since: mark).contains("A ← setAuthenticationStatus 0 PROVIDER_NOT_SELECTED_ERROR"))
        #expect(stage.vault.contents.openLogins.isEmpty)
    }

    @Test func `a call before any setup fails with its own callback`() async throws {
        let stage = try await Stage()
        let app = stage.connect("A")
        for call in [
            { _ = try await app.checkAuthentication() }, { _ = try await app.getAuthentication(.init()) },
            { _ = try await app.getAuthorization(.init(resource: "r")) },
            { _ = try await app.checkPreauthorizedResources(.init(resources: ["r"])) },
            { _ = try await app.getMetadata(.authentication) }, { _ = try await app.logout() },
            { _ = try app.getSelectedProvider() },
        ] as [@EngineActor () async throws -> Void] {
            let error = await #expect(throws: RPCError.self) { try await call() }
            #expect(error?.name == .requestorNotSet)
        }
        #expect(
            stage.lines() == [
                "A ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR",
                "A ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR",
                "A ← tokenRequestFailed r GENERIC_AUTHORIZATION_ERROR ''", "A ~ P100", "A ← preauthorizedResources ",
                "A ← setMetadataStatus null",
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout",
                "A ← selectedProvider null New User",
            ])
    }

    @Test func `callbacks can be switched off, but answers still come`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        let app = stage.connect("A")
        var options = SetOptions.Params()
        options.callbacks = false
        _ = app.setOptions(options)
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        _ = try await app.checkAuthentication()
        #expect(stage.lines().allSatisfy { $0.hasPrefix("⇄") })
    }

    @Test func `if the vault refuses all changes, only durability is lost, and the vault gets the changes later`()
        async throws
    {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
        }
        stage.vault.breakDown(VaultFault(.full, "no space"))
        let app = try await stage.app("A", "NEWS24")
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
        #expect(stage.engine.memory.unsavedCount == 2)
        #expect(stage.engine.memory.fault?.kind == .full)
        stage.vault.breakDown(nil)
        _ = try await app.getAuthentication(.init(force: true))
        _ = try await app.setSelectedProvider(.init(providerID: "M2"))
        #expect(stage.engine.memory.unsavedCount == 0 && stage.vault.contents.profiles.count == 1)
        #expect(stage.vault.contents.openLogins.count == 1)
    }

    @Test func `§10: an unreadable identity is not treated as a changed identity`() async throws {
        let stage = try await Stage()
        #expect(stage.vault.contents.device?.rawValue == String(repeating: "d1", count: 32))
        var lost = FakeIdentity()
        lost.outcome = .failure(DeviceIdentityFault("no machine id"))
        let again = try await Stage(vault: stage.vault, identity: lost)
        #expect(again.engine.device == stage.engine.device && again.engine.identityProblem != nil)
        await #expect(throws: DeviceIdentityFault.self) { _ = try await Stage(identity: lost) }
    }

    @Test func `trace 9: on another device the logins are gone, and the app gets SEC412 once`() async throws {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        _ = try await stage.app("A", "NEWS24")
        let moved = try await Stage(vault: stage.vault, identity: FakeIdentity("other"))
        #expect(moved.engine.device.rawValue == "other" && moved.engine.identityProblem != nil)
        let app = try await moved.app("A", "NEWS24")
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
        #expect(
            moved.lines().prefix(3) == ["⇄ prepare NEWS24", "A ~ SEC412", "⇄ profiles NEWS24 M1"])
        _ = try await moved.app("B", "NEWS24")
        #expect(!moved.lines().contains("B ~ SEC412"))
        // The provider is remembered, but the picker is still shown.
        #expect(moved.vault.contents.selections.values.first?.canAuthenticate == false)
    }

    @Test func `architecture §3: a box that starts with the date 1970 keeps its login, and reports CFG100`()
        async throws
    {
        let stage = try await Stage { $0.isLoggedIn("NEWS24") }
        stage.clock.setDate(0)
        stage.engine.learn(ServerTime(milliseconds: 1_795_564_800_000))
        let app = try await stage.app("A", "NEWS24")
        #expect(stage.lines().contains("A ~ CFG100"))
        #expect(try await app.checkAuthentication() != .notAuthenticated(.userNotAuthenticated))
        for _ in 0..<2 { stage.engine.learn(ServerTime(milliseconds: 1_803_340_861_000)) }
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated, saying: .signInAgain))
    }
}
