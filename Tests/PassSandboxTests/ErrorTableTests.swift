// Tests the contract's table of codes, row by row: the content of each error, and a request that causes it.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md §6.2: error codes")
struct ErrorTableTests {
    struct Entry: Sendable, CustomTestStringConvertible {
        let code: String
        let action: String
        let status: Int64
        /// The status of the whole answer. It is 200 if the error is in an item.
        let http: Int
        let provoke: @Sendable () throws -> Response

        init(
            _ code: String, _ action: String, _ status: Int64, http: Int? = nil,
            _ provoke: @escaping @Sendable () throws -> Response
        ) {
            self.code = code
            self.action = action
            self.status = status
            self.http = http ?? Int(status)
            self.provoke = provoke
        }

        var testDescription: String { code }
    }

    static let table: [Entry] = parameters + headers + sessions + denials + configurations + tokens + profiles + retries

    // MARK: The requests

    private static func get(
        _ path: String, _ extra: [Field] = [], channel: String = "LUMENTV", app: String = "lumen-tv",
        _ change: (inout Catalogue) -> Void = { _ in }
    ) throws -> Response {
        let client = try TestClient(SandboxFixture(change: change), app: app, serviceProvider: channel)
        return client.send(client.get(path, extra))
    }

    private static func post(_ path: String, _ form: [Field], _ extra: [Field] = []) throws -> Response {
        let client = try TestClient(SandboxFixture())
        return client.send(client.post(path, form: form, extra))
    }

    private static func without(_ header: String) throws -> Response {
        let client = try TestClient(SandboxFixture())
        return client.send(client.get("profiles").without(header: header))
    }

    private static func authorize(
        _ resource: String, _ user: String, _ mvpd: String = "NorthCable", channel: String = "LUMENTV",
        app: String = "lumen-tv", before: (TestClient) throws -> Void = { _ in }
    ) throws -> Response {
        let client = try TestClient(SandboxFixture.longLived(), app: app, serviceProvider: channel)
        try client.logIn(user, mvpd: mvpd)
        try before(client)
        return client.authorize([resource], mvpd: mvpd)
    }

    /// A call of X2 with a status of the platform.
    private static func partner(_ status: Field?) throws -> Response {
        try post("profiles/sso/Apple", [Field("SAMLResponse", "x")], status.map { [$0] } ?? [])
    }

    private static let parameters: [Entry] = [
        Entry("invalid_parameter_service_provider", "none", 400) { try get("profiles", channel: "NOBODY") },
        Entry("invalid_parameter_mvpd", "none", 400) { try get("profiles/Nobody") },
        Entry("invalid_parameter_code", "none", 400) { try get("profiles/code/?") },
        Entry("invalid_parameter_resources", "none", 400) {
            let client = try TestClient(SandboxFixture())
            return client.send(client.post("decisions/authorize/NorthCable", json: [:]))
        },
        Entry("invalid_parameter_redirect_url", "none", 400) {
            try post("sessions", [Field("redirectUrl", "https://evil.example/")])
        },
        // The contract's table has no code for a wrong domain.
        Entry("invalid_parameter_domain_name", "none", 400) {
            try post("sessions", [Field("domainName", "evil.example")])
        },
        Entry("invalid_parameter_partner", "none", 400) { try post("sessions/sso/Nobody", []) },
        Entry("invalid_parameter_saml_response", "none", 400) { try partner(TestClient.partnerStatus()) },
    ]

    private static let headers: [Entry] = [
        Entry("invalid_header_device_info", "none", 400) {
            let client = try TestClient(SandboxFixture())
            return client.send(client.get("profiles").with(header: "X-Device-Info", "x"))
        },
        Entry("invalid_header_device_identifier", "none", 400) { try without("AP-Device-Identifier") },
        Entry("invalid_header_identity_for_temporary_access", "none", 400) { try get("profiles/LumenPromo") },
        Entry("invalid_header_pfs_permission_access_not_present", "none", 400) { try partner(nil) },
        Entry("invalid_header_pfs_permission_access_not_determined", "none", 400) {
            try partner(TestClient.partnerStatus("notDetermined"))
        },
        Entry("invalid_header_pfs_permission_access_not_granted", "none", 400) {
            try partner(TestClient.partnerStatus("denied"))
        },
        Entry("invalid_header_pfs_provider_id_not_determined", "none", 400) {
            try partner(TestClient.partnerStatus(id: "nobody-0"))
        },
        Entry("invalid_header_pfs_provider_id_mismatch", "none", 400) {
            let fixture = try SandboxFixture { catalogue in
                for index in catalogue.providers.indices where catalogue.providers[index].id == "NorthCable" {
                    catalogue.providers[index].platformMappingID = "ncable-07"
                }
            }
            let client = try TestClient(fixture)
            client.addProfile("BeaconTV", user: "omar", source: .partner("Apple"))
            return client.send(client.get("profiles/BeaconTV", [TestClient.partnerStatus(id: "ncable-07")]))
        },
        Entry("invalid_header_pfs_provider_info_expired", "none", 400) {
            try partner(TestClient.partnerStatus(ends: TestClock.start))
        },
    ]

