// A client of the service in tests. It registers, gets a token, and sends calls with the headers that the contract
// requires. It also logs viewers in, without pages.

import PassJSON
import Testing

@testable import PassSandbox

struct TestClient: Sendable {
    let fixture: SandboxFixture
    let serviceProvider: String
    let clientID: String
    let secret: String
    let token: String
    let device: String

    /// Calls R1 and R2 for an app of the catalogue.
    init(
        _ fixture: SandboxFixture, app: String = "lumen-tv", serviceProvider: String = "LUMENTV",
        device: String = "box-1"
    ) throws {
        let statement = try #require(
            fixture.sandbox.withWorld { world, now in
                world.catalogue.app(app).map { world.softwareStatement(for: $0, at: now) }
            })
        let info = [Field("X-Device-Info", Request.deviceInfo)]
        let registered = fixture.send(
            .post("/o/client/register", json: ["software_statement": .string(statement)], info))
        clientID = try #require(registered.json["client_id"]?.string)
        secret = try #require(registered.json["client_secret"]?.string)
        let form = [
            Field("client_id", clientID), Field("client_secret", secret), Field("grant_type", "client_credentials"),
        ]
        token = try #require(fixture.send(.post("/o/client/token", form: form, info)).json["access_token"]?.string)
        self.fixture = fixture
        self.serviceProvider = serviceProvider
        self.device = device
    }

    /// The same client for another sandbox.
    init(_ client: TestClient, on fixture: SandboxFixture) {
        self.fixture = fixture
        serviceProvider = client.serviceProvider
        clientID = client.clientID
        secret = client.secret
        token = client.token
        device = client.device
    }

    var headers: [Field] {
        [
            Field("Authorization", "Bearer \(token)"),
            Field("AP-Device-Identifier", "fingerprint \(base64(device.utf8))"),
            Field("X-Device-Info", Request.deviceInfo),
        ]
    }

    func path(_ rest: String) -> String { "/api/v2/\(serviceProvider)/\(rest)" }

    func get(_ rest: String, query: [Field] = [], _ extra: [Field] = []) -> Request {
        .get(path(rest), query: query, headers + extra)
    }

    func post(_ rest: String, form: [Field], _ extra: [Field] = []) -> Request {
        .post(path(rest), form: form, headers + extra)
    }

    func post(_ rest: String, json: JSONValue, _ extra: [Field] = []) -> Request {
        .post(path(rest), json: json, headers + extra)
    }

    func send(_ request: Request) -> Response { fixture.send(request) }

    static func loginForm(_ mvpd: String = "NorthCable") -> [Field] {
        [
            Field("mvpd", mvpd), Field("domainName", "lumentv.example"),
            Field("redirectUrl", "https://lumentv.example/done"),
        ]
    }

    /// Calls S1, and returns the code if there is one.
    func openSession(
        _ form: [Field] = [Field("mvpd", "NorthCable")], _ extra: [Field] = []
    ) -> String? { send(post("sessions", form: form, extra)).json["code"]?.string }

    /// Completes the viewer's login without pages.
    func completeLogin(code: String, user: String, mvpd: String = "NorthCable") throws {
        let found = fixture.sandbox.withWorld { world, now in
            guard let session = world.state.sessions[code],
                let subscriber = world.catalogue.provider(mvpd)?.subscriber(user)
            else { return false }
            world.completeLogin(session, mvpd: mvpd, subscriber: subscriber, home: nil, at: now)
            return true
        }
        try #require(found, "there is no open session \(code), or no subscriber \(user)")
    }

    func logIn(_ user: String = "ada", mvpd: String = "NorthCable", _ extra: [Field] = []) throws {
        let code = try #require(openSession([Field("mvpd", mvpd)], extra))
        try completeLogin(code: code, user: user, mvpd: mvpd)
    }

    func authorize(_ resources: [String], mvpd: String = "NorthCable", _ extra: [Field] = []) -> Response {
        send(
            post(
                "decisions/authorize/\(mvpd)", json: ["resources": .array(resources.map(JSONValue.string))], extra))
    }

    func preauthorize(_ resources: [String], mvpd: String = "NorthCable", _ extra: [Field] = []) -> Response {
        send(
            post(
                "decisions/preauthorize/\(mvpd)", json: ["resources": .array(resources.map(JSONValue.string))], extra))
    }
}

extension Response {
    var decisions: [JSONValue] { json["decisions"]?.array ?? [] }
    var profiles: [JSONObject.Member] { json["profiles"]?.members ?? [] }
}
