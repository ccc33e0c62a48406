// Tests platform logins in REST V1, with a scripted service.

import PassTestTools
import Testing

@testable import AccessEnabler
@testable import PassBackend

@Suite("rest-v1.md §10: platform logins over the older interface") struct OldPartnerTests {
    private static let requestPath = "GET /api/v1/LUMENTV/profile-requests/BeaconTV"
    private static let exchangePath = "POST /api/v1/tokens/authn"

    private static func step(_ box: OldBox) async throws -> PartnerStep {
        try await box.run {
            try await $0.partnerRequest(PartnerSample.beacon, of: PartnerSample.hearth, $1.with(PartnerSample.granted))
        }
    }

    private static func stepFault(_ reply: ScriptedService.Reply) async throws -> BackendFault.Kind? {
        try await OldBox([requestPath: [reply]]).fault {
            try await $0.partnerRequest(PartnerSample.beacon, of: PartnerSample.hearth, $1)
        }
    }

    private static func exchange(
        _ box: OldBox, _ response: String = "<r/>", _ status: PartnerStatus? = PartnerSample.granted
    ) async throws -> Profile {
        try await box.run {
            try await $0.exchange(
                Secret(response), at: PartnerSample.beacon, of: PartnerSample.hearth, $1.with(status))
        }
    }

    private static func exchangeFault(_ box: OldBox) async throws -> BackendFault.Kind? {
        try await box.fault {
            try await $0.exchange(Secret("<r/>"), at: PartnerSample.beacon, of: PartnerSample.hearth, $1)
        }
    }

    // MARK: The request, §10.1

    @Test func `the call for the request has the device's type, but not its id`() async throws {
        let box = try OldBox([Self.requestPath: [.answer(200, "<q/>")]])
        let step = try await Self.step(box)
        #expect(step == .forward(PartnerRequest(verificationToken: Array("<q/>".utf8))))
        #expect(box.calls == ["GET /api/v1/LUMENTV/profile-requests/BeaconTV?deviceType=hearth-box"])
    }

    @Test(arguments: ["{}", " \r\n<q a=\"1\"/>\n\n", "ü\u{0}\t", "<html>but no page</html>"])
    func `any request is passed on unchanged`(body: String) async throws {
        let reply = ScriptedService.Reply.headed(200, body, ["Content-Type": "application/octet-stream"])
        let box = try OldBox([Self.requestPath: [reply]])
        #expect(try await Self.step(box) == .forward(PartnerRequest(verificationToken: Array(body.utf8))))
    }

    @Test(arguments: [
        ScriptedService.Reply.answer(200, ""), .answer(204, ""), .answer(302, "<q/>"), .answer(400, "<html></html>"),
        .headed(200, "<html><body>Log in</body></html>", ["Content-Type": "text/html"]),
        .headed(200, "<q/>", ["Content-Type": "Text/HTML; charset=utf-8"]), .fault(.tooLarge(limit: 9)),
        .fault(.broken("cut off")),
    ]) func `an answer that is not a valid request is reported as such`(reply: ScriptedService.Reply) async throws {
        #expect(try await Self.stepFault(reply) == .unusableAnswer)
    }

