// Tests X1 and X2 through the adapter, with a scripted service.

import AccessEnabler
import Testing

@testable import PassBackend

@Suite("rest-v2.md X1, X2, §12.3: platform logins") struct PartnerCallTests {
    private static let sessionPath = "/api/v2/LUMENTV/sessions/sso/Hearth"
    private static let profilePath = "/api/v2/LUMENTV/profiles/sso/Hearth"

    private static func box(_ status: Int, _ body: String, site: LoginSite = LoginSite()) throws -> Box {
        try Box(site: site) { request, _ in request.url.path.hasPrefix("/api/") ? .answer(status, body) : nil }
    }

    private static func step(_ box: Box) async throws -> PartnerStep {
        let caller = box.caller().with(PartnerSample.granted)
        return try await box.clock.run {
            try await box.backend.partnerRequest(PartnerSample.beacon, of: PartnerSample.hearth, caller)
        }
    }

    private static func exchange(_ box: Box, _ response: String = "<r/>") async throws -> Profile {
        let caller = box.caller().with(PartnerSample.granted)
        return try await box.clock.run {
            try await box.backend.exchange(
                Secret(response), at: PartnerSample.beacon, of: PartnerSample.hearth, caller)
        }
    }

    private static func kind<Value>(_ work: () async throws -> Value) async throws -> BackendFault.Kind? {
        do {
            _ = try await work()
            return nil
        } catch let fault as BackendFault { return fault.kind }
    }

    // MARK: X1

    private static func saml(_ request: String) -> String {
        #"{"actionName": "partner_profile", "actionType": "direct", "reasonType": "none", "#
            + #""authenticationRequest": \#(request)}"#
    }

