// Tests that apps and operators get all times by the box's own clock, even if the service's clock differs.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("ruling 52: one clock on the socket") @EngineActor struct BoxClockTests {
    nonisolated private static let service: Int64 = 1_795_564_800_000

    /// A box whose date is this far ahead of the service's date. It knows the difference from two answers.
    private static func scene(ahead: Int64) async throws -> (Stage, Session) {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("NEWS24")
            $0.authorize = { .success(Sample.permit($0)) }
        }
        stage.clock.setDate(service + ahead)
        for _ in 0..<2 { stage.engine.learn(ServerTime(milliseconds: service)) }
        return (stage, try await stage.app("A", "NEWS24"))
    }

    nonisolated static let differences: [Int64] = [0, 360_000, -360_000, 34_560_000_000, -34_560_000_000]

    @Test(arguments: differences)
    func `every expiry is on the box's clock`(ahead: Int64) async throws {
        let (stage, app) = try await Self.scene(ahead: ahead)
        let (login, begin) = (Sample.profile().notAfter.milliseconds, Sample.profile().notBefore.milliseconds)
        #expect(try await app.checkAuthentication().json["expires"]?.int64 == login + ahead)
        let play = try await app.checkAuthorization(.init(resource: "film"))
        #expect(play.json["expires"]?.int64 == 1_795_565_220_000 + ahead)
        let profiles = try await app.listProfiles().profiles
        #expect(profiles.map(\.notAfter) == [login + ahead] && profiles.map(\.notBefore) == [begin + ahead])
        #expect(try await app.getMetadata(.authentication).metadata.string == String(login + ahead))
        let end = try await app.getMetadata(.authorization(resource: "film")).metadata
        #expect(end.string == String(1_795_651_200_000 + ahead))
        for logins in [stage.engine.inventory, stage.engine.currentLogins] {
            #expect(logins.map { stage.engine.boxDate($0.value.notAfter) } == [login + ahead])
        }
    }

    @Test(arguments: differences.prefix(3))
    func `a code counts down on the box's clock, also for operators`(ahead: Int64) async throws {
        let (stage, app) = try await Self.scene(ahead: ahead)
        var opened: [Int64] = []
        stage.engine.observe { event in if case .loginOpened(let expires) = event.kind { opened.append(expires) } }
        _ = try await app.getAuthentication(.init(force: true))
        let answer = try await app.setSelectedProvider(.init(providerID: "M1"))
        let end = Sample.login().notAfter.milliseconds + ahead
        #expect(answer.json["expires"]?.int64 == end && opened == [end])
    }

    @Test func `after the box's date is set, the next answer uses the new date, before the service has answered`()
        async throws
    {
        let (stage, app) = try await Self.scene(ahead: 360_000)
        stage.clock.setDate(Self.service)
        let login = Sample.profile().notAfter.milliseconds
        #expect(try await app.checkAuthentication().json["expires"]?.int64 == login)
    }
}
