// Tests reads of providers and profiles through the adapter: the requests, the caches and the sharing.

import PassProtocol
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v2.md C1, P1, P2, §8: reads through the adapter") struct BackendReadTests {
    private static let everything: ScriptedService.Script = { request, _ in
        switch request.url.path {
        case let path where path.hasSuffix("/configuration"): .answer(200, Sample.providers)
        case let path where path.contains("/profiles"): .answer(200, Sample.profile)
        default: nil
        }
    }

    @Test func `providers are requested once in three minutes, for each requestor and app`() async throws {
        let box = try Box(Self.everything)
        for _ in 0..<3 {
            #expect(try await box.backend.providers(box.caller()).map(\.id) == [north])
        }
        #expect(box.service.calls.count == 1)
        _ = try await box.backend.providers(box.caller(requestor: "OTHER"))
        _ = try await box.backend.providers(box.caller(app: "other"))
        #expect(box.service.calls.count == 3)
        box.clock.advance(by: .seconds(179))
        _ = try await box.backend.providers(box.caller())
        #expect(box.service.calls.count == 3)
        box.clock.advance(by: .seconds(1))
        _ = try await box.backend.providers(box.caller())
        #expect(box.service.calls.count == 4)
    }

    @Test func `the cache of configurations has a limit`() async throws {
        let box = try Box(Self.everything)
        for number in 0..<(ServiceParts.maxConfigurations + 10) {
            _ = try await box.backend.providers(box.caller(requestor: "R\(number)"))
            box.clock.advance(by: .milliseconds(1))
        }
        let asked = box.service.calls.count
        _ = try await box.backend.providers(box.caller(requestor: "R\(ServiceParts.maxConfigurations)"))
        #expect(box.service.calls.count == asked, "the youngest are kept")
        _ = try await box.backend.providers(box.caller(requestor: "R0"))
        #expect(box.service.calls.count == asked + 1, "the oldest is dropped")
    }

    @Test func `a failure is not cached`() async throws {
        let box = try Box { request, before in
            before == 0 && request.url.path.hasSuffix("/configuration")
                ? .answer(400, "") : Self.everything(request, before)
        }
        #expect(try await box.fault { try await box.backend.providers(box.caller()) } == .unusableAnswer)
        #expect(try await box.backend.providers(box.caller()).count == 1)
    }

    @Test func `each query has its path`() async throws {
        let box = try Box(Self.everything)
        for query in [ProfileQuery.all, .provider(north), .login(Sample.login)] {
            #expect(try await box.backend.profiles(query, box.caller()).map(\.provider) == [north])
        }
        #expect(
            box.service.calls.map(\.url.target) == [
                "/api/v2/LUMENTV/profiles", "/api/v2/LUMENTV/profiles/NorthCable",
                "/api/v2/LUMENTV/profiles/code/K7Q2M4X",
            ])
    }

    @Test(arguments: [
        "authenticated_profile_missing", "authenticated_profile_expired", "authenticated_profile_invalidated",
    ])
    func `each answer that means that no viewer is signed in is an empty list`(code: String) async throws {
        let body = Sample.error(code, action: "authentication", status: 403)
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? .answer(403, body) : nil }
        for query in [ProfileQuery.all, .provider(north), .login(Sample.login)] {
            #expect(try await box.backend.profiles(query, box.caller()).isEmpty)
        }
    }

    @Test func `used-up temporary access is refused by name, and keeps the registration`() async throws {
        let code = "temporary_access_duration_limit_exceeded"
        let box = try Box { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(403, Sample.error(code, status: 403)) : nil
        }
        let kind = try await box.fault { try await box.backend.profiles(.provider(north), box.caller()) }
        guard case .refused(let error) = kind else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == code)
        #expect(box.service.registrations == 1)
    }

    // MARK: headers

    private struct Tokens: PlatformSSO {
        func identityToken(at time: ServerTime) async -> Secret? { Secret("jws") }
        func serviceToken(at time: ServerTime) async -> Secret? { Secret("svc") }
    }

    @Test func `§3.1: each call has the headers of its column`() async throws {
        let box = try Box(platform: Tokens()) { request, _ in
            switch request.url.path {
            case let path where path.hasSuffix("/sessions"): .answer(200, Sample.session)
            case let path where path.contains("/logout/"): .answer(200, #"{"logouts": {}}"#)
            case let path where path.contains("/decisions/"): .answer(200, Sample.decisions([]))
            default: Self.everything(request, 0)
            }
        }
        var caller = box.caller()
        caller.options.texts[.visitorID] = "ecid"
        _ = try await box.backend.providers(caller)
        _ = try await box.backend.beginLogin(LoginRequest(provider: nil), caller)
        _ = try await box.backend.profiles(.all, caller)
        _ = try await box.backend.profiles(.provider(north), caller)
        _ = try await box.backend.pollLogin(Sample.login, caller)
        _ = try await box.backend.authorize([film], at: north, caller)
        _ = try await box.backend.preauthorize([film], at: north, caller)
        _ = try await box.backend.logout(north, caller)
        let signOn: [Bool] = box.service.calls.map {
            $0.headers["Adobe-Subject-Token"] == "jws" && $0.headers["AD-Service-Token"] == "svc"
        }
        #expect(signOn == [false, true, true, true, false, true, true, true])
        for call in box.service.calls {
            #expect(call.headers["Authorization"] == "Bearer token-0")
            #expect(call.headers["AP-Device-Identifier"] == "fingerprint YWJj")
            #expect(call.headers["AP-Visitor-Identifier"] == "ecid")
            #expect(call.headers["X-Device-Info"] == Self.deviceInfo)
        }
        for call in box.service.requests where call.url.path.hasPrefix("/o/") {
            #expect(call.headers["X-Device-Info"] == Self.deviceInfo)
            #expect(call.headers["Authorization"] == nil)
        }
        #expect(box.service.requests[0].headers["Content-Type"] == "application/json;charset=utf-8")
        #expect(box.service.requests[1].headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    /// {"applicationId":"tv.app","connectionType":"LAN","manufacturer":"Lumen Devices","model":"LTV-200",
    /// "osFamily":"Linux","osName":"Linux","osVersion":"6.12","primaryHardwareType":"SetTopBox","version":"1.0"}
    private static let deviceInfo =
        "eyJhcHBsaWNhdGlvbklkIjoidHYuYXBwIiwiY29ubmVjdGlvblR5cGUiOiJMQU4iLCJtYW51ZmFjdHVyZXIiOiJMdW1lbiBEZXZpY2VzIi"
        + "wibW9kZWwiOiJMVFYtMjAwIiwib3NGYW1pbHkiOiJMaW51eCIsIm9zTmFtZSI6IkxpbnV4Iiwib3NWZXJzaW9uIjoiNi4xMiIsInByaW1h"
        + "cnlIYXJkd2FyZVR5cGUiOiJTZXRUb3BCb3giLCJ2ZXJzaW9uIjoiMS4wIn0="

    @Test func `an app's own device information replaces the box's`() async throws {
        let box = try Box(Self.everything)
        var caller = box.caller()
        caller.options.texts[.deviceInfo] = "e30="
        _ = try await box.backend.profiles(.all, caller)
        #expect(box.service.requests.allSatisfy { $0.headers["X-Device-Info"] == "e30=" })
    }

    @Test(arguments: ["", ".", ".."]) func `a name that would change the path is refused before a request`(
        name: String
    ) async throws {
        let box = try Box(Self.everything)
        let kind = try await box.fault {
            try await box.backend.profiles(.provider(ProviderID(rawValue: name)), box.caller())
        }
        guard case .refused = kind else {
            Issue.record("it is not refused")
            return
        }
        #expect(box.service.calls.isEmpty)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8642", "/api/v2/LUMENTV/configuration?applicationProfile=sofa%20%26%20co"),
        ("https://sp.example", "/api/v2/LUMENTV/configuration"),
    ]) func `OQ-25: the application's profile is sent only to a service on this machine`(
        origin: String, target: String
    ) async throws {
        let box = try Box(origin: origin) { request, _ in
            request.url.path.hasPrefix("/api/") ? .answer(200, Sample.providers) : nil
        }
        var caller = box.caller()
        caller.options.texts[.applicationProfile] = "sofa & co"
        _ = try await box.clock.run { [caller] in try await box.backend.providers(caller) }
        #expect(box.service.calls.map(\.url.target) == [target])
    }
}