    @Test(arguments: [
        (OldSample.basic(400), "bad_request"), (OldSample.enhanced(400, "unknown_integration"), "invalid_integration"),
    ]) func `a refusal has the name that the engine knows`(
        reply: ScriptedService.Reply, code: String
    ) async throws {
        guard case .refused(let error) = try await Self.stepFault(reply) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == code && error.status == 400)
    }

    // MARK: The exchange, §10.3

    private static func signedOn(_ metadata: String = #"{"data": {}}"#) -> OldBox.Replies {
        var replies = OldSample.loggedIn
        replies[exchangePath] = [.answer(204, "")]
        replies[OldSample.authnPath] = [.answer(200, OldSample.token("BeaconTV"))]
        replies[OldSample.metadataPath] = [.answer(200, metadata)]
        return replies
    }

    @Test
    func `the answer is sent in a form, encoded once in Base64 and once for the form, and then the login is read`()
        async throws
    {
        let box = try OldBox(Self.signedOn())
        let profile = try await Self.exchange(box, "<r>\n  ü?>~~</r>")
        #expect(profile.provider == PartnerSample.beacon)
        let post = try #require(box.service.calls.first)
        #expect(post.url.target == "/api/v1/tokens/authn")
        #expect(post.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(
            post.text
                == "requestor=LUMENTV&deviceId=abc&mvpd=BeaconTV&deviceType=hearth-box"
                + "&SAMLResponse=PHI%2BIMO8Pz5%2Bfjwvcj4%3D")
        #expect(
            box.calls.prefix(2) == [
                "POST /api/v1/tokens/authn", "GET /api/v1/tokens/authn?requestor=LUMENTV&deviceId=abc",
            ])
    }

    @Test(arguments: [
        ("Hearth", Profile.Kind.appleSSO), ("Apple", .appleSSO), ("Ember", .regular), ("hearth", .regular),
        ("", .regular),
    ]) func `OQ-23: a login with the partner's name is a platform login`(
        source: String, kind: Profile.Kind
    ) async throws {
        let box = try OldBox(Self.signedOn(#"{"data": {"tokenSource": "\#(source)"}}"#))
        #expect(try await Self.exchange(box).kind == kind)
    }

    @Test func `OQ-23: without a partner, no name makes a platform login`() async throws {
        let box = try OldBox(Self.signedOn(#"{"data": {"tokenSource": "Hearth"}}"#))
        #expect(try await Self.exchange(box, "<r/>", nil).kind == .regular)
    }

    @Test(arguments: [OldSample.basic(400), OldSample.enhanced(400, "bad_request")])
    func `OQ-52: a refused exchange is reported, and nothing is read after it`(
        reply: ScriptedService.Reply
    ) async throws {
        var replies = Self.signedOn()
        replies[Self.exchangePath] = [reply]
        let box = try OldBox(replies)
        guard case .refused(let error) = try await Self.exchangeFault(box) else {
            Issue.record("it is not refused")
            return
        }
        #expect(error.code == "bad_request")
        #expect(box.calls == ["POST /api/v1/tokens/authn"])
    }

    @Test(arguments: [
        (ScriptedService.Reply.answer(200, "<html></html>"), BackendFault.Kind.unusableAnswer, 1),
        (.answer(302, ""), .unusableAnswer, 1), (.answer(500, ""), .serverError(500), 1),
        (.fault(.timeout(wasSent: true)), .unreachable, 1), (.fault(.connect), .unreachable, 3),
    ]) func `a request that the service may have received is not sent twice, and a web page is not a login`(
        reply: ScriptedService.Reply, kind: BackendFault.Kind, tries: Int
    ) async throws {
        var replies = Self.signedOn()
        replies[Self.exchangePath] = [reply]
        let box = try OldBox(replies)
        #expect(try await Self.exchangeFault(box) == kind)
        #expect(box.calls == Array(repeating: "POST /api/v1/tokens/authn", count: tries))
    }

    @Test(arguments: [
        OldSample.basic(404), OldSample.basic(410), .answer(200, OldSample.token("NorthCable")), .answer(200, "{}"),
    ]) func `a success without this provider's login does not count`(reply: ScriptedService.Reply) async throws {
        var replies = Self.signedOn()
        replies[OldSample.authnPath] = [reply]
        #expect(try await Self.exchangeFault(try OldBox(replies)) == .unusableAnswer)
    }

    @Test func `a read that began before the exchange does not count as its answer`() async throws {
        var replies = Self.signedOn()
        replies[OldSample.authnPath] = [.held, .answer(200, OldSample.token("BeaconTV"))]
        let box = try OldBox(replies)
        let caller = box.caller().with(PartnerSample.granted)
        let early = Task { try await box.backend.profiles(.all, caller) }
        await eventually { box.service.heldCount == 1 }
        #expect(try await Self.exchange(box).provider == PartnerSample.beacon)
        box.service.release(OldSample.basic(404))
        #expect(try await early.value.isEmpty)
    }

    @Test func `OQ-28: the list of providers is requested with the device's type only if there is a partner`()
        async throws
    {
        let box = try OldBox([OldSample.configurationPath: [.answer(200, OldSample.configuration)]])
        _ = try await box.run { try await $0.providers($1) }
        _ = try await box.run { try await $0.providers($1.with(PartnerSample.granted)) }
        #expect(
            box.calls == ["GET /api/v1/config/LUMENTV", "GET /api/v1/config/LUMENTV?deviceType=hearth-box"])
    }
}

@Suite("rest-v1.md §10.1: the request over the wire") struct OldPartnerWireTests {
    private func step(_ body: [UInt8], limit: Int) async throws -> PartnerStep {
        let server = try RawServer { connection in
            while let request = connection.readRequest() {
                switch request.line {
                case let line where line.hasPrefix("POST /o/client/register "):
                    connection.send(answer(#"{"client_id": "c", "client_secret": "s"}"#, status: "201 Created"))
                case let line where line.hasPrefix("POST /o/client/token "):
                    connection.send(answer(#"{"access_token": "t", "expires_in": 3600}"#, status: "201 Created"))
                default:
                    let type = "Content-Type: application/octet-stream\r\n"
                    connection.send("HTTP/1.1 200 OK\r\n\(type)Content-Length: \(body.count)\r\n\r\n")
                    connection.send(body)
                }
            }
        }
        defer { server.stop() }
        let clock = BoxClock()
        var http = HTTPConfiguration.patient
        http.bodyLimit = limit
        let backend = V1Backend(
            ServiceParts(
                .init(
                    origin: try Origin("http://127.0.0.1:\(server.port)"), http: http,
                    device: DeviceFacts(model: "m", manufacturer: "f", osVersion: "6")),
                vault: MemoryVault(), clock: clock, budgetClock: clock, platform: NoSignOn(), digest: { _ in "d" }))
        let statement = Secret(Box.statement)
        let caller = BackendCaller(
            registration: backend.registration(of: AppID(rawValue: "tv.app"), statement: statement),
            softwareStatement: statement, requestor: RequestorID(rawValue: "LUMENTV"),
            device: DeviceID(rawValue: "abc"), deadline: clock.boot.advanced(by: .seconds(1000)))
        return try await backend.partnerRequest(PartnerSample.beacon, of: PartnerSample.hearth, caller)
    }

    @Test func `bytes that are not text are passed on unchanged`() async throws {
        let bytes = (0...255).map { UInt8($0) } + [0xFF, 0xFE, 0x0D, 0x0A, 0x00]
        #expect(try await step(bytes, limit: 4096) == .forward(PartnerRequest(verificationToken: bytes)))
    }

    @Test func `a request over the size limit is refused`() async throws {
        let fault = await #expect(throws: BackendFault.self) {
            try await step([UInt8](repeating: 0x61, count: 5000), limit: 4096)
        }
        #expect(fault?.kind == .unusableAnswer)
    }
}
