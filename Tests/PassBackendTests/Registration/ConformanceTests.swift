// Tests the ten conformance vectors of registration, and similar cases.

import AccessEnabler
import PassTestTools
import Testing

@testable import PassBackend

@Suite("dcr.md §10: conformance vectors") struct RegistrationConformanceTests {
    /// The service answers every read with an empty list of profiles.
    static let quiet: ScriptedService.Script = { request, _ in
        request.url.path.hasPrefix("/api/") ? .answer(200, Sample.nobody) : nil
    }

    @Test func `1: a cold start makes one registration and one token, for any number of simultaneous calls`()
        async throws
    {
        let box = try Box { request, before in
            request.url.path == ScriptedService.registration ? .held : Self.quiet(request, before)
        }
        let calls = (0..<20).map { number in
            Task { try await box.backend.profiles(.provider(ProviderID(rawValue: "p\(number)")), box.caller()) }
        }
        await eventually { box.service.heldCount == 1 }
        box.service.release(.answer(201, #"{"client_id": "one", "client_secret": "s"}"#))
        for call in calls { #expect(try await call.value.isEmpty) }
        #expect(box.service.registrations == 1)
        #expect(box.service.tokens == 1)
        #expect(box.service.calls.count == 20)
    }

    @Test func `2: a restart with stored credentials makes no registration and no token`() async throws {
        let box = try Box()
        try await box.backend.prepare(box.caller())
        let restarted = try box.restarted(Self.quiet)
        _ = try await restarted.backend.profiles(.all, restarted.caller())
        #expect(restarted.service.paths == ["/api/v2/LUMENTV/profiles"])
        #expect(restarted.service.calls.first?.bearer == "Bearer token-0")
    }

    @Test(arguments: [(21600, 21600 - 60), (600, 600 - 30), (3, 2)])
    func `3: a token close to its expiry is renewed with the same credentials`(life: Int, good: Int) async throws {
        let box = try Box { request, before in
            request.url.path == ScriptedService.token
                ? .answer(201, #"{"access_token": "token-\#(before)", "expires_in": \#(life), "token_type": "bearer"}"#)
                : Self.quiet(request, before)
        }
        try await box.backend.prepare(box.caller())
        box.clock.advance(by: .seconds(good) - .milliseconds(1))
        try await box.backend.prepare(box.caller())
        #expect(box.service.tokens == 1)
        box.clock.advance(by: .seconds(1))
        try await box.backend.prepare(box.caller())
        #expect(box.service.tokens == 2)
        #expect(box.service.registrations == 1)
        #expect(
            box.service.requests.filter { $0.url.path == ScriptedService.token }
                .allSatisfy { $0.text == "client_id=client-0&client_secret=hush-0&grant_type=client_credentials" })
    }

    @Test func `4: a 401 causes one new token and one retry`() async throws {
        let box = try Box { request, before in
            guard request.url.path.hasPrefix("/api/") else { return nil }
            return before == 0 ? .answer(401, #"{"error": "access_denied"}"#) : .answer(200, Sample.nobody)
        }
        #expect(try await box.backend.profiles(.all, box.caller()).isEmpty)
        #expect(box.service.tokens == 2)
        #expect(box.service.registrations == 1)
        #expect(box.service.calls.map(\.bearer) == ["Bearer token-0", "Bearer token-1"])
    }

    @Test func `4: twenty calls that are refused together cause one new token`() async throws {
        let box = try Box { request, _ in
            guard request.url.path.hasPrefix("/api/") else { return nil }
            return request.bearer == "Bearer token-0" ? .held : .answer(200, Sample.nobody)
        }
        let calls = (0..<20).map { number in
            Task { try await box.backend.profiles(.provider(ProviderID(rawValue: "p\(number)")), box.caller()) }
        }
        await eventually { box.service.heldCount == 20 }
        box.service.release(.answer(401, ""))
        for call in calls { _ = try await call.value }
        #expect(box.service.tokens == 2)
        #expect(box.service.calls.count == 40)
    }

    /// The error if the statement is not for this requestor. Contract: rest-v2.md §18.3 `CFG400`.
    private static func outsider(_ action: String) -> BackendFault.Kind {
        .refused(
            ServiceError(
                status: 401, code: "invalid_access_token_service_provider", actionName: action, trace: "t-1"))
    }

    @Test(arguments: [
        ("", BackendFault.Kind.tokenRefused), (#"{"error": "invalid_client"}"#, .tokenRefused),
        (
            Sample.error("invalid_access_token_client_application", action: "application-registration", status: 401),
            .registrationRefused("invalid_access_token_client_application")
        ),
        (
            Sample.error("invalid_access_token_service_provider", action: "application-registration", status: 401),
            outsider("application-registration")
        ), (Sample.error("invalid_access_token_service_provider", status: 401), outsider("none")),
    ]) func `4: a second 401 ends the call`(body: String, expected: BackendFault.Kind) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(401, body) : nil }
        #expect(try await box.fault { try await box.backend.profiles(.all, box.caller()) } == expected)
        #expect(box.service.calls.count == 2)
        #expect(box.service.tokens == 2)
        #expect(box.service.registrations == 1)
    }

    private static let refused = ScriptedService.Reply.answer(403, #"{"error": "invalid_client"}"#)

    @Test func `5: a 403 for the client causes one registration, one token and one retry`() async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        let box = try first.restarted { request, before in
            if request.url.path == ScriptedService.registration {
                return .answer(201, #"{"client_id": "second", "client_secret": "s"}"#)
            }
            guard request.url.path.hasPrefix("/api/") else { return nil }
            return before == 0 ? Self.refused : .answer(200, Sample.nobody)
        }
        #expect(try await box.backend.profiles(.all, box.caller()).isEmpty)
        #expect(
            box.service.paths == [
                "/api/v2/LUMENTV/profiles", ScriptedService.registration, ScriptedService.token,
                "/api/v2/LUMENTV/profiles",
            ])
        #expect(box.vault.registrations.values.map(\.clientID) == ["second"])
    }

    @Test func `5: a second 403 for the client is reported, without a loop`() async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        let box = try first.restarted { request, _ in
            request.url.path.hasPrefix("/api/") ? Self.refused : nil
        }
        for _ in 0..<5 {
            #expect(
                try await box.fault { try await box.backend.profiles(.all, box.caller()) }
                    == .registrationRefused("invalid_client"))
        }
        #expect(box.service.registrations == 1, "new credentials are not replaced")
    }

    @Test(arguments: [
        (201, #"{"access_token": "T", "created_at": 1795564800123, "expires_in": 21600, "token_type": "bearer"}"#),
        (200, #"{"access_token": "T", "created_at": 1795564800, "expires_in": 21600, "token_type": "Bearer"}"#),
        (201, #"{"access_token": "T", "created_at": "soon", "expires_in": "21600", "token_type": "BEARER", "id": 7}"#),
        (200, #"{"access_token": "T", "expires_in": 21600}"#),
    ]) func `6, 7: seconds or milliseconds, 200 or 201, and any case give the same result`(
        status: Int, body: String
    ) async throws {
        let box = try Box { request, before in
            request.url.path == ScriptedService.token ? .answer(status, body) : Self.quiet(request, before)
        }
        try await box.backend.prepare(box.caller())
        box.clock.advance(by: .seconds(21600 - 61))
        try await box.backend.prepare(box.caller())
        #expect(box.service.tokens == 1)
        box.clock.advance(by: .seconds(2))
        try await box.backend.prepare(box.caller())
        #expect(box.service.tokens == 2)
    }

    @Test func `8: a statement with line breaks is sent without them, and counts as the same registration`()
        async throws
    {
        let box = try Box()
        let wrapped = "aGVhZGVy.\r\nYm9keQ.\n\tc2lnbmF0\u{A0}dXJl\n"
        try await box.backend.prepare(box.caller(statement: wrapped))
        #expect(box.service.requests.first?.text == #"{"software_statement":"\#(Box.statement)"}"#)
        #expect(box.caller(statement: wrapped).registration == box.caller().registration)
    }

    @Test func `9: a revoked application is reported, and its stored token is not used again`() async throws {
        let first = try Box()
        try await first.backend.prepare(first.caller())
        let revoked: ScriptedService.Script = { request, _ in
            switch request.url.path {
            case ScriptedService.registration: .answer(400, #"{"error": "unapproved_software_statement"}"#)
            case ScriptedService.token: .answer(400, #"{"error": "invalid_client"}"#)
            default: Self.refused
            }
        }
        let box = try first.restarted(revoked)
        let expected = BackendFault.Kind.registrationRefused("unapproved_software_statement")
        #expect(try await box.fault { try await box.backend.profiles(.all, box.caller()) } == expected)
        #expect(try await box.fault { try await box.backend.profiles(.all, box.caller()) } == expected)
        #expect(box.service.calls.count == 1)
        let again = try box.restarted(revoked)
        #expect(try await again.fault { try await again.backend.profiles(.all, again.caller()) } == expected)
        #expect(again.service.calls.isEmpty)
    }

    @Test func `10: no printable form shows a secret or a token`() async throws {
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(400, Sample.error("invalid_integration")) : nil
        }
        var text = ""
        do { _ = try await box.backend.profiles(.all, box.caller()) } catch {
            text += "\(error) \(String(reflecting: error))"
            dump(error, to: &text)
        }
        dump(box.backend, to: &text)
        dump(box.vault.registrations, to: &text)
        text += "\(box.backend) \(box.backend.parts.contact) \(box.service.requests.map(\.description))"
        for secret in ["hush-0", "token-0", Box.statement] { #expect(!text.contains(secret)) }
        #expect(!text.isEmpty)
    }
}
