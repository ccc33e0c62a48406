// Tests that the viewer's metadata are read again after an authorization that may have changed them.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import AccessEnabler

@Suite("ruling 27; rest-v2.md §8, §9") @EngineActor struct MetadataReadingTests {
    private nonisolated static let read = "profiles NEWS24 M1"

    /// From the first read after the login on, the service's profile has `household`.
    private static func signedIn(household: Bool) async throws -> (Stage, Session) {
        let stage = try await Stage {
            $0.isLoggedIn("NEWS24")
            $0.authorize = { .success(Sample.permit($0)) }
        }
        let app = try await stage.app("A", "NEWS24")
        var profile = Sample.profile()
        profile.attributes["householdID"] = .init(value: .string("h1"), isEncrypted: false)
        if household { stage.backend.script { $0.isLoggedIn("NEWS24", profile: profile) } }
        return (stage, app)
    }

    private static func reads(_ stage: Stage) -> Int { stage.backend.calls.elements.filter { $0 == read }.count }

    /// Plays the resource, and then sends a call. Every read of metadata begins before the call's answer.
    private static func play(_ resource: String, _ app: Session, _ stage: Stage) async throws {
        _ = try await app.getAuthorization(.init(resource: resource))
        _ = try await app.listProviders(.init(includeTempPass: true))
    }

    @Test func `ruling 27: metadata that a provider sends only after an authorization is read after the play`()
        async throws
    {
        let (stage, app) = try await Self.signedIn(household: true)
        stage.backend.hold(Self.read)
        try await Self.play("film", app, stage)
        try await stage.hear("⇄ \(Self.read)")
        let early = try await app.getMetadata(.userMetadata(name: "householdID"))
        #expect(early.metadata == .null, "the play did not wait for the metadata")
        stage.backend.release(Self.read)
        await eventually {
            await (try? app.getMetadata(.userMetadata(name: "householdID")))?.metadata == "h1"
        }
    }

    @Test func `ruling 27: each new authorization causes one read, a repeated one none`()
        async throws
    {
        let (stage, app) = try await Self.signedIn(household: true)
        for _ in 0..<3 { try await Self.play("film", app, stage) }
        try await stage.hear("⇄ \(Self.read)")
        await eventually {
            await (try? app.getMetadata(.userMetadata(name: "householdID")))?.metadata == "h1"
        }
        #expect(Self.reads(stage) == 1)
        try await Self.play("news", app, stage)
        try await stage.backend.calls.wait { $0.filter { $0 == Self.read }.count == 2 }
    }

    @Test func `ruling 27: no read follows a denial, a degraded permit or a permit without date`() async throws {
        let (stage, app) = try await Self.signedIn(household: true)
        let answers: [@Sendable (ResourceID) -> ServiceDecision] = [
            { .init(resource: $0, isAuthorized: false, source: .mvpd) },
            { resource in
                var permit = Sample.permit(resource)
                permit.source = .degradation
                return permit
            },
            { resource in
                var permit = Sample.permit(resource)
                permit.notAfter = nil
                return permit
            },
        ]
        for answer in answers {
            stage.backend.script { $0.authorize = { .success(answer($0)) } }
            try await Self.play("film", app, stage)
        }
        #expect(Self.reads(stage) == 0)
    }

    @Test func `ruling 46: metadata in a decision are available at once, survive a restart, and need no read`()
        async throws
    {
        let (stage, app) = try await Self.signedIn(household: false)
        stage.backend.script {
            $0.authorize = { resource in
                var permit = Sample.permit(resource)
                permit.metadata = [
                    "householdID": .init(value: .string("h2"), isEncrypted: false),
                    "packageType": .init(value: .string("c2VhbGVk"), isEncrypted: true),
                    "userID": .init(value: .string("somebody else"), isEncrypted: false),
                ]
                return .success(permit)
            }
        }
        let user = try await app.getMetadata(.userMetadata(name: "userID")).metadata
        let answer = try await app.checkAuthorization(.init(resource: "film"))
        #expect(answer.metadata?["householdID"] == "h2")
        let package = try await app.getMetadata(.userMetadata(name: "packageType"))
        #expect(package.metadata == "c2VhbGVk" && package.encrypted == true)
        #expect(
            try await app.getMetadata(.userMetadata(name: "userID")).metadata == user,
            "the user ID comes from the login")
        try await Self.play("film", app, stage)
        #expect(Self.reads(stage) == 0)
        stage.clock.advance(by: .seconds(5))
        await eventually {
            stage.vault.contents.profiles.values.contains { $0.attributes["householdID"]?.value == .string("h2") }
        }
        // An answer about the login without the value keeps the value.
        var profile = Sample.profile()
        profile.attributes["zip"] = .init(value: .string("1"), isEncrypted: false)
        stage.backend.script { [profile] in $0.isLoggedIn("NEWS24", profile: profile) }
        stage.clock.advance(by: .seconds(61))
        let later = try await stage.app("A", "NEWS24")
        await eventually { stage.vault.contents.profiles.values.contains { $0.attributes["zip"] != nil } }
        #expect(try await later.getMetadata(.userMetadata(name: "householdID")).metadata == "h2")
    }

    @Test func `ruling 46: metadata over the limits are ignored, and the play continues`() async throws {
        let (stage, app) = try await Self.signedIn(household: false)
        stage.backend.script {
            $0.authorize = { resource in
                var permit = Sample.permit(resource)
                permit.metadata["householdID"] = .init(
                    value: .string(String(repeating: "x", count: ValueLimits.bytes)), isEncrypted: false)
                return .success(permit)
            }
        }
        let answer = try await app.checkAuthorization(.init(resource: "film"))
        #expect(answer.metadata == nil && answer.json["authorized"] == true)
        #expect(try await app.getMetadata(.userMetadata(name: "householdID")).metadata == .null)
    }

    struct Step: Sendable {
        enum Event: Sendable { case authorized, ended(hasNews: Bool?) }
        let event: Event
        let reads: Bool
        let after: MetadataReading

        init(_ event: Event, reads: Bool, _ after: MetadataReading) {
            self.event = event
            self.reads = reads
            self.after = after
        }
    }

    @Test(arguments: [
        [
            Step(.authorized, reads: true, .underWay(isOutdated: false)),
            Step(.ended(hasNews: false), reads: false, .settled), Step(.authorized, reads: false, .settled),
        ],
        [
            Step(.authorized, reads: true, .underWay(isOutdated: false)),
            Step(.authorized, reads: false, .underWay(isOutdated: true)),
            Step(.authorized, reads: false, .underWay(isOutdated: true)),
            Step(.ended(hasNews: false), reads: true, .underWay(isOutdated: false)),
            Step(.ended(hasNews: true), reads: false, .changing),
            Step(.authorized, reads: true, .underWay(isOutdated: false)),
        ],
        [
            Step(.authorized, reads: true, .underWay(isOutdated: false)),
            Step(.ended(hasNews: nil), reads: false, .open),
            Step(.authorized, reads: true, .underWay(isOutdated: false)),
        ],
        [Step(.ended(hasNews: true), reads: false, .open)],
    ]) func `ruling 27: a login with unchanged metadata is not read again`(steps: [Step]) {
        var reading = MetadataReading.open
        for step in steps {
            let reads =
                switch step.event {
                case .authorized: reading.authorized()
                case .ended(let hasNews): reading.ended(hasNews: hasNews)
                }
            #expect(reads == step.reads && reading == step.after)
        }
    }
}
