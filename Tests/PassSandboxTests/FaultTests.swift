// Tests scripted faults and the request journal.

import PassJSON
import Testing

@testable import PassSandbox

@Suite("operations.md §4: faults and journal") struct FaultTests {
    private func script(_ fixture: SandboxFixture, _ fault: JSONValue) -> Response {
        fixture.send(.post("/sandbox/faults", json: ["faults": [fault]]))
    }

    @Test func `a fault applies as often as it says, to the requests that match`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        #expect(script(fixture, ["match": "GET /api/v2/*/profiles/*", "count": 2, "status": 503]).status == 200)
        #expect(client.send(client.get("profiles")).status == 200)
        #expect(client.send(client.get("profiles/NorthCable")).status == 503)
        #expect(client.send(client.get("profiles/AlpenTel")).code == "internal_server_error")
        #expect(client.send(client.get("profiles/NorthCable")).status == 200)
    }

    @Test func `a request with a scripted failure is not executed`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        for effect: JSONObject.Member in [
            .init("status", 500), .init("drop", true), .init("truncate", true), .init("malformed", true),
            .init("error", "internal_server_error"),
        ] {
            _ = script(fixture, .object([.init("match", "POST /api/v2/*/sessions"), .init("count", 1), effect]))
            _ = client.send(client.post("sessions", form: TestClient.loginForm()))
            #expect(fixture.sandbox.withWorld { world, _ in world.state.sessions.rows.isEmpty }, "\(effect.name)")
        }
    }

    @Test func `each effect does what its name says`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        func strike(_ members: [JSONObject.Member]) -> Response {
            _ = script(fixture, .object([.init("match", "* /api/v2/**"), .init("count", 1)] + members))
            return client.send(client.get("profiles"))
        }
        #expect(strike([.init("status", 429)]).header("Content-Type")?.hasPrefix("text/html") == true)
        #expect(strike([.init("status", 401)]).code == "access_denied")
        #expect(strike([.init("drop", true)]).delivery == .dropped)
        #expect(strike([.init("truncate", true)]).delivery == .truncated)
        let malformed = strike([.init("malformed", true)])
        #expect(malformed.status == 200 && malformed.json == .null)
        let delayed = strike([.init("delay", "2s")])
        #expect(delayed.delay == 2000 && delayed.json["profiles"] != nil)
        #expect(strike([.init("dateSkew", "-3d")]).dateSkew == -3 * 86_400_000)
        #expect(strike([.init("contentType", "text/html")]).header("Content-Type") == "text/html")
        let error = strike([.init("error", "invalid_configuration_platform")])
        #expect(error.status == 500 && error.code == "invalid_configuration_platform")
        #expect(client.send(client.get("profiles")).status == 200)
    }

    @Test func `a fault occurs with its probability, in the same sequence for the same seed`() throws {
        func run() throws -> [Int] {
            let fixture = try SandboxFixture()
            _ = script(
                fixture,
                [
                    "match": "GET /api/v2/*/profiles", "probability": .number(JSONNumber(verbatim: "0.25")),
                    "status": 503,
                ])
            return (0..<400).map { _ in fixture.send(.get("/api/v2/LUMENTV/profiles")).status }
        }
        let first = try run()
        try #expect(run() == first)
        #expect((70...130).contains(first.filter { $0 == 503 }.count))
    }

    @Test func `effects can be combined`() throws {
        let fixture = try SandboxFixture()
        func strike(_ effects: [JSONObject.Member]) -> Response {
            _ = script(fixture, .object([.init("match", "GET /x"), .init("count", 1)] + effects))
            return fixture.send(.get("/x"))
        }
        let cut = strike([.init("status", 503), .init("truncate", true), .init("delay", "1s")])
        #expect(cut.status == 503 && cut.delivery == .truncated && cut.delay == 1000)
        let broken = strike([.init("status", 502), .init("malformed", true), .init("truncate", true)])
        #expect(broken.status == 502 && broken.json == .null && broken.delivery == .truncated)
    }

    @Test(arguments: ["GET /*a*a*a*a*a*b", "GET /api/v2/*/profiles/*", "GET /**"])
    func `matching a pattern with a very long path takes little time`(match: String) throws {
        let fixture = try SandboxFixture()
        #expect(script(fixture, ["match": .string(match), "status": 503]).status == 200)
        let long = String(repeating: "a", count: 30_000)
        for path in ["/\(long)", "/api/v2/\(long)/profiles/x", "/" + String(repeating: "a/", count: 15_000)] {
            _ = fixture.send(.get(path))
        }
        #expect(fixture.send(.get("/api/v2/LUMENTV/profiles/NorthCable")).status == (match.contains("b") ? 401 : 503))
    }

    @Test func `faults can be removed`() throws {
        let fixture = try SandboxFixture()
        _ = script(fixture, ["match": "GET /api/v2/**", "status": 503])
        #expect(fixture.send(.get("/api/v2/LUMENTV/profiles")).status == 503)
        #expect(fixture.send(Request(method: "DELETE", path: "/sandbox/faults")).status == 200)
        #expect(fixture.send(.get("/api/v2/LUMENTV/profiles")).status == 401)
    }

    @Test(arguments: [
        "[]", "{}", #"{"faults": 1}"#, #"{"faults": [1]}"#, #"{"faults": [{}]}"#,
        #"{"faults": [{"match": "GET /x"}]}"#, #"{"faults": [{"match": "/x", "status": 500}]}"#,
        #"{"faults": [{"match": "GET /x", "status": 99}]}"#, #"{"faults": [{"match": "GET /x", "status": "500"}]}"#,
        #"{"faults": [{"match": "GET /x", "status": 500, "count": 0}]}"#,
        #"{"faults": [{"match": "GET /x", "status": 500, "probability": 2}]}"#,
        #"{"faults": [{"match": "GET /x", "delay": "2"}]}"#, #"{"faults": [{"match": "GET /x", "delay": "-2s"}]}"#,
        #"{"faults": [{"match": "GET /x", "drop": 1}]}"#, #"{"faults": [{"match": "GET /x", "error": "no_such"}]}"#,
        #"{"faults": [{"match": "GET /x", "contentType": "a\r\nb"}]}"#,
        #"{"faults": [{"match": "GET /x", "stat": 5}]}"#,
        "{", #"{"faults": [], "more": 1}"#,
    ]) func `an invalid body is refused with the reason, and scripts no fault`(body: String) throws {
        let fixture = try SandboxFixture()
        let request = Request(method: "POST", path: "/sandbox/faults", body: Array(body.utf8))
        let response = fixture.send(request)
        #expect(response.status == 400)
        #expect(response.json["message"]?.string?.isEmpty == false)
        #expect(fixture.send(.get("/api/v2/LUMENTV/profiles")).status == 401)
    }

    @Test func `the journal has all requests in order, with masked secrets`() throws {
        let fixture = try SandboxFixture()
        let client = try TestClient(fixture)
        let secrets = [Field("AD-Service-Token", "very-secret"), Field("X-Custom", "shown")]
        _ = client.send(
            client.get("profiles", query: [Field("access_token", "very-secret"), Field("a", "b")], secrets))
        let journal = fixture.send(.get("/sandbox/journal"))
        let requests = try #require(journal.json["requests"]?.array)
        #expect(
            requests.map { $0["path"]?.string } == [
                "/o/client/register", "/o/client/token", "/api/v2/LUMENTV/profiles",
            ])
        let last = try #require(requests.last)
        #expect(last["method"] == "GET" && last["status"] == 200)
        #expect(last["time"]?.int == fixture.clock.now)
        #expect(last["query"] == ["access_token": "***", "a": "b"])
        #expect(last["headers"]?["Authorization"] == "Bearer ***")
        #expect(last["headers"]?["AD-Service-Token"] == "***")
        #expect(last["headers"]?["X-Custom"] == "shown")
        for secret in ["very-secret", client.token, client.secret] { #expect(!journal.text.contains(secret)) }
    }

    @Test func `the journal shows no attempt, no form token and no media token, and shortens long headers`() throws {
        let fixture = try SandboxFixture()
        let query = [Field("login", "very-secret"), Field("csrf", "very-secret"), Field("token", "very-secret")]
        let headers = [
            Field("Referer", "http://127.0.0.1/login/very-secret"),
            Field("X-Long", String(repeating: "x", count: 9000)),
        ]
        _ = fixture.send(.get("/activated", query: query, headers))
        let journal = fixture.send(.get("/sandbox/journal"))
        #expect(!journal.text.contains("very-secret"))
        #expect(journal.text.contains("http://127.0.0.1/login/***"))
        #expect(journal.body.count < 2000)
    }

    @Test func `the journal has a limit and keeps the newest requests`() throws {
        let fixture = try SandboxFixture()
        for number in 0..<(RequestJournal.maxEntries + 5) { _ = fixture.send(.get("/nothing/\(number)")) }
        let requests = try #require(fixture.send(.get("/sandbox/journal")).json["requests"]?.array)
        #expect(requests.count == RequestJournal.maxEntries)
        #expect(requests.first?["path"] == "/nothing/5")
        #expect(requests.last?["path"] == .string("/nothing/\(RequestJournal.maxEntries + 4)"))
    }
}
