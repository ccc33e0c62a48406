// Tests how long platform sign-on may delay an app's setup, what prevents platform sign-on, and when its logins end.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §17.3, §17.7: the platform during setRequestor, and its end") @EngineActor
struct PlatformTimeTests {
    @Test func `ruling 34, 38: late tokens do not delay setRequestor, and are used once they arrive`()
        async throws
    {
        let (stage, platform) = try await PlatformTests.stage({
            $0.permission = .success(.denied)
            $0.tokensStay = true
        })
        let app = stage.connect("A")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        let end = stage.clock.boot.advanced(by: .milliseconds(1500))
        try await stage.clock.settings.wait { $0.contains(end) }
        #expect(!stage.lines().contains("⇄ profiles NEWS24 all"))
        stage.clock.advance(by: .milliseconds(1500))
        #expect(try await !setup.value.authenticated)
        let mark = stage.mark
        stage.backend.script { $0.isLoggedIn("NEWS24") }
        platform.script { $0.tokensStay = false }
        try await stage.hear("A ← setAuthenticationStatus 1  reason=sso", since: mark)
        #expect(app.isIn)
    }

    struct Setup: Sendable {
        let permission: Result<PlatformPermission, PlatformFault>
        let atSetup: [String]
        let atCheck: [String]
    }

