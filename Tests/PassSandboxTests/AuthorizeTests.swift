// Tests D1, which decides whether a viewer may watch a resource, and gives a token as proof.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("rest-v2.md D1: authorize")
struct AuthorizeTests {
    @Test func `a permit has a token of seven minutes and a decision of a day`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        client.fixture.clock.advance(.seconds(200))
        let answer = client.authorize(["lumen-sports-1"])
        let token = try #require(answer.mediaToken)
        expect(
            answer, 200,
            is: [
                "decisions": [
                    [
                        "resource": "lumen-sports-1", "serviceProvider": "LUMENTV", "mvpd": "NorthCable",
                        "source": "mvpd", "authorized": true,
                        "token": [
                            "notBefore": 1_795_565_000_000, "notAfter": 1_795_565_420_000,
                            "serializedToken": .string(token),
                        ],
                        "notBefore": 1_795_565_000_000, "notAfter": 1_795_651_400_000,
                    ]
                ]
            ])
        #expect(answer.header("Content-Type") == "application/json;charset=utf-8")
    }

    @Test func `E8: a denial also has status 200, with the error in the item and without a token`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("noor")
        client.fixture.clock.advance(.seconds(200))
        let answer = client.authorize(["lumen-sports-1"])
        let error = try #require(answer.itemError)
        let message = try #require(error["message"]?.string)
        let trace = try #require(error["trace"]?.string)
        #expect(!message.isEmpty && !trace.isEmpty)
        expect(
            answer, 200,
            is: [
                "decisions": [
                    [
                        "resource": "lumen-sports-1", "serviceProvider": "LUMENTV", "mvpd": "NorthCable",
                        "source": "mvpd", "authorized": false,
                        "error": [
                            "status": 403, "code": "authorization_denied_by_mvpd", "action": "none",
                            "message": .string(message),
                            "details":
                                "Your package does not include this channel. Call North Cable on 555-0100 to add it.",
                            "helpUrl": .string("\(SandboxFixture.origin)/errors#authorization_denied_by_mvpd"),
                            "trace": .string(trace),
                        ],
                        "notBefore": 1_795_565_000_000, "notAfter": 1_795_568_600_000,
                    ]
                ]
            ])
    }

    /// A subscriber, a resource, and the expected item of the answer.
    struct Denial: Sendable, CustomTestStringConvertible {
        let user: String
        let mvpd: String
        let channel: String
        let resource: String
        let code: String
        let action: String
        /// Whether the service stores the decision and tells its lifetime.
        let isKept: Bool

        var testDescription: String { "\(user) and \(resource): \(code)" }
    }

    static let denials: [Denial] = [
        Denial(
            user: "heidi", mvpd: "AlpenTel", channel: "LUMENTV", resource: "lumen-movies",
            code: "authorization_denied_by_mvpd", action: "none", isKept: true),
        Denial(
            user: "ada", mvpd: "NorthCable", channel: "LUMENTV", resource: "no-such-channel",
            code: "authorization_denied_by_mvpd", action: "none", isKept: true),
        Denial(
            user: "kim", mvpd: "NorthCable", channel: "LUMENTV", resource: "lumen-movies",
            code: "authorization_denied_by_parental_controls", action: "none", isKept: true),
        Denial(
            user: "urs", mvpd: "AlpenTel", channel: "LUMENTV", resource: "lumen-sports-1",
            code: "identity_not_recognized_by_mvpd", action: "authentication", isKept: false),
        Denial(
            user: "flora", mvpd: "NorthCable", channel: "LUMENTV", resource: "lumen-sports-1",
            code: "network_received_error", action: "retry", isKept: false),
        Denial(
            user: "flora", mvpd: "NorthCable", channel: "LUMENTV", resource: "lumen-movies",
            code: "network_connection_timeout", action: "retry", isKept: false),
        Denial(
            user: "flora", mvpd: "NorthCable", channel: "NEWS24", resource: "news24-live",
            code: "maximum_execution_time_exceeded", action: "retry", isKept: false),
    ]

    @Test(arguments: denials)
    func `each denial has its remedy`(_ denial: Denial) throws {
        let app = denial.channel == "NEWS24" ? "news24" : "lumen-tv"
        let client = try TestClient(SandboxFixture(), app: app, serviceProvider: denial.channel)
        try client.logIn(denial.user, mvpd: denial.mvpd)
        let answer = client.authorize([denial.resource], mvpd: denial.mvpd)
        #expect(answer.status == 200)
        let item = try #require(answer.decisions.first)
        #expect(item["authorized"] == false)
        #expect(item["token"] == nil)
        #expect(item["error"]?["code"] == .string(denial.code))
        #expect(item["error"]?["action"] == .string(denial.action))
        #expect(item["error"]?["status"] == 403)
        #expect((item["notBefore"]?.int != nil) == denial.isKept)
        #expect((item["notAfter"]?.int != nil) == denial.isKept)
    }

    /// These errors are in the items of the answer.
    @Test func `a missing, an expired and a revoked login lead to denials with status 200`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        func code() -> String? {
            let answer = client.authorize(["lumen-sports-1"])
            #expect(answer.status == 200)
            #expect(answer.decisions.first?["authorized"] == false)
            #expect(answer.itemError?["action"] == "authentication")
            #expect(answer.itemError?["status"] == 403)
            return answer.itemError?["code"]?.string
        }
        #expect(code() == "authenticated_profile_missing")
        try client.logIn("omar", mvpd: "BeaconTV")
        #expect(code() == "authenticated_profile_missing", "a login elsewhere does not count here")
        try client.logIn()
        try fixture.control("expire", ["kind": "login", "id": "NorthCable"])
        #expect(code() == "authenticated_profile_expired")
        try client.logIn()
        try fixture.control("expire", ["kind": "login", "id": "NorthCable", "reason": "invalidated"])
        #expect(code() == "authenticated_profile_invalidated")
        #expect(client.send(client.get("logout/NorthCable")).status == 200)
        #expect(code() == "authenticated_profile_missing")
    }

    @Test func `a call may ask for one resource, and a longer list is refused as a whole`() throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        expect(
            client.authorize(["lumen-sports-1", "lumen-movies"]), refuses: 400, "too_many_resources", bodyStatus: 403,
            action: "configuration")
    }

    @Test func `if the integration allows more, the items have the order of the request`() throws {
        let fixture = try SandboxFixture { catalogue in
            catalogue.integration("LUMENTV", "NorthCable") { $0.authorizeLimit = 3 }
        }
        let client = try TestClient(fixture)
        try client.logIn("kim")
        let answer = client.authorize(["lumen-movies", "lumen-sports-1", "lumen-kids"])
        #expect(answer.decisions.map { $0["resource"] } == ["lumen-movies", "lumen-sports-1", "lumen-kids"])
        #expect(answer.decisions.map { $0["authorized"] } == [false, true, true])
    }

    static let malformed: [Row<String>] = [
        .init("no body", ""), .init("no JSON", "resources=lumen-sports-1"), .init("cut off", "{\"resources\":[\"a\"]"),
        .init("an array", "[\"lumen-sports-1\"]"), .init("no resources", "{}"),
        .init("null", "{\"resources\":null}"), .init("a string", "{\"resources\":\"lumen-sports-1\"}"),
        .init("an object", "{\"resources\":{\"a\":1}}"), .init("no items", "{\"resources\":[]}"),
        .init("a number", "{\"resources\":[1]}"), .init("a null item", "{\"resources\":[null]}"),
        .init("an item of items", "{\"resources\":[[\"lumen-sports-1\"]]}"),
        .init("an empty item", "{\"resources\":[\"\"]}"), .init("a blank item", "{\"resources\":[\"  \"]}"),
        .init("one good item, one bad", "{\"resources\":[\"lumen-sports-1\",2]}"),
        .init("the list twice", "{\"resources\":[\"a\"],\"resources\":[\"b\"]}"),
        .init("text after the body", "{\"resources\":[\"lumen-sports-1\"]}x"),
        .init("XML that is not MRSS", "{\"resources\":[\"<a>b</a>\"]}"),
        .init("MRSS without a title", "{\"resources\":[\"<rss><channel></channel></rss>\"]}"),
        .init("MRSS cut off", "{\"resources\":[\"<rss><channel><title>a\"]}"),
        .init("an item far too long", "{\"resources\":[\"\(String(repeating: "x", count: 8193))\"]}"),
    ]

    @Test(arguments: malformed, ["authorize", "preauthorize"])
    func `D1 and D2 refuse a missing or malformed list of resources`(
        _ row: Row<String>, _ question: String
    ) throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        var request = client.post("decisions/\(question)/NorthCable", json: [:])
        request.body = Array(row.value.utf8)
        expect(client.send(request), refuses: 400, "invalid_parameter_resources")
    }

    @Test(arguments: ["authorize", "preauthorize"])
    func `a body that is not UTF-8 is refused, and unknown members are ignored`(_ question: String) throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn()
        var request = client.post(
            "decisions/\(question)/NorthCable", json: ["resources": ["lumen-sports-1"], "more": [1, 2]])
        #expect(client.send(request).decisions.first?["authorized"] == true)
        request.body = Array("{\"resources\":[\"".utf8) + [0xFF] + Array("\"]}".utf8)
        expect(client.send(request), refuses: 400, "invalid_parameter_resources")
    }

    static let wrongPairs: [Row<(channel: String, mvpd: String, status: Int, code: String)>] = [
        .init("an unknown MVPD", ("LUMENTV", "Nobody", 400, "invalid_parameter_mvpd")),
        .init("a missing MVPD", ("LUMENTV", "", 400, "invalid_parameter_mvpd")),
        .init("no integration", ("NEWS24", "AlpenTel", 400, "invalid_integration")),
        .init("an integration that is off", ("SUMMITTV", "NorthCable", 400, "invalid_integration")),
        .init("a misconfigured integration", ("SUMMITTV", "BeaconTV", 500, "invalid_configuration_platform")),
    ]

    @Test(arguments: wrongPairs, ["decisions/authorize", "decisions/preauthorize", "logout"])
    func `D1, D2 and L1 refuse a wrong MVPD`(
        _ row: Row<(channel: String, mvpd: String, status: Int, code: String)>, _ call: String
    ) throws {
        let apps = ["LUMENTV": "lumen-tv", "NEWS24": "news24", "SUMMITTV": "summit"]
        let (channel, mvpd, status, code) = row.value
        let client = try TestClient(SandboxFixture(), app: try #require(apps[channel]), serviceProvider: channel)
        let path = "\(call)/\(mvpd)"
        let request = call == "logout" ? client.get(path) : client.post(path, json: ["resources": ["summit-live"]])
        expect(client.send(request), refuses: status, code, action: status == 500 ? "configuration" : "none")
    }

    @Test(arguments: ["decisions/authorize", "decisions/preauthorize", "logout", "profiles"])
    func `a provider that is switched off fails even for viewers who are signed in`(_ call: String) throws {
        let fixture = try SandboxFixture { catalogue in
            catalogue.integration("LUMENTV", "NorthCable") { $0.isEnabled = false }
        }
        let client = try TestClient(fixture)
        client.addProfile("NorthCable", user: "ada")
        let path = "\(call)/NorthCable"
        let request =
            call.hasPrefix("decisions") ? client.post(path, json: ["resources": ["a"]]) : client.get(path)
        expect(client.send(request), refuses: 400, "invalid_integration")
    }

    private static func mrss(_ title: String, _ rating: String = "") -> String {
        "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>\(title)</title>"
            + "<item><title>Night, live</title>\(rating)</item></channel></rss>"
    }

    static let resources: [Row<(resource: String, code: String?)>] = [
        .init("a plain id", ("lumen-sports-1", nil)), .init("blanks around it", (" lumen-sports-1 ", nil)),
        .init("MRSS", (mrss("lumen-sports-1"), nil)),
        .init("MRSS with CDATA", (mrss("<![CDATA[lumen-sports-1]]>"), nil)),
        .init("MRSS of another channel", (mrss("summit-live"), "authorization_denied_by_mvpd")),
        .init(
            "MRSS with a rating that is allowed",
            (mrss("lumen-sports-1", "<media:rating scheme=\"urn:v-chip\">tv-pg</media:rating>"), nil)),
        .init(
            "MRSS with a rating above the limit",
            (
                mrss("lumen-sports-1", "<media:rating scheme=\"urn:v-chip\">tv-14</media:rating>"),
                "authorization_denied_by_parental_controls"
            )),
        .init(
            "MRSS with a film rating above the limit",
            (
                mrss("lumen-sports-1", "<media:rating scheme=\"urn:mpaa\">PG-13</media:rating>"),
                "authorization_denied_by_parental_controls"
            )),
    ]

    @Test(arguments: resources)
    func `a resource is an id or MRSS, and is echoed unchanged`(_ row: Row<(resource: String, code: String?)>) throws {
        let client = try TestClient(SandboxFixture())
        try client.logIn("kim")
        let answer = client.authorize([row.value.resource])
        #expect(answer.decisions.first?["resource"] == .string(row.value.resource))
        #expect(answer.itemError?["code"]?.string == row.value.code)
        #expect(answer.decisions.first?["authorized"] == .bool(row.value.code == nil))
    }

    @Test func `a login of another device or client permits nothing`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try client.logIn()
        for other in [try TestClient(fixture), try TestClient(fixture, device: "box-2")] {
            #expect(other.authorize(["lumen-sports-1"]).itemError?["code"] == "authenticated_profile_missing")
        }
    }

    @Test func `if the provider ends the session, the login ends everywhere`() throws {
        let fixture = try SandboxFixture { catalogue in
            for index in catalogue.providers.indices where catalogue.providers[index].id == "NorthCable" {
                catalogue.providers[index].subscribers[0].answers = [
                    "lumen-sports-1": ["authorization_denied_by_session_invalidated"]
                ]
            }
        }
        let client = try TestClient(fixture)
        try client.logIn()
        let error = client.authorize(["lumen-sports-1"]).itemError
        #expect(error?["code"] == "authorization_denied_by_session_invalidated")
        #expect(error?["action"] == "authentication")
        expect(client.send(client.get("profiles")), 200, is: ["profiles": [:]])
        #expect(client.authorize(["lumen-movies"]).itemError?["code"] == "authenticated_profile_invalidated")
        #expect(client.send(client.post("sessions", form: TestClient.loginForm())).json["actionName"] == "authenticate")
    }
}