    private static let sessions: [Entry] = [
        Entry("invalid_integration", "none", 400) { try get("profiles/AlpenTel", channel: "NEWS24", app: "news24") },
        Entry("invalid_authentication_session", "none", 400) { try get("sessions/ZZZZZZZ") },
        Entry("internal_server_error", "none", 500) {
            let client = try TestClient(SandboxFixture())
            try client.fixture.control(
                "faults", ["faults": [["match": "GET /api/v2/*/profiles", "count": 1, "status": 500]]])
            return client.send(client.get("profiles"))
        },
    ]

    private static let denials: [Entry] = [
        Entry("preauthorization_denied_by_mvpd", "none", 403, http: 200) {
            let client = try TestClient(SandboxFixture())
            try client.logIn("noor")
            return client.preauthorize(["lumen-sports-1"])
        },
        Entry("authorization_denied_by_mvpd", "none", 403, http: 200) { try authorize("lumen-sports-1", "noor") },
        Entry("authorization_denied_by_parental_controls", "none", 403, http: 200) {
            try authorize("lumen-movies", "kim")
        },
        Entry("authorization_denied_by_degradation_rule", "none", 403, http: 200) {
            try authorize("lumen-sports-1", "ada") {
                try $0.fixture.control("degradation", ["rule": "AuthZNone", "provider": "NorthCable"])
            }
        },
        // The whole call is refused with 400, but the error object has the table's status.
        Entry("too_many_resources", "configuration", 403, http: 400) {
            try TestClient(SandboxFixture()).preauthorize(["1", "2", "3", "4", "5", "6"])
        },
    ]

    private static let configurations: [Entry] = [
        "invalid_configuration_user_metadata_certificate", "invalid_configuration_temporary_access",
        "invalid_configuration_platform", "invalid_configuration_platform_id", "invalid_configuration_platform_trait",
        "invalid_configuration_platform_category_trait", "invalid_configuration_platform_services",
        "invalid_configuration_mvpd_platform", "invalid_configuration_mvpd_platform_boarding_status",
        "invalid_configuration_mvpd_platform_profile_exchange",
    ].map { code in
        Entry(code, "configuration", 500) {
            let misconfiguration = try #require(ErrorCode(rawValue: code))
            return try get("profiles/NorthCable") { catalogue in
                catalogue.integration("LUMENTV", "NorthCable") { $0.misconfiguration = misconfiguration }
            }
        }
    }

    private static let tokens: [Entry] = [
        Entry("invalid_access_token_service_provider", "application-registration", 401) {
            try get("profiles", channel: "NEWS24")
        },
        Entry("invalid_access_token_client_application", "application-registration", 401) {
            try get("profiles", app: "lumen-legacy")
        },
    ]

