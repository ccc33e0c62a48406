// Tests the traces of a login: the call, the exact order of callbacks, and the requests in between.

import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §22, logins") @EngineActor struct LoginTraceTests {
    @Test func `trace 1: a first start finds no login, and sends no request after the setup`() async throws {
        let stage = try await Stage()
        let app = try await stage.app("A", "NEWS24")
        #expect(try await app.checkAuthentication() == .notAuthenticated(.userNotAuthenticated))
        #expect(
            stage.lines() == [
                "⇄ prepare NEWS24", "⇄ profiles NEWS24 all", "A ← setRequestorComplete 1",
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR", "A ← tracking false,,,", "A ~ N000",
            ])
    }

    @Test func `trace 2: picker, choice, code, polls, login`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.script { $0.polls = [.success(.pending), .success(.done(Sample.profile()))] }
        let mark = stage.mark
        #expect(try await app.getAuthentication(.init()) == .selectProvider(Sample.providers.map(\.mvpd)))
        let code = try await app.setSelectedProvider(.init(providerID: "M1"))
        #expect(code == .secondScreen(Sample.login().invitation))
        try await stage.poll()
        try await stage.settled()
        try await stage.poll()
        try await stage.hear("A ← tracking true,M1,md5(u1),false", since: mark)
        #expect(
            stage.lines(since: mark) == [
                "⇄ providers NEWS24", "A ← displayProviderDialog M1,M2", "A ← tracking M1,unknown,linux,Linux",
                "⇄ beginLogin NEWS24 M1", "A ~ REGCODE K7Q2M4X", "⇄ pollLogin K7Q2M4X", "⇄ pollLogin K7Q2M4X",
                "A ← setAuthenticationStatus 1 ", "A ← tracking true,M1,md5(u1),false",
            ])
        #expect(stage.vault.contents.profiles.count == 1)
        #expect(stage.vault.contents.openLogins.isEmpty)
        #expect(stage.vault.contents.selections[RequestorID(rawValue: "NEWS24")]?.canAuthenticate == true)
        #expect(
            try await app.checkAuthentication()
                == .authenticated(provider: "M1", expires: 1_803_340_861_000, type: "regular"))
    }

    @Test func `trace 3: a cancel ends the polls, erases the choice and does not affect other apps`() async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("OTHER")
        }
        _ = try await stage.app("B", "OTHER")
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        let mark = stage.mark
        #expect(try await app.setSelectedProvider(.init(providerID: nil)) == .cancelled)
        #expect(
            stage.lines(since: mark).filter { $0.hasPrefix("A") } == [
                "A ← setAuthenticationStatus 0 PROVIDER_NOT_SELECTED_ERROR", "A ~ N005", "A ← tracking false,,,",
            ])
        stage.clock.advance(by: .seconds(60))
        #expect(!stage.lines().contains { $0.contains("pollLogin") })
        #expect(stage.vault.contents.openLogins.isEmpty)
        #expect(stage.vault.contents.profiles.count == 1)
    }

    @Test func `trace 6: calls wait for the setup and run in their order`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        stage.backend.hold("prepare")
        let app = stage.connect("A")
        // Tasks of one actor start in the order of their creation.
        let setup = Task { try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A")) }
        try await stage.hear("⇄ prepare NEWS24")
        let check = Task { try await app.checkAuthentication() }
        let metadata = Task { try await app.getMetadata(.authentication) }
        let logout = Task { try await app.logout() }
        await Task.yield()
        #expect(stage.lines().count == 1)
        stage.backend.release("prepare")
        _ = try await (setup.value, check.value, metadata.value, logout.value)
        let lines = stage.lines().filter { $0.hasPrefix("A ←") && !$0.contains("tracking") }
        #expect(
            lines == [
                "A ← setRequestorComplete 1", "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR",
                "A ← setMetadataStatus null",
                "A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=logout",
            ])
    }

    @Test func `§7.7, OQ-8: an unused code ends with N130, and the provider stays selected`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        let mark = stage.mark
        // Advances the poller from alarm to alarm until the code has ended.
        while !stage.lines(since: mark).contains("A ~ N130") {
            stage.clock.advance(by: .seconds(10))
            await Task.yield()
        }
        #expect(stage.clock.boot.nanoseconds >= 100_000_000_000 + 1_800_000_000_000)
        try await stage.hear("A ← tracking false,,,", since: mark)
        #expect(stage.lines(since: mark).contains("A ← setAuthenticationStatus 0 GENERIC_AUTHENTICATION_ERROR"))
        #expect(stage.vault.contents.openLogins.isEmpty)
        let chosen = try app.getSelectedProvider()
        #expect(chosen.provider?.id == "M1" && chosen.state == .notAuthenticated)
        #expect(stage.vault.contents.selections.isEmpty, "the choice is the session's own until its login succeeds")
    }

    @Test func `rpc.md §4: another session of the requestor shows the same code, and one poller serves both sessions`()
        async throws
    {
        let stage = try await Stage { $0.offersLogin() }
        let first = try await stage.app("A", "NEWS24")
        _ = try await first.getAuthentication(.init())
        _ = try await first.setSelectedProvider(.init(providerID: "M1"))
        // The second session belongs to the same app, which has the same registration.
        let second = stage.connect("A2")
        _ = try await second.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        #expect(try await second.getAuthentication(.init()) == .secondScreen(Sample.login().invitation))
        // The first session closes, but the code stays valid.
        await first.close()
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.hear("A2 ← setAuthenticationStatus 1 ")
        #expect(stage.lines().filter { $0.contains("beginLogin") }.count == 1)
        #expect(stage.lines().filter { $0.contains("pollLogin") }.count == 1)
    }

    @Test func `ruling 36: a code whose app has disconnected is still polled, and its login counts`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        await app.close()
        #expect(stage.vault.contents.openLogins.count == 1 && !stage.lines().contains { $0.contains("abandonLogin") })
        stage.backend.script { $0.polls = [.success(.done(Sample.profile()))] }
        try await stage.poll()
        try await stage.vault.commits.wait { _ in !stage.vault.contents.profiles.isEmpty }
        let selection = stage.vault.contents.selections.values.first
        #expect(selection?.provider.displayName == "North" && stage.vault.contents.openLogins.isEmpty)
    }

    @Test func `ruling 36: with more than eight codes of disconnected apps, the oldest code is dropped`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        for number in 1...9 {
            var login = Sample.login("CODE\(number)")
            login.notBefore = login.notBefore.advanced(by: .milliseconds(number))
            stage.backend.script { [login] in $0.beginLogin = .success(.showCode(login)) }
            let app = try await stage.app("A\(number)", "R\(number)")
            _ = try await app.getAuthentication(.init())
            _ = try await app.setSelectedProvider(.init(providerID: "M1"))
            await app.close()
        }
        #expect(stage.engine.openLoginKeys.map(\.requestor.rawValue) == (2...9).map { "R\($0)" })
    }

    @Test
    func `ruling 36: after a restart, apps have a minute to show their codes again before the oldest code is dropped`()
        async throws
    {
        let stage = try await Stage { $0.offersLogin() }
        for number in 1...10 {
            var login = Sample.login("CODE\(number)")
            login.notBefore = login.notBefore.advanced(by: .milliseconds(number))
            stage.backend.script { [login] in $0.beginLogin = .success(.showCode(login)) }
            let app = try await stage.app("A\(number)", "R\(number)")
            _ = try await app.getAuthentication(.init())
            _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        }
        stage.engine.stop()
        let next = try await Stage(vault: stage.vault) { $0.offersLogin() }
        let first = try await next.app("A1", "R1")
        #expect(try await first.getAuthentication(.init()) != .authenticated)
        next.clock.advance(by: .seconds(59))
        await next.rest()
        #expect(next.engine.openLoginKeys.count == 10)
        next.clock.advance(by: .seconds(1))
        try await next.hear("⇄ abandonLogin CODE2")
        #expect(next.engine.openLoginKeys.map(\.requestor.rawValue) == ["R1", "R10"] + (3...9).map { "R\($0)" })
    }

    @Test func `an open login survives a restart and completes without a connected app`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        stage.engine.stop()
        await app.close()
        #expect(stage.vault.contents.openLogins.count == 1)

        let next = try await Stage(vault: stage.vault) { $0.polls = [.success(.done(Sample.profile()))] }
        try await next.poll()
        try await next.vault.commits.wait { _ in !next.vault.contents.profiles.isEmpty }
        #expect(next.vault.contents.openLogins.isEmpty)
        next.backend.script { $0.isLoggedIn("NEWS24") }
        let again = try await next.app("A", "NEWS24")
        #expect(try await again.getAuthentication(.init()) == .authenticated)
    }

    @Test func `ruling 42: apps are told when a login expires, and the earliest expiry counts`()
        async throws
    {
        let stage = try await Stage {
            $0.isLoggedIn("NEWS24", profile: Sample.profile(ends: 1_795_564_860_000))
            $0.isLoggedIn("SUMMIT", profile: Sample.profile(ends: 1_795_564_830_000))
        }
        let app = try await stage.app("A", "NEWS24")
        let other = try await stage.app("B", "SUMMIT")
        let end = "setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=expired"
        stage.clock.advance(by: .seconds(30))
        try await stage.hear("B ← \(end)")
        #expect(app.isIn && !other.isIn && !stage.lines().contains("A ← \(end)"))
        // A renewed login has another expiry.
        stage.backend.script { $0.isLoggedIn("NEWS24", profile: Sample.profile(ends: 1_795_564_920_000)) }
        _ = try await app.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("A"))
        await stage.rest()
        stage.clock.advance(by: .seconds(30))
        #expect(app.isIn && !stage.lines().contains("A ← \(end)"))
        stage.clock.advance(by: .seconds(60))
        try await stage.hear("A ← \(end)")
        #expect(!app.isIn && stage.clock.alarmCount == 0)
    }

    @Test func `a provider that worked before needs no picker`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        stage.backend.script { $0.isLoggedIn("NEWS24", profile: Sample.profile(ends: 1_795_564_860_000)) }
        let app = try await stage.app("A", "NEWS24")
        stage.clock.advance(by: .seconds(61))
        try await stage.hear("A ← setAuthenticationStatus 0 USER_NOT_AUTHENTICATED_ERROR reason=expired")
        let mark = stage.mark
        #expect(try await app.getAuthentication(.init()) == .secondScreen(Sample.login().invitation))
        #expect(stage.lines(since: mark) == ["⇄ beginLogin NEWS24 M1", "A ~ REGCODE K7Q2M4X"])
    }
}
