// Tests what an app learns about its open login: after a repeated call, during its progress, and at its end.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import AccessEnabler

@Suite("access-enabler.md §7.2, §7.8: an open login") @EngineActor struct OpenLoginTests {
    @Test(arguments: [true, false])
    func `ruling 50: a logout ends a code that no app shows, but not a code on a screen`(isShown: Bool) async throws {
        let stage = try await Stage {
            $0.offersLogin()
            $0.isLoggedIn("SUMMIT")
        }
        let app = try await stage.app("A", "NEWS24")
        let neighbour = try await stage.app("B", "SUMMIT")
        try await stage.open(app)
        if !isShown { await app.close() }
        #expect(stage.engine.openLoginKeys.count == 1)
        _ = await stage.engine.logout(tellingService: true)
        #expect(stage.engine.openLoginKeys.count == (isShown ? 1 : 0))
        #expect(stage.vault.contents.openLogins.count == (isShown ? 1 : 0))
        if !isShown {
            let again = try await stage.app("C", "NEWS24")
            try await stage.open(again)
            await again.close()
            _ = try await neighbour.logout()
            #expect(stage.engine.openLoginKeys.isEmpty, "an app's logout does the same")
        }
    }

    @Test func `OQ-20: a repeated call gets the open login without a request`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        let picker = try await app.getAuthentication(.init())
        #expect(try await app.getAuthentication(.init()) == picker)
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        let mark = stage.mark
        let again = try await app.getAuthentication(.init())
        #expect(again == .secondScreen(Sample.login().invitation))
        #expect(stage.lines(since: mark) == ["A ~ REGCODE K7Q2M4X"])
        #expect(
            try await app.checkAuthentication()
                == .notAuthenticated(
                    .userNotAuthenticated, openLogin: .secondScreen(Sample.login().invitation)))
        try await stage.poll()
    }

    @Test(arguments: [nil, "https://sp.example/go"])
    func `ruling 53: after a change of addresses, a call gets a new code, unless the open code has a link`(
        link: String?
    ) async throws {
        let stage = try await Stage { script in
            script.offersLogin()
            var login = Sample.login()
            (login.link, login.provider) = (link, ProviderID(rawValue: "M1"))
            script.beginLoginAt[ProviderID(rawValue: "M1")] = .success(.showCode(login))
        }
        try await stage.open(try await stage.app("A", "NEWS24"))
        stage.engine.addressesHaveChanged()
        try await stage.open(try await stage.app("A", "NEWS24"))
        let questions = stage.backend.calls.elements.count { $0.hasPrefix("beginLogin") }
        #expect(questions == (link == nil ? 2 : 1))
    }

    @Test(arguments: [-3600, 0, 86_400]) func `an app counts down by the box's clock, even if the clock is wrong`(
        seconds: Int64
    ) async throws {
        let stage = try await Stage { $0.offersLogin() }
        let date = stage.clock.wall
        stage.clock.setDate(date.milliseconds + seconds * 1000)
        for _ in 0..<2 { stage.engine.learn(date) }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        let answer = try await app.setSelectedProvider(.init(providerID: "M1"))
        var invitation = Sample.login().invitation
        invitation.expires = Sample.login().notAfter.milliseconds + seconds * 1000
        #expect(answer == .secondScreen(invitation))
        #expect(try await app.getAuthentication(.init()) == .secondScreen(invitation))
    }

    @Test func `OQ-20: a repeated call before the service's answer waits, and gets the same answer`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.hold("providers NEWS24")
        let first = Task { try await app.getAuthentication(.init()) }
        try await stage.hear("⇄ providers NEWS24")
        #expect(
            try await app.checkAuthentication()
                == .notAuthenticated(.userNotAuthenticated, openLogin: .beginning))
        let second = Task { try await app.getAuthentication(.init()) }
        let third = Task { try await app.getAuthentication(.init(force: true)) }
        await stage.rest()
        stage.backend.release("providers NEWS24")
        let picker = try await first.answer
        #expect(picker.state == .selectProvider)
        #expect(try await second.answer == picker)
        let error = await #expect(throws: RPCError.self) { try await third.answer }
        #expect(error?.name == .flowConflict)
        #expect(stage.backend.calls.elements.count { $0 == "providers NEWS24" } == 1)
    }

    @Test func `OQ-20: a call that has joined a login ends with the login`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        stage.backend.hold("providers NEWS24")
        let calls = [0, 1].map { _ in Task { try await app.getAuthentication(.init()) } }
        try await stage.hear("⇄ providers NEWS24")
        await stage.rest()
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        stage.backend.release("providers NEWS24")
        for call in calls {
            let error = await #expect(throws: RPCError.self) { try await call.answer }
            #expect(error?.name == .unanswered(.N500))
        }
    }

    @Test func `rpc.md §4: an app that requests QR codes gets one with every code`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        var told: [JSONValue?] = []
        let words = stage.words
        stage.words = { callback in
            if case .status(let message) = callback, message.status == .REGCODE { told.append(message.json["qr"]) }
            return words(callback)
        }
        let other = try await stage.app("B", "NEWS24")
        _ = try await other.getAuthentication(.init())
        let plain = try await other.setSelectedProvider(.init(providerID: "M1"))
        #expect(plain == .secondScreen(Sample.login().invitation))
        _ = other.setOptions(try SetOptions.Params(params: ["qr": "matrix"]))
        var invitation = Sample.login().invitation
        invitation.qr = .svg("matrix of https://service.test/activate?code=K7Q2M4X")
        #expect(try await other.getAuthentication(.init()) == .secondScreen(invitation))
        #expect(
            try await other.checkAuthentication()
                == .notAuthenticated(
                    .userNotAuthenticated, openLogin: .secondScreen(invitation)))
        #expect(told == [nil, invitation.qr?.json])
        _ = other.setOptions(try SetOptions.Params(params: ["qr": "none"]))
        #expect(try await other.getAuthentication(.init()) == .secondScreen(Sample.login().invitation))
        // Another session that shows the same code has an option of its own.
        let second = stage.connect("B2")
        _ = second.setOptions(try SetOptions.Params(params: ["qr": "svg"]))
        _ = try await second.setRequestor(.init(requestorID: "NEWS24"), Stage.grant("B"))
        invitation.qr = .svg("svg of https://service.test/activate?code=K7Q2M4X")
        #expect(try await second.getAuthentication(.init()) == .secondScreen(invitation))
    }

    @Test func `a QR code is drawn once for each login and form`() async throws {
        let drawn = Recorder<QRForm>()
        let stage = try await Stage(
            { $0.offersLogin() },
            draw: {
                drawn.append($1)
                return .svg($0)
            })
        let app = try await stage.app("A", "NEWS24")
        _ = app.setOptions(try SetOptions.Params(params: ["qr": "png"]))
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        for _ in 0..<3 {
            _ = try await app.checkAuthentication()
            _ = try await app.getAuthentication(.init())
        }
        #expect(drawn.elements == [.png])
        _ = app.setOptions(try SetOptions.Params(params: ["qr": "svg"]))
        for _ in 0..<3 { _ = try await app.checkAuthentication() }
        #expect(drawn.elements == [.png, .svg])
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        #expect(app.drawn == nil, "no data are kept for an ended login")
    }

    @Test func `§7.8: a login has one outcome, even after a logout while it is open`() async throws {
        let stage = try await Stage { $0.offersLogin() }
        let app = try await stage.app("A", "NEWS24")
        _ = try await app.getAuthentication(.init())
        _ = try await app.setSelectedProvider(.init(providerID: "M1"))
        _ = try await app.logout()
        _ = try await app.setSelectedProvider(.init(providerID: nil))
        #expect(stage.outcomes == [LoginOutcome(.cancelled, code: "K7Q2M4X")])
    }
}