    private static let profiles: [Entry] = [
        Entry("authenticated_profile_missing", "authentication", 403, http: 200) {
            try TestClient(SandboxFixture()).authorize(["lumen-sports-1"])
        },
        Entry("authenticated_profile_expired", "authentication", 403, http: 200) {
            try authorize("lumen-sports-1", "ada") { $0.fixture.clock.advance(.seconds(90 * 86400)) }
        },
        Entry("authenticated_profile_invalidated", "authentication", 403, http: 200) {
            try authorize("lumen-sports-1", "ada") {
                try $0.fixture.control("expire", ["kind": "login", "reason": "invalidated"])
            }
        },
        Entry("temporary_access_duration_limit_exceeded", "authentication", 403) {
            let client = try TestClient(SandboxFixture())
            _ = client.authorize(["a"], mvpd: "LumenPreview")
            client.fixture.clock.advance(.seconds(600))
            return client.send(client.get("profiles/LumenPreview"))
        },
        Entry("temporary_access_resources_limit_exceeded", "authentication", 403) {
            let client = try TestClient(SandboxFixture())
            let identity = [Field("AP-TempPass-Identity", base64("{\"email\":\"x\"}".utf8))]
            for title in ["a", "b", "c"] { _ = client.authorize([title], mvpd: "LumenPromo", identity) }
            return client.send(client.get("profiles/LumenPromo", identity))
        },
        Entry("authorization_denied_by_hba_policies", "authentication", 403, http: 200) {
            try authorize("lumen-sports-1", "resi", "AlpenTel") { client in
                client.fixture.sandbox.withWorld { world, _ in
                    for key in world.state.profiles.rows.keys { world.state.profiles[key]?.home = "203.0.113.7" }
                }
            }
        },
        Entry("authorization_denied_by_session_invalidated", "authentication", 403, http: 200) {
            try authorize("summit-live", "urs", "AlpenTel", channel: "SUMMITTV", app: "summit") {
                _ = $0.authorize(["summit-live"], mvpd: "AlpenTel")
                $0.fixture.clock.advance(.seconds(86400))
            }
        },
        Entry("identity_not_recognized_by_mvpd", "authentication", 403, http: 200) {
            try authorize("lumen-sports-1", "urs", "AlpenTel")
        },
    ]

    private static let retries: [Entry] = [
        Entry("network_received_error", "retry", 403, http: 200) { try authorize("lumen-sports-1", "flora") },
        Entry("network_connection_timeout", "retry", 403, http: 200) { try authorize("lumen-movies", "flora") },
        Entry("maximum_execution_time_exceeded", "retry", 403, http: 200) {
            try authorize("news24-live", "flora", channel: "NEWS24", app: "news24")
        },
    ]

    // MARK: The tests

    @Test(arguments: table)
    func `a request provokes the code, with the table's action and status`(_ entry: Entry) throws {
        let answer = try entry.provoke()
        #expect(answer.status == entry.http)
        let error = try #require(entry.http == 200 ? answer.itemError : answer.json)
        #expect(error["code"] == .string(entry.code))
        #expect(error["action"] == .string(entry.action))
        #expect(error["status"] == .int(entry.status))
        #expect(error["message"]?.string?.isEmpty == false)
        #expect(error["helpUrl"]?.string?.hasPrefix("http") == true)
        #expect(error["trace"]?.string?.isEmpty == false)
        #expect(Set(error.names).isSubset(of: ["action", "code", "details", "helpUrl", "message", "status", "trace"]))
    }

    @Test func `the table has exactly the codes that the service knows`() {
        #expect(Self.table.map(\.code).sorted() == ErrorCode.allCases.map(\.rawValue).sorted())
        #expect(Self.table.count == 48, "47 codes of the contract, and the code for domains")
    }

    @Test(arguments: table)
    func `the code itself has the table's action and status`(_ entry: Entry) throws {
        let code = try #require(ErrorCode(rawValue: entry.code))
        #expect(code.action == entry.action)
        #expect(code.status == Int(entry.status))
    }

    @Test func `two errors have different traces`() throws {
        let client = try TestClient(SandboxFixture())
        let traces = (0..<2).map { _ in client.send(client.get("profiles/Nobody")).json["trace"] }
        #expect(traces[0] != nil && traces[0] != traces[1])
    }

    @Test(arguments: ["granted but empty", "restricted", "no JSON", "no permission", "an unknown permission"])
    func `the spelling of the partner's status must be exact`(_ name: String) throws {
        let (header, code): (Field, String) =
            switch name {
            case "granted but empty":
                (
                    TestClient.partnerStatus(id: ""), "invalid_header_pfs_provider_id_not_determined"
                )
            case "restricted":
                (TestClient.partnerStatus("restricted"), "invalid_header_pfs_permission_access_not_granted")
            case "no JSON":
                (
                    Field("AP-Partner-Framework-Status", base64("x".utf8)),
                    "invalid_header_pfs_permission_access_not_present"
                )
            case "no permission":
                (TestClient.partnerStatus(nil), "invalid_header_pfs_permission_access_not_present")
            default: (TestClient.partnerStatus("perhaps"), "invalid_header_pfs_permission_access_not_present")
            }
        expect(try Self.partner(header), refuses: 400, code)
    }
}