    @Test(arguments: [
        Setup(permission: .success(.denied), atSetup: ["A ~ VSA403"], atCheck: ["A ~ VSA403"]),
        Setup(permission: .success(.notDetermined), atSetup: ["A ~ VSA404"], atCheck: ["A ~ VSA404"]),
        Setup(permission: .success(.restricted), atSetup: [], atCheck: []),
        Setup(
            permission: .failure(.unavailable("it died")), atSetup: ["A ~ AAPL"], atCheck: ["A ~ AAPL_ERROR"]),
    ]) func `each obstacle to platform sign-on has its code, and nothing else fails`(_ setup: Setup) async throws {
        let (stage, _) = try await PlatformTests.stage { $0.permission = setup.permission }
        let app = try await stage.app("A", "NEWS24")
        #expect(
            stage.lines()
                == ["⇄ prepare NEWS24", "▣ permission A", "⇄ profiles NEWS24 all"] + setup.atSetup
                + ["A ← setRequestorComplete 1"])
        let mark = stage.mark
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
        #expect(
            stage.lines(since: mark) == [
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR", "A ← tracking false,,,",
            ] + setup.atCheck + ["A ~ N000"])
    }

    @Test func `ruling 38: a late proof does not delay the app, and still signs the viewer in`() async throws {
        let (stage, platform) = try await PlatformTests.stage {
            PlatformTests.proving(&$0)
            $0.proofStays = true
        }
        let app = stage.connect("A")
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("▣ forward uid")
        stage.clock.advance(by: stage.engine.settings.platformDeadline)
        #expect(try await !setup.value.authenticated)
        platform.script { $0.proofStays = false }
        try await stage.hear("A ← setAuthenticationStatus 1  reason=sso")
        #expect(app.isIn)
    }

    enum Hang: CaseIterable, Sendable { case permission, proof, silentPicker }

    @Test(arguments: Hang.allCases)
    func `ruling 51: our picker replaces the dialog of a platform that shows nothing and does not answer`(
        hang: Hang
    ) async throws {
        let (stage, platform) = try await PlatformTests.stage()
        let app = try await stage.app("A", "NEWS24")
        platform.script {
            $0.permissionStays = hang == .permission
            $0.proofStays = hang == .proof
            $0.pickerStays = hang == .silentPicker
            $0.picksWithoutDialog = hang == .silentPicker
            if hang == .proof { $0.account = .success(PlatformTests.signedIn) }
        }
        let (mark, arrival) = (stage.mark, stage.clock.boot)
        let call = Task { try await app.getAuthentication(.init()) }
        let question = ["▣ permission A asking", "▣ forward uid", "▣ picker beacon-11,harbour-2"]
        try await stage.trace.wait { $0.dropFirst(mark).contains { question.contains($0) } }
        if hang != .permission { try await stage.hear(question[hang == .proof ? 1 : 2], since: mark) }
        stage.clock.advance(by: stage.engine.settings.platformLoginDeadline)
        guard case .selectProvider = try await call.value else {
            Issue.record("our picker is not shown")
            return
        }
        #expect(arrival.duration(to: stage.clock.boot) < .seconds(5))
        try await stage.hear("A ~ VSA503", since: mark)
        // The withdrawn request has no later effect.
        await stage.rest()
        #expect(stage.lines(since: mark).count { $0.contains("displayProviderDialog") } == 1)
    }

    @Test func `ruling 51: nothing closes the platform's dialog while it waits for the viewer`() async throws {
        let (stage, platform) = try await PlatformTests.stage()
        let app = try await stage.app("A", "NEWS24")
        platform.script { $0.pickerStays = true }
        let mark = stage.mark
        guard case .platformDialog = try await app.getAuthentication(.init()) else {
            Issue.record("the platform's picker is not up")
            return
        }
        stage.clock.advance(by: .seconds(60))
        await stage.rest()
        #expect(!stage.lines(since: mark).contains { $0.contains("displayProviderDialog") })
        _ = try await app.setSelectedProvider(.init(providerID: nil))
    }

    @Test func `without a TV account the platform is not asked`() async throws {
        let stage = try await Stage()
        _ = try await stage.app("A", "NEWS24")
        #expect(stage.lines() == ["⇄ prepare NEWS24", "⇄ profiles NEWS24 all", "A ← setRequestorComplete 1"])
    }

    @Test func `an existing login needs no sign-on while the platform's account is valid`() async throws {
        let (stage, _) = try await PlatformTests.stage {
            $0.account = .success(PlatformTests.signedIn)
        } _: {
            $0.isLoggedIn("NEWS24", profile: PlatformTests.profile)
        }
        let app = try await stage.app("A", "NEWS24")
        #expect(app.isIn && !stage.lines().contains { $0.hasPrefix("⇄ partnerRequest") })
    }

    @Test(
        arguments: [
            .success(PlatformAccount()),
            .success(PlatformAccount(providerID: "beacon-11", expires: ServerTime(milliseconds: 1_795_564_700_000))),
            .failure(.unavailable("it died")),
        ] as [Result<PlatformAccount, PlatformFault>])
    func `ruling 28, §17.7: a login from the platform ends with the platform's account, regardless of the service`(
        account: Result<PlatformAccount, PlatformFault>
    ) async throws {
        let (stage, platform) = try await PlatformTests.stage {
            $0.account = .success(PlatformTests.signedIn)
        } _: {
            $0.isLoggedIn("NEWS24", profile: PlatformTests.profile)
        }
        let app = try await stage.app("A", "NEWS24")
        let twin = try await stage.app("B", "NEWS24")
        #expect(app.isIn && twin.isIn)
        platform.script { $0.account = account }
        let mark = stage.mark
        stage.clock.advance(by: .seconds(301))
        let decision = try await app.checkAuthorization(.init(resource: "film"))
        // A crash of the helper does not mean that the account has ended.
        let isKept = if case .failure = account { true } else { false }
        let isPast = if case .success(let account) = account { account.providerID != nil } else { false }
        if case .refused(.userNotAuthenticated, _, _) = decision.outcome { #expect(!isKept) } else { #expect(isKept) }
        #expect(app.isIn == isKept)
        // The status for the service stays until the platform reports another status.
        #expect(
            (stage.engine.context.partnerStatus[AppID(rawValue: "A")]?.providerID == "beacon-11") == (isKept || isPast))
        try await stage.setAgain(app)
        #expect(app.isIn == isKept, "the service still knows the login")
        #expect(
            stage.lines(since: mark).contains(
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=\(isPast ? "expired" : "logout")")
                != isKept)
    }

    @Test(arguments: [false, true])
    func `ruling 28, 42: the expiry of the platform's account is reported at that time, unless the account was renewed`(
        isRenewed: Bool
    ) async throws {
        func account(until seconds: Int64) -> Result<PlatformAccount, PlatformFault> {
            let ends = ServerTime(milliseconds: 1_795_564_800_000 + seconds * 1000)
            return .success(PlatformAccount(providerID: "beacon-11", expires: ends))
        }
        let (stage, platform) = try await PlatformTests.stage {
            $0.account = account(until: 60)
        } _: {
            $0.isLoggedIn("NEWS24", profile: PlatformTests.profile)
        }
        let app = try await stage.app("A", "NEWS24")
        #expect(app.isIn)
        if isRenewed { platform.script { $0.account = account(until: 7200) } }
        let mark = stage.mark
        stage.clock.advance(by: .seconds(60))
        if isRenewed {
            try await stage.hear("▣ account", since: mark)
            await stage.rest()
            #expect(app.isIn && !stage.lines(since: mark).contains { $0.contains("setAuthenticationStatus") })
        } else {
            try await stage.hear(
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=expired", since: mark)
            #expect(!app.isIn)
        }
        // The platform is asked only once.
        let asked = stage.lines().count { $0 == "▣ account" }
        stage.clock.advance(by: .seconds(3000))
        await stage.rest()
        #expect(stage.lines().count { $0 == "▣ account" } == asked)
    }
}
