// Tests logins by the box's own TV account: the messages to apps, and the requests to the platform and the service.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §17: the platform's TV account") @EngineActor struct PlatformTests {
    nonisolated private static let beacon = PartnerSignOnTests.beacon
    nonisolated private static let harbour = PartnerSignOnTests.harbour
    nonisolated static let signedIn = PlatformAccount(
        providerID: "beacon-11", expires: ServerTime(milliseconds: 1_803_340_861_000))
    nonisolated static let profile = Sample.profile(beacon.id, .appleSSO)

    static func stage(
        _ platform: @escaping (inout FakePlatform.Script) -> Void = { _ in },
        _ service: @escaping (inout FakeBackend.Script) -> Void = { _ in }
    ) async throws -> (Stage, FakePlatform) {
        let trace = Recorder<String>()
        let fake = FakePlatform(told: { trace.append("▣ \($0)") }, platform)
        let stage = try await Stage(
            {
                $0.offersLogin()
                $0.providers = .success(Sample.providers + [beacon, harbour])
                $0.partnerRequest = .success(.forward(PartnerRequest(verificationToken: [7], attributes: ["uid"])))
                $0.exchange = .success(profile)
                service(&$0)
            }, platform: fake, trace: trace)
        return (stage, fake)
    }

    static func proving(_ script: inout FakePlatform.Script) {
        script.account = .success(signedIn)
        script.proof = .success(PlatformAccount(samlResponse: Secret("<r/>")))
    }

    // MARK: setRequestor, §17.3

    @Test func `a viewer with a platform account is signed in after the app's setRequestor`() async throws {
        let (stage, platform) = try await Self.stage(Self.proving)
        _ = try await stage.app("A", "NEWS24")
        #expect(
            stage.lines() == [
                "⇄ prepare NEWS24", "▣ permission A", "▣ account", "⇄ profiles NEWS24 all", "⇄ providers NEWS24",
                "⇄ partnerRequest NEWS24 Beacon granted beacon-11", "▣ forward uid",
                "⇄ exchange NEWS24 Beacon granted beacon-11", "A ← setRequestorComplete 1",
            ])
        #expect(platform.queries.elements.map(\.verificationToken) == [nil, [7]])
        #expect(platform.queries.elements.allSatisfy { !$0.mayInterrupt })
        #expect(stage.vault.contents.profiles.count == 1)
    }

    @Test func `an expired login is restored silently while the platform's account is valid`() async throws {
        let (stage, _) = try await Self.stage(Self.proving) {
            $0.exchange = .success(Sample.profile(Self.beacon.id, .appleSSO, ends: 1_795_565_000_000))
        }
        let app = try await stage.app("A", "NEWS24")
        stage.clock.advance(by: .seconds(3600))
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated, saying: .signInAgain))
        stage.backend.script { $0.exchange = .success(Self.profile) }
        let answer = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(answer.authenticated)
    }

    @Test func `if the permission ends, a login from the platform ends, and the app's other sessions are told`()
        async throws
    {
        let (stage, platform) = try await Self.stage(Self.proving)
        let app = try await stage.app("A", "NEWS24")
        let other = stage.connect("A2")
        stage.backend.script { $0.isLoggedIn("NEWS24", profile: Self.profile) }
        _ = try await other.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        platform.script { $0.permission = .success(.denied) }
        let mark = stage.mark
        _ = try await other.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(stage.lines(since: mark).contains { $0.hasPrefix("A ← setAuthenticationStatus 0") })
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated, saying: .signInAgain))
        #expect(try await other.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
    }

    // MARK: getAuthentication, §17.5

    struct Picker: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let permission: PlatformPermission
        let picker: Result<PlatformAccount, PlatformFault>
        /// The lines from the request to the platform until the end of the call.
        let lines: [String]

        init(
            _ text: String, permission: PlatformPermission = .granted,
            _ picker: Result<PlatformAccount, PlatformFault>, _ lines: [String]
        ) {
            testDescription = text
            self.permission = permission
            self.picker = picker
            self.lines = lines
        }
    }

    nonisolated private static let ours = "A ← displayProviderDialog M1,M2,Beacon,Harbour"
    nonisolated private static let shown = [
        "▣ permission A asking", "▣ account", "▣ picker beacon-11,harbour-2", "A ← presentTvProviderDialog",
        "A ← dismissTvProviderDialog",
    ]

    @Test(arguments: [
        Picker("denied", permission: .denied, .failure(.cancelled), ["▣ permission A asking", "A ~ VSA403", ours]),
        Picker(
            "not decided", permission: .notDetermined, .failure(.cancelled),
            ["▣ permission A asking", "A ~ VSA404", ours]),
        Picker(
            "the framework fails", .failure(.failed(code: "7", message: "out of order")), shown + ["A ~ VSA503", ours]),
        Picker("the helper dies", .failure(.unavailable("it died")), shown + ["A ~ VSA503", ours]),
        Picker("another TV provider", .failure(.otherProvider), shown + ["A ~ N003", ours]),
        Picker("a provider that is not supported", .failure(.unsupportedProvider("x")), shown + ["A ~ N004", ours]),
        Picker("the picker is closed", .failure(.cancelled), shown + ["A ~ N005", ours]),
        Picker(
            "not onboarded, so our picker is not shown", .failure(.unsupportedProvider("harbour-2")),
            shown + ["A ← tracking Harbour,unknown,linux,Linux", "⇄ beginLogin NEWS24 Harbour", "A ~ REGCODE K7Q2M4X"]),
        Picker(
            "all conditions are met", .success(signedIn),
            shown + [
                "⇄ partnerRequest NEWS24 Beacon granted beacon-11", "▣ forward uid",
                "⇄ exchange NEWS24 Beacon granted beacon-11", "A ← setAuthenticationStatus 1 ",
                "A ← tracking true,Beacon,md5(u1),false",
            ]),
    ]) func `the platform's picker comes before ours, and falls back to it`(
        _ row: Picker
    ) async throws {
        let (stage, platform) = try await Self.stage()
        let app = try await stage.app("A", "NEWS24")
        platform.script {
            $0.permission = .success(row.permission)
            $0.picker = row.picker
            $0.proof = .success(PlatformAccount(samlResponse: Secret("<r/>")))
        }
        let mark = stage.mark
        // The call is answered before the platform's picker closes.
        _ = try await app.getAuthentication(.init())
        try await stage.hear(try #require(row.lines.last), since: mark)
        #expect(stage.lines(since: mark) == ["⇄ providers NEWS24"] + row.lines)
    }

    @Test func `a failed exchange ends the sign-on and opens our picker`() async throws {
        let (stage, _) = try await Self.stage(Self.proving) { $0.exchange = .failure(BackendFault(.serverError(500))) }
        let app = try await stage.app("A", "NEWS24")
        let mark = stage.mark
        guard case .selectProvider = try await app.getAuthentication(.init()) else {
            Issue.record("our picker is not shown")
            return
        }
        #expect(stage.lines(since: mark).suffix(2) == ["A ~ VSA503", Self.ours])
    }

    @Test func `a remembered provider comes before the platform`() async throws {
        // OQ-5: a viewer who has used another way will use it again.
        let (stage, _) = try await Self.stage()
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        let mark = stage.mark
        _ = try await app.getAuthentication(.init())
        #expect(!stage.lines(since: mark).contains { $0.hasPrefix("▣") })
    }

    @Test func `a cancel closes the platform's picker`() async throws {
        let (stage, platform) = try await Self.stage()
        let app = try await stage.app("A", "NEWS24")
        platform.script { $0.pickerStays = true }
        guard case .platformDialog = try await app.getAuthentication(.init()) else {
            Issue.record("the platform's picker is not up")
            return
        }
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        try await stage.hear("A ← dismissTvProviderDialog")
        #expect(!stage.lines().contains(Self.ours))
        #expect(stage.lines().contains("A ~ N005"))
    }

    @Test func `an authorization continues after the platform's sign-on`() async throws {
        let (stage, platform) = try await Self.stage {
            Self.proving(&$0)
            $0.account = .success(PlatformAccount())
            $0.picker = .success(Self.signedIn)
        } _: {
            $0.authorize = { .success(Sample.permit($0)) }
        }
        _ = platform
        let app = try await stage.app("A", "NEWS24")
        guard case .pending(_, .platformDialog) = try await app.getAuthorization(.init(resource: "film")) else {
            Issue.record("the platform's picker is not up")
            return
        }
        try await stage.hear("A ← setToken t1 film")
    }

    // MARK: logout, §17.8

    @Test(arguments: [(Profile.Kind.appleSSO, true), (.regular, false)])
    func `only a viewer who signed in through the platform is sent to its settings`(
        kind: Profile.Kind, isSent: Bool
    ) async throws {
        let (stage, _) = try await Self.stage {
            $0.account = .success(Self.signedIn)
        } _: {
            $0.isLoggedIn("NEWS24", profile: Sample.profile(Self.beacon.id, kind))
        }
        let app = try await stage.app("A", "NEWS24")
        let mark = stage.mark
        let answer = try await app.logout()
        #expect(stage.lines(since: mark).contains("A ~ VSA203") == isSent)
        #expect(answer.actions.map(\.action) == [isSent ? .platformSettings : .none])
    }
}
