// Tests faults during registration: refusals by the service, network failures, and a failing store.

import AccessEnabler
import PassTestKit
import PassTestTools
import Testing

@testable import PassBackend

@Suite("dcr.md §3 to §7: credentials and tokens") struct RegistrarTests {
    @Test(arguments: [
        "invalid_request", "invalid_redirect_uri", "invalid_software_statement", "unapproved_software_statement",
    ]) func `a refused registration has its reason, and is not retried`(code: String) async throws {
        let box = try Box { _, _ in .answer(400, #"{"error": "\#(code)"}"#) }
        #expect(try await box.fault { try await box.backend.prepare(box.caller()) } == .registrationRefused(code))
        #expect(box.service.requests.count == 1)
        #expect(box.vault.commitCount == 0)
    }

    @Test(
        arguments: [
            (LoginSite(), nil), (LoginSite(activationURL: "https://lumen.example/tv"), nil),
            (LoginSite(finishURL: "https://lumen.example/done"), "https://lumen.example/done"),
            (
                LoginSite(redirectURL: "app://back", finishURL: "https://lumen.example/done"),
                "https://lumen.example/done"
            ),
            (LoginSite(redirectURL: "app://back"), "app://back"),
        ] as [(LoginSite, String?)]) func `E26: the refusal names the address for the end of a login, if one is set`(
            site: LoginSite, address: String?
        ) async throws
    {
        let box = try Box(site: site)
        try await box.backend.prepare(box.caller())
        let body = try #require(box.service.requests.first).text
        #expect(body.contains("redirect_uri") == (address != nil))
        if let address { #expect(body.contains(#""redirect_uri":"\#(address)""#)) }
    }

    @Test func `if an address is required, the reason names the refused address`() async throws {
        let box = try Box(site: LoginSite(finishURL: "https://lumen.example/done")) { request, _ in
            guard request.url.path.hasSuffix("/register") else { return nil }
            return request.text.contains("redirect_uri")
                ? .answer(400, #"{"error": "invalid_redirect_uri"}"#) : .answer(400, #"{"error": "invalid_request"}"#)
        }
        let fault = try await box.fault { try await box.backend.prepare(box.caller()) }
        #expect(fault == .registrationRefused("invalid_redirect_uri"))
    }

    @Test func `an address that the service refuses does not prevent the registration`() async throws {
        let box = try Box(site: LoginSite(finishURL: "https://lumen.example/done")) { request, _ in
            request.text.contains("redirect_uri")
                ? .answer(400, #"{"error": "invalid_redirect_uri"}"#) : nil
        }
        try await box.backend.prepare(box.caller())
        #expect(
            box.service.paths == [ScriptedService.registration, ScriptedService.registration, ScriptedService.token])
    }

    @Test func `another service's registration is not used, and no part of it is sent`() async throws {
        let former = try Box()
        try await former.backend.prepare(former.caller())
        let stored = former.vault.registrations
        let box = try Box(clock: former.clock, vault: former.vault, origin: "https://other.example")
        #expect(box.backend.parts.registrar.count == 0)
        let theirs = former.caller()
        let calls: [@Sendable () async throws -> Void] = [
            { try await box.backend.prepare(theirs) }, { _ = try await box.backend.providers(theirs) },
            { _ = try await box.backend.pollLogin(Sample.login, theirs) },
            { _ = try await box.backend.logout(north, theirs) },
        ]
        for call in calls {
            #expect(try await box.fault(call) == .registrationRefused("registration_of_another_service"))
        }
        #expect(box.service.requests.isEmpty)
        #expect(box.vault.registrations.mapValues(\.clientID) == stored.mapValues(\.clientID))
    }

    @Test(arguments: ["invalid_request", "unauthorized_client", "unsupported_grant_type"])
    func `after a refused token the credentials are kept`(code: String) async throws {
        let box = try Box { request, _ in
            request.url.path == ScriptedService.token ? .answer(400, #"{"error": "\#(code)"}"#) : nil
        }
        #expect(try await box.fault { try await box.backend.prepare(box.caller()) } == .tokenRefused)
        #expect(box.service.paths == [ScriptedService.registration, ScriptedService.token])
        #expect(box.vault.registrations.values.map(\.clientID) == ["client-0"])
    }

    @Test func `credentials that the token endpoint does not know are replaced once`() async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        first.clock.advance(by: .seconds(30_000))
        let box = try first.restarted { request, before in
            guard request.url.path == ScriptedService.token else { return nil }
            return before == 0 ? .answer(400, #"{"error": "invalid_client"}"#) : nil
        }
        try await box.backend.prepare(box.caller())
        #expect(
            box.service.paths == [ScriptedService.token, ScriptedService.registration, ScriptedService.token])
    }

    @Test func `a refusal of the new credentials ends the call`() async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        first.clock.advance(by: .seconds(30_000))
        let box = try first.restarted { request, _ in
            request.url.path == ScriptedService.token ? .answer(400, #"{"error": "invalid_client"}"#) : nil
        }
        do {
            try await box.backend.prepare(box.caller())
            Issue.record("the app is let in")
        } catch {
            #expect(error.kind == .tokenRefused && error.code == "invalid_client")
            #expect(error.trace == nil, "a code is not a trace")
        }
        #expect(box.service.registrations == 1)
        #expect(box.service.tokens == 2)
    }

    @Test(arguments: [HTTPFault.dns, .connect, .unreachable, .timeout(wasSent: true), .tls(.expired)])
    func `a network failure does not invalidate the credentials`(fault: HTTPFault) async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        first.clock.advance(by: .seconds(30_000))
        let box = try first.restarted { _, _ in .fault(fault) }
        #expect(
            try await box.fault { try await box.backend.prepare(box.caller()) } == BackendFault(of: fault).kind)
        #expect(box.service.registrations == 0)
        #expect(box.service.tokens == (fault.isTransient ? 3 : 1))
        box.service.follow { _, _ in nil }
        try await box.backend.prepare(box.caller())
        #expect(box.service.requests.last?.text.hasPrefix("client_id=client-0&") == true)
        #expect(box.service.registrations == 0)
    }

    @Test(arguments: [500, 502, 503, 599])
    func `a failure of the token endpoint is reported as such after three tries, and keeps the credentials`(
        status: Int
    ) async throws {
        let box = try Box { request, _ in request.url.path == ScriptedService.token ? .answer(status, "oops") : nil }
        #expect(try await box.fault { try await box.backend.prepare(box.caller()) } == .serverError(status))
        #expect(box.service.registrations == 1)
        #expect(box.service.tokens == Repetition.maxTries)
        box.service.follow { _, _ in nil }
        try await box.backend.prepare(box.caller())
        #expect(box.service.registrations == 1)
    }

    @Test func `credentials are on the disk before they are used, and are replaced in one commit`() async throws {
        let vault = MemoryVault()
        let box = try Box(vault: vault) { request, _ in
            if request.url.path == ScriptedService.token {
                #expect(vault.commitCount == 1)
                #expect(vault.registrations.values.map(\.clientID) == ["client-0"])
            }
            return nil
        }
        try await box.backend.prepare(box.caller())
        #expect(vault.commitCount == 2)
        let stored = try #require(vault.registrations[box.caller().registration])
        #expect(stored.clientSecret.reveal() == "hush-0" && stored.accessToken?.reveal() == "token-0")
        #expect(stored.accessTokenEnds == box.clock.wall.advanced(by: .seconds(21600)))
    }

    @Test(arguments: [VaultFault.Kind.full, .readOnly, .limit, .broken])
    func `a store that cannot keep the credentials affects only the next start`(kind: VaultFault.Kind) async throws {
        let box = try Box()
        box.vault.fail(VaultFault(kind, "no"))
        for _ in 0..<3 { try await box.backend.prepare(box.caller()) }
        #expect(box.service.paths == [ScriptedService.registration, ScriptedService.token])
    }

    @Test func `within a run the box's date does not matter`() async throws {
        let box = try Box()
        try await box.backend.prepare(box.caller())
        for step in [Duration.seconds(400 * 86400), .seconds(-60 * 365 * 86400)] {
            box.clock.setDate(aheadBy: step)
            try await box.backend.prepare(box.caller())
        }
        #expect(box.service.tokens == 1)
    }

    @Test func `after a restart, the service's time decides whether a token is valid`() async throws {
        let date = "Fri, 20 Nov 2026 10:00:00 GMT"
        let vault = MemoryVault()
        let script: ScriptedService.Script = { request, before in
            // A box with a date of another century needs two answers to accept the new one.
            switch String(request.url.path) {
            case ScriptedService.token:
                .dated(201, #"{"access_token": "token-\#(before)", "expires_in": 3600}"#, date)
            case ScriptedService.registration: .dated(201, #"{"client_id": "c", "client_secret": "s"}"#, date)
            default: nil
            }
        }
        let box = try Box(vault: vault, script)
        box.clock.setDate(aheadBy: .seconds(-50 * 365 * 86400))
        try await box.backend.prepare(box.caller())
        let ends = try #require(vault.registrations.values.first?.accessTokenEnds)
        #expect(ends.milliseconds == 1_795_168_800_000 + 3_600_000)
        #expect(box.heard.elements == Array(repeating: ServerTime(milliseconds: 1_795_168_800_000), count: 2))
        let restarted = try box.restarted()
        restarted.clock.setDate(aheadBy: .milliseconds(ends.milliseconds - restarted.clock.wall.milliseconds - 59_000))
        try await restarted.backend.prepare(restarted.caller())
        #expect(restarted.service.paths == [ScriptedService.token])
    }

    @Test func `two apps never share a registration`() async throws {
        let box = try Box()
        for app in ["one", "two", "one"] { try await box.backend.prepare(box.caller(app: app)) }
        #expect(box.service.registrations == 2)
        #expect(Set(box.vault.registrations.values.map(\.clientID)) == ["client-0", "client-1"])
    }

    @Test(arguments: ["", "one.two", "a.b.c.d", "a..c", "a b.c", "ä.b.c", "{}"])
    func `a text that is not a statement is not sent`(statement: String) async throws {
        let box = try Box()
        #expect(
            try await box.fault { try await box.backend.prepare(box.caller(statement: statement)) }
                == .registrationRefused("invalid_software_statement"))
        #expect(box.service.requests.isEmpty)
    }

    @Test(arguments: [
        "<html>", "", "{", #"{"client_id": ""}"#, #"{"client_id": "a"}"#, #"{"client_id": "", "client_secret": "b"}"#,
        #"{"client_id": "a", "client_secret": ""}"#,
        #"{"client_id": "\u001b]0;x\u0007", "client_secret": "b"}"#, #"{"client_id": "a", "client_secret": "\u202e"}"#,
    ]) func `an invalid answer to a registration is an error`(body: String) async throws {
        let box = try Box { _, _ in .answer(201, body) }
        #expect(try await box.fault { try await box.backend.prepare(box.caller()) } == .unusableAnswer)
        #expect(box.vault.commitCount == 0)
    }

    @Test(arguments: [
        "<html>", #"{"access_token": ""}"#, #"{"access_token": "a\nb", "expires_in": 60}"#, #"{"access_token": "a"}"#,
        #"{"access_token": "a", "expires_in": -1}"#, #"{"access_token": "a", "expires_in": 60, "token_type": "mac"}"#,
    ]) func `an unusable token is an error, but the credentials are kept`(body: String) async throws {
        let box = try Box { request, _ in request.url.path == ScriptedService.token ? .answer(201, body) : nil }
        #expect(try await box.fault { try await box.backend.prepare(box.caller()) } == .unusableAnswer)
        #expect(box.vault.registrations.count == 1)
        box.service.follow { _, _ in nil }
        try await box.backend.prepare(box.caller())
        #expect(box.service.registrations == 1)
    }

    @Test func `a token with an infinite life causes no overflow`() async throws {
        let box = try Box { request, _ in
            request.url.path == ScriptedService.token
                ? .answer(200, #"{"access_token": "a", "expires_in": 1e300}"#) : nil
        }
        try await box.backend.prepare(box.caller())
        #expect(box.service.tokens == 1)
    }

    @Test func `an error code that is not a word is not passed on`() async throws {
        let box = try Box { _, _ in .answer(400, #"{"error": "<b>\n gone"}"#) }
        #expect(
            try await box.fault { try await box.backend.prepare(box.caller()) }
                == .registrationRefused("invalid_request"))
    }

    @Test func `after a 429 the registration waits`() async throws {
        let box = try Box { _, before in before == 0 ? .answer(429, "<html>") : nil }
        try await box.clock.run { try await box.backend.prepare(box.caller()) }
        #expect(box.service.registrations == 2)
        #expect(box.service.tokens == 2)
    }

    @Test func `a registration continues after its caller has left`() async throws {
        let box = try Box { request, _ in request.url.path == ScriptedService.registration ? .held : nil }
        let caller = Task { try await box.backend.prepare(box.caller()) }
        await eventually { box.service.heldCount == 1 }
        caller.cancel()
        await #expect(throws: BackendFault.self) { try await caller.value }
        box.service.release(.answer(201, #"{"client_id": "kept", "client_secret": "s"}"#))
        await eventually { box.vault.commitCount == 2 }
        try await box.backend.prepare(box.caller())
        #expect(box.service.registrations == 1)
    }

    @Test func `twenty calls that the service refuses together cause one registration`() async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        let box = try first.restarted { request, _ in
            switch request.bearer {
            case "Bearer token-0": .held
            case nil where request.url.path == ScriptedService.token:
                .answer(201, #"{"access_token": "fresh", "expires_in": 60}"#)
            case nil: nil
            default: .answer(200, Sample.nobody)
            }
        }
        let calls = (0..<20).map { number in
            Task { try await box.backend.profiles(.provider(ProviderID(rawValue: "p\(number)")), box.caller()) }
        }
        await eventually { box.service.heldCount == 20 }
        box.service.release(.answer(403, #"{"error": "invalid_client"}"#))
        for call in calls { #expect(try await call.value.isEmpty) }
        #expect(box.service.registrations == 1)
        #expect(box.service.tokens == 1)
    }

    @Test func `if another registration is impossible, the old credentials are kept, but not their token`() async throws
    {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        let box = try first.restarted { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(403, #"{"error": "invalid_client"}"#) : .fault(.dns)
        }
        let caller = box.caller()
        #expect(try await box.fault { try await box.backend.profiles(.all, caller) } == .unreachable)
        let stored = try #require(box.vault.registrations[caller.registration])
        #expect(stored.clientID == "client-0" && stored.accessToken == nil)
    }
}
