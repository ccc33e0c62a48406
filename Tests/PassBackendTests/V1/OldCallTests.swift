// Tests that calls match the contract's endpoint tables, byte for byte.

import AccessEnabler
import PassProtocol
import Testing

@testable import PassBackend

@Suite("rest-v1.md §2, §5, §6, §9.1: calls") struct OldCallTests {
    private static func calls(
        _ platformIdentity: Secret? = nil, _ change: (inout BackendCaller) -> Void = { _ in }
    ) throws -> V1Calls {
        var caller = BackendCaller.sample(visitorID: nil, deviceInfo: "a+b/c=")
        caller.options.temporaryIdentity = [:]
        change(&caller)
        return V1Calls(
            service: try .sample(codes: "https://codes.example"), caller: caller, accessToken: Secret("tok"),
            platformIdentity: platformIdentity)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let line: String
        var body = ""
        let call: @Sendable (V1Calls) -> HTTPRequest
        var testDescription: String { "\(section): \(line)" }
    }

    private static let own = "requestor=LUMENTV&deviceId=abc"

    static let rows: [Row] = [
        Row(section: "§6.1", line: "POST /reggie/v1/LUMENTV/regcode?deviceId=abc") {
            $0.createCode(provider: nil, registrationURL: nil)
        },
        Row(
            section: "§6.1",
            line:
                "POST /reggie/v1/LUMENTV/regcode?deviceId=abc&mvpd=NorthCable&registrationURL=https%3A%2F%2Fa"
        ) { $0.createCode(provider: north, registrationURL: "https://a") },
        Row(section: "§6.2, OQ-40", line: "DELETE /reggie/v1/LUMENTV/regcode/7KQ") {
            $0.deleteCode(RegistrationCode(rawValue: "7KQ"))
        },
        Row(section: "§6.3", line: "GET /api/v1/config/LUMENTV") {
            $0.configuration(deviceType: nil)
        },
        Row(
            section: "§6.3, of the platform", line: "GET /api/v1/config/LUMENTV?deviceType=hearth-box"
        ) { $0.configuration(deviceType: "hearth-box") },
        Row(section: "§6.7", line: "GET /api/v1/tokens/authn?\(own)") { $0.authentication() },
        Row(section: "§6.8", line: "GET /api/v1/authorize?\(own)&resource=film") {
            $0.authorize(film)
        },
        Row(section: "§6.9", line: "GET /api/v1/tokens/authz?\(own)&resource=film") {
            $0.authorization(film)
        },
        Row(section: "§6.10", line: "GET /api/v1/tokens/media?\(own)&resource=film") {
            $0.mediaToken(film)
        },
        Row(
            section: "§6.8, an MRSS resource",
            line: "GET /api/v1/authorize?\(own)&resource=%3Crss%3E%C3%A9%20%2B%3C%2Frss%3E"
        ) { $0.authorize(ResourceID(rawValue: "<rss>é +</rss>")) },
        Row(section: "§6.11", line: "GET /api/v1/preauthorize?\(own)&resource=a%2Cb") {
            $0.preauthorize([ResourceID(rawValue: "a"), ResourceID(rawValue: "b")])
        },
        Row(section: "§6.12", line: "GET /api/v1/tokens/usermetadata?\(own)") {
            $0.metadata()
        },
        Row(section: "§6.13", line: "DELETE /api/v1/logout?\(own)") { $0.logout() },
        Row(
            section: "§9.1, OQ-34", line: "POST /api/v1/authenticate/freepreview",
            body: "requestor_id=LUMENTV&deviceId=abc&mso_id=LumenPass&domain_name=lumen.example"
        ) { $0.freePreview(ProviderID(rawValue: "LumenPass"), domainName: "lumen.example") },
        Row(
            section: "§10.1", line: "GET /api/v1/LUMENTV/profile-requests/NorthCable?deviceType=hearth-box"
        ) { $0.profileRequest(north, deviceType: "hearth-box") },
        Row(
            section: "§10.3, encoded once", line: "POST /api/v1/tokens/authn",
            body: "\(own)&mvpd=NorthCable&deviceType=hearth-box&SAMLResponse=PHI%2BPg%3D%3D"
        ) { $0.exchange(Secret("PHI+Pg=="), at: north, deviceType: "hearth-box") },
    ]

    @Test(arguments: rows) func `each call matches its section`(row: Row) throws {
        let call = row.call(try Self.calls())
        #expect("\(call.method.rawValue) \(call.url.target)" == row.line)
        #expect(String(decoding: call.body, as: UTF8.self) == row.body)
        let host = row.line.contains("/reggie/") ? "codes" : "sp"
        #expect(call.url.origin.description == "https://\(host).example")
        let typed = row.body.isEmpty ? [] : ["Content-Type"]
        #expect(call.headers.fields.map(\.name) == ["Authorization", "X-Device-Info", "Accept"] + typed)
        #expect(call.headers["Authorization"] == "Bearer tok")
        #expect(call.headers["Accept"] == "application/json")
        #expect(call.headers["X-Device-Info"] == "a%2Bb%2Fc%3D", "open-questions.md OQ-35")
    }

    @Test(arguments: rows) func `§2: the common parameters are in the query, or in the form`(row: Row) throws {
        let call = row.call(try Self.calls(Secret("jws")) { $0.options.texts[.visitorID] = "v 1" })
        let place = row.body.isEmpty ? call.url.target : String(decoding: call.body, as: UTF8.self)
        #expect(place.hasSuffix("ap_vi=v%201"))
        #expect(call.headers["Adobe-Subject-Token"] == "jws")
        #expect(call.headers["AD-Service-Token"] == nil)
    }

    @Test func `§9.2: the identity of a promotional pass is sent only for the pass and its permits`() throws {
        let calls = try Self.calls { $0.options.temporaryIdentity = ["email": "0f1e"] }
        let data = "generic_data=%7B%22email%22%3A%220f1e%22%7D"
        #expect(calls.authorize(film).url.target.hasSuffix("&\(data)"))
        let form = calls.freePreview(north, domainName: "lumen.example").body
        #expect(String(decoding: form, as: UTF8.self).hasSuffix("&\(data)"))
        #expect(!calls.mediaToken(film).url.target.contains("generic_data"))
        #expect(!calls.authentication().url.target.contains("generic_data"))
    }

    @Test func `names with special characters stay in one segment of the path`() throws {
        let calls = try Self.calls()
        #expect(
            calls.deleteCode(RegistrationCode(rawValue: "a/b?c#d")).url.target
                == "/reggie/v1/LUMENTV/regcode/a%2Fb%3Fc%23d")
    }
}
