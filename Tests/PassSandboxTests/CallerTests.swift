// Tests the checks of callers, at every endpoint of REST V2.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("dcr.md §6, §8; rest-v2.md §3.2, §6.2: checks of callers")
struct CallerTests {
    @Test(arguments: V2Call.simple)
    func `a correct request is answered with 200 and JSON`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        let answer = client.send(call.request(client, code: try #require(client.openSession([]))))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/json;charset=utf-8")
    }

    static let badTokens: [Row<String?>] = [
        .init("no header", nil), .init("an empty header", ""), .init("no token", "Bearer"),
        .init("an empty token", "Bearer "), .init("an unknown token", "Bearer nothing"),
        .init("another scheme", "Basic bm90aGluZw=="), .init("a token that only begins right", "Bearer {token}x"),
        .init("the token without its scheme", "{token}"),
    ]

    @Test(arguments: V2Call.allCases, badTokens)
    func `without a valid bearer token every call gets 401`(_ call: V2Call, _ row: Row<String?>) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        var request = call.request(client, code: code).without(header: "Authorization")
        if let value = row.value {
            let text = value.hasPrefix("{token}") ? client.token : value
            let filled = text.hasSuffix("{token}x") ? "Bearer \(client.token)x" : text
            request = request.with(header: "Authorization", filled)
        }
        expect(client.send(request), oauth: "access_denied", status: 401)
    }

    @Test(arguments: V2Call.allCases)
    func `an expired token gets 401, and a new token for the same credentials is accepted`(_ call: V2Call) throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        try fixture.control("expire", ["kind": "token", "id": .string(client.token)])
        let code = "AAAAAAA"
        expect(client.send(call.request(client, code: code)), oauth: "access_denied", status: 401)
        let form = [
            Field("client_id", client.clientID), Field("client_secret", client.secret),
            Field("grant_type", "client_credentials"),
        ]
        let renewed = fixture.send(
            .post("/o/client/token", form: form, [Field("X-Device-Info", Request.deviceInfo)]))
        let token = try #require(renewed.json["access_token"]?.string)
        let again = client.send(call.request(client, code: code).with(header: "Authorization", "Bearer \(token)"))
        #expect(again.status != 401)
    }

    @Test(arguments: V2Call.allCases)
    func `a token in the query is ignored`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        var request = call.request(client, code: "AAAAAAA").without(header: "Authorization")
        request.query.append(Field("access_token", client.token))
        #expect(client.send(request).status == 401)
    }

    @Test(arguments: V2Call.allCases)
    func `a fault of the token is reported before faults of the parameters`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        var request = Request(
            method: call.request(client, code: "x").method, path: "/api/v2/NOBODY/\(call.path("!"))")
        #expect(client.send(request).status == 401)
        request.headers = [Field("Authorization", "Bearer nothing")]
        #expect(client.send(request).status == 401)
    }

    @Test(arguments: V2Call.allCases)
    func `a client of a revoked app gets 403 invalid_client`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        try client.fixture.control("revoke", ["app": "lumen-tv"])
        expect(client.send(call.request(client, code: code)), oauth: "invalid_client", status: 403)
    }

    @Test(arguments: V2Call.allCases)
    func `a client that the operator has ended gets 403 invalid_client`(_ call: V2Call) throws {
        let client = try TestClient(SandboxFixture())
        let code = try #require(client.openSession([]))
        try client.fixture.control("expire", ["kind": "client", "id": .string(client.clientID)])
        expect(client.send(call.request(client, code: code)), oauth: "invalid_client", status: 403)
    }

    @Test(arguments: V2Call.allCases)
    func `an app without the channel is told to register another application`(_ call: V2Call) throws {
        let fixture = try SandboxFixture()
        let code = try #require(try TestClient(fixture).openSession([]))
        let stranger = try TestClient(fixture, app: "news24", serviceProvider: "LUMENTV")
        expect(
            fixture.send(call.request(stranger, code: code)), refuses: 401, "invalid_access_token_service_provider",
            action: "application-registration")
    }

    @Test(arguments: V2Call.allCases)
    func `an app without the scope of this interface is told to register another application`(
        _ call: V2Call
    ) throws {
        let fixture = try SandboxFixture()
        let code = try #require(try TestClient(fixture).openSession([]))
        let legacy = try TestClient(fixture, app: "lumen-legacy")
        expect(
            fixture.send(call.request(legacy, code: code)), refuses: 401, "invalid_access_token_client_application",
            action: "application-registration")
    }

    @Test(arguments: V2Call.allCases, ["NOBODY", "lumentv", ""])
    func `E14: a service provider that is unknown, missing or in the wrong case is refused`(
        _ call: V2Call, _ id: String
    ) throws {
        let fixture = try SandboxFixture()
        let code = try #require(try TestClient(fixture).openSession([]))
        let client = try TestClient(fixture, serviceProvider: id)
        expect(fixture.send(call.request(client, code: code)), refuses: 400, "invalid_parameter_service_provider")
    }

    @Test(arguments: V2Call.allCases, ["PUT", "DELETE", "PATCH", "GET", "POST"])
    func `a wrong method gets 405 with the allowed methods`(_ call: V2Call, _ method: String) throws {
        guard !call.methods.contains(method) else { return }
        let client = try TestClient(SandboxFixture())
        var request = call.request(client, code: "AAAAAAA")
        request.method = method
        let answer = client.send(request)
        #expect(answer.status == 405)
        #expect(answer.header("Allow") == call.methods)
        #expect(answer.header("Content-Type") == "application/json;charset=utf-8")
    }

    @Test func `an app's token is valid for both of its channels`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        for channel in ["LUMENTV", "LUMENKIDS"] {
            #expect(fixture.send(.get("/api/v2/\(channel)/profiles", client.headers)).status == 200)
        }
    }

    @Test(arguments: [
        "/api/v2/LUMENTV", "/api/v2/LUMENTV/decision/authorize/NorthCable", "/api/v2/sessions/LUMENTV/AAAAAAA",
        "/api/v2/logout/LUMENTV/NorthCable", "/api/v2/LUMENTV/logout", "/api/v2/LUMENTV/profiles/a/b/c",
        "/api/v3/LUMENTV/profiles", "/o/client/scopes",
    ])
    func `misspelt paths from samples do not exist`(_ path: String) throws {
        let client = try TestClient(SandboxFixture())
        #expect(client.send(.get(path, client.headers)).status == 404)
    }
}