    private static func fallback(_ action: String, _ reason: String?) -> String {
        let reason = reason.map { #""reasonType": "\#($0)", "# } ?? ""
        return #"{"actionName": "\#(action)", \#(reason)"code": "K7Q2M4X", "url": "/api/v2/authenticate/x/y", "#
            + #""notAfter": "1795566600000"}"#
    }

    private static func alreadyIn(_ reason: String) -> String {
        #"{"actionName": "authorize", "actionType": "direct", "reasonType": "\#(reason)", "mvpd": "BeaconTV"}"#
    }

    private static func forward(_ token: String, _ attributes: [String] = []) -> PartnerStep {
        .forward(PartnerRequest(verificationToken: Array(token.utf8), attributes: attributes))
    }

    private static let answers: [(String, PartnerStep)] = [
        (
            saml(#"{"type": "saml", "request": "UGxhaW4=", "attributesNames": ["userID"]}"#),
            forward("UGxhaW4=", ["userID"])
        ),
        (saml(#"{"request": "<q a=\"ü\"/>\n"}"#), forward("<q a=\"ü\"/>\n")),
        (saml(#"{"type": "saml", "request": "q", "attributesNames": null, "new": 1}"#), forward("q")),
        (alreadyIn("authenticated"), .alreadyIn(PartnerSample.beacon, .regular)),
        (alreadyIn("authenticatedSSO"), .alreadyIn(PartnerSample.beacon, .signOn)),
        (alreadyIn("degraded"), .alreadyIn(PartnerSample.beacon, .degraded)),
        (alreadyIn("temporary"), .alreadyIn(PartnerSample.beacon, .temporary)),
        (alreadyIn("none"), .alreadyIn(PartnerSample.beacon, .regular)),
        (fallback("authenticate", "pfs_fallback"), .regular("pfs_fallback")),
        (fallback("authenticate", "configuration_fallback"), .regular("configuration_fallback")),
        (fallback("resume", "missing_parameters_fallback"), .regular("missing_parameters_fallback")),
        (fallback("resume", nil), .regular("resume")),
    ]

    @Test(arguments: answers) func `each answer to X1 leads to its step`(
        body: String, expected: PartnerStep
    ) async throws {
        let box = try Self.box(200, body)
        #expect(try await Self.step(box) == expected)
        #expect(box.service.calls.map(\.url.target) == [Self.sessionPath])
    }

    private static let nonsense: [String] = [
        "", "{}", "[]", "7", #"{"actionName": 7}"#, #"{"actionName": "partner_profile"}"#,
        alreadyIn("authenticated").replacing("mvpd", with: "m"),
        #"{"actionName": "complete"}"#, #"{"actionName": "surprise", "mvpd": "BeaconTV"}"#,
        saml("null"), saml("{}"), saml(#""saml""#), saml("[]"), saml(#"{"type": "saml"}"#),
        saml(#"{"type": "saml", "request": 7}"#), saml(#"{"type": "saml", "request": null}"#),
        saml(#"{"type": "saml", "request": ""}"#),
        saml(#"{"type": "oidc", "request": "q"}"#), saml(#"{"type": 7, "request": "q"}"#),
        saml(#"{"type": "saml", "request": "q", "attributesNames": "userID"}"#),
        saml(#"{"type": "saml", "request": "q", "attributesNames": [7]}"#), "<html><body>Log in</body></html>",
    ]

    @Test(arguments: nonsense) func `an invalid answer to X1 is reported as such`(body: String) async throws {
        let box = try Self.box(200, body)
        #expect(try await Self.kind { try await Self.step(box) } == .unusableAnswer)
        #expect(box.service.calls.count == 1)
    }

    @Test(arguments: ["invalid_parameter_partner", "invalid_configuration_platform_services", "code_of_tomorrow"])
    func `a refusal of X1 keeps its code`(code: String) async throws {
        let box = try Self.box(400, Sample.error(code))
        guard case .refused(let error) = try await Self.kind({ try await Self.step(box) }) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == code && error.status == 400)
    }

    @Test func `X1 sends the domain for the ordinary login, but no provider`() async throws {
        let box = try Self.box(200, Self.alreadyIn("authenticated"), site: LoginSite(domainName: "lumen.example"))
        _ = try await Self.step(box)
        let call = try #require(box.service.calls.first)
        #expect(call.method.rawValue == "POST")
        #expect(call.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(call.text == "domainName=lumen.example")
    }

    @Test func `special characters in a partner's name stay in one segment of the path`() async throws {
        let box = try Self.box(200, Self.alreadyIn("authenticated"))
        let odd = Partner(name: "He/ar?th", deviceType: "x")
        let caller = box.caller()
        _ = try await box.clock.run { try await box.backend.partnerRequest(PartnerSample.beacon, of: odd, caller) }
        #expect(box.service.calls.first?.url.target == "/api/v2/LUMENTV/sessions/sso/He%2Far%3Fth")
    }

    // MARK: X2

    @Test(arguments: [200, 201]) func `X2 with either success status is a login`(status: Int) async throws {
        let box = try Self.box(status, PartnerSample.profile)
        let profile = try await Self.exchange(box)
        #expect(profile.provider == PartnerSample.beacon && profile.kind == .appleSSO && profile.issuer == "Hearth")
        #expect(box.service.calls.map(\.url.target) == [Self.profilePath], "no other read is needed")
    }

    @Test func `under a degradation the login is a degraded login`() async throws {
        let degraded = PartnerSample.profile.replacing("appleSSO", with: "degraded")
        #expect(try await Self.exchange(try Self.box(200, degraded)).kind == .degraded)
    }

    @Test func `the answer is encoded once in Base64, and once for the form`() async throws {
        let box = try Self.box(201, PartnerSample.profile)
        _ = try await Self.exchange(box, "<r>\n  ü?>~~</r>")
        // Base64 of `<r> ü?>~~</r>` is PHI+IMO8Pz5+fjwvcj4=.
        #expect(box.service.calls.first?.text == "SAMLResponse=PHI%2BIMO8Pz5%2Bfjwvcj4%3D")
        #expect(box.service.calls.first?.headers["Content-Type"] == "application/x-www-form-urlencoded")
    }

    @Test(arguments: [
        Sample.nobody, Sample.profile, "", "{}", #"{"profiles": []}"#, #"{"profiles": {"BeaconTV": 7}}"#,
        #"{"profiles": {"BeaconTV": {"type": "appleSSO"}}}"#, "<html></html>",
    ]) func `a success without this provider's login does not count`(body: String) async throws {
        let box = try Self.box(201, body)
        #expect(try await Self.kind { try await Self.exchange(box) } == .unusableAnswer)
        #expect(box.service.calls.count == 1)
    }

    @Test(arguments: [
        "invalid_header_pfs_permission_access_not_present", "invalid_header_pfs_permission_access_not_determined",
        "invalid_header_pfs_permission_access_not_granted", "invalid_header_pfs_provider_id_not_determined",
        "invalid_header_pfs_provider_id_mismatch", "invalid_header_pfs_provider_info_expired",
        "invalid_parameter_saml_response",
    ]) func `a refusal of X2 keeps its code, and is not retried`(code: String) async throws {
        let box = try Self.box(400, Sample.error(code))
        guard case .refused(let error) = try await Self.kind({ try await Self.exchange(box) }) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == code)
        #expect(box.service.calls.count == 1)
    }

    @Test(arguments: [
        (ScriptedService.Reply.answer(500, ""), BackendFault.Kind.serverError(500), 1),
        (.answer(503, ""), .serverError(503), 3), (.fault(.timeout(wasSent: true)), .unreachable, 1),
        (.fault(.dns), .unreachable, 3),
    ]) func `a request that the service may have received is not sent twice`(
        reply: ScriptedService.Reply, kind: BackendFault.Kind, tries: Int
    ) async throws {
        let box = try Box { request, _ in request.url.path.hasPrefix("/api/") ? reply : nil }
        #expect(try await Self.kind { try await Self.exchange(box) } == kind)
        #expect(box.service.calls.count == tries)
    }
}
