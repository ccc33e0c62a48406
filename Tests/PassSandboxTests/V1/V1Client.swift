// A device that uses the older interface in tests. It registers, gets a token, and sends all required parameters.

import PassJSON
import Testing

@testable import PassSandbox

struct V1Client: Sendable {
    let client: TestClient
    let requestor: String
    let device: String
    var appID: String?

    var fixture: SandboxFixture { client.fixture }

    init(
        _ fixture: SandboxFixture, app: String = "lumen-legacy", requestor: String = "LUMENTV",
        device: String = "box-1", appID: String? = nil
    ) throws {
        client = try TestClient(fixture, app: app, serviceProvider: requestor, device: device)
        self.requestor = requestor
        self.device = device
        self.appID = appID
    }

    init(_ other: V1Client, requestor: String) {
        client = other.client
        self.requestor = requestor
        device = other.device
        appID = other.appID
    }

    /// A client of a strict sandbox. It registered before strict was switched on.
    static func strict() throws -> V1Client {
        let lenient = try V1Client(SandboxFixture())
        let strict = try SandboxFixture { $0.settings.strict = true }
        let state = lenient.fixture.sandbox.withWorld { world, _ in world.state }
        strict.sandbox.withWorld { world, _ in world.state = state }
        return V1Client(lenient, on: strict)
    }

    init(_ other: V1Client, on fixture: SandboxFixture) {
        client = TestClient(other.client, on: fixture)
        requestor = other.requestor
        device = other.device
        appID = other.appID
    }

    static let deviceInfo = Field("X-Device-Info", percentEncoded(Request.deviceInfo))

    var bearer: Field { Field("Authorization", "Bearer \(client.token)") }

    var headers: [Field] {
        [bearer, Self.deviceInfo, Field("Accept", "application/json"), Field("User-Agent", "test-box/1.0")]
    }

    /// The parameters of all device calls.
    var identity: [Field] {
        [Field("requestor", requestor), Field("deviceId", device)] + (appID.map { [Field("appId", $0)] } ?? [])
    }

    func send(_ request: Request) -> Response { fixture.send(request) }

    func request(
        _ method: String = "GET", _ path: String, _ query: [Field] = [], _ extra: [Field] = []
    ) -> Request {
        Request(method: method, path: path, query: identity + query, headers: headers + extra)
    }

    func get(_ path: String, _ query: [Field] = [], _ extra: [Field] = []) -> Response {
        send(request("GET", "/api/v1/" + path, query, extra))
    }

    func codeRequest(_ query: [Field] = []) -> Request {
        Request(
            method: "POST", path: "/reggie/v1/\(requestor)/regcode", query: Array(identity.dropFirst()) + query,
            headers: headers)
    }

    func code(_ query: [Field] = []) throws -> String {
        let answer = send(codeRequest(query))
        return try #require(answer.json["code"]?.string, "\(answer.text)")
    }

    func readCode(_ code: String) -> Response { send(request("GET", "/reggie/v1/\(requestor)/regcode/\(code)")) }

    /// Completes the viewer's login without pages.
    func logIn(_ user: String = "ada", mvpd: String = "NorthCable") throws {
        try client.completeLogin(code: code(), user: user, mvpd: mvpd)
    }

    func authorize(_ resource: String = "lumen-sports-1", _ query: [Field] = []) -> Response {
        get("authorize", [Field("resource", resource)] + query)
    }

    func mediaToken(_ resource: String = "lumen-sports-1") -> Response {
        get("tokens/media", [Field("resource", resource)])
    }

    func logOut() -> Response { send(request("DELETE", "/api/v1/logout")) }

    func preview(_ mvpd: String = "LumenPreview", _ extra: [Field] = []) -> Response {
        send(.post("/api/v1/authenticate/freepreview", form: previewForm(mvpd) + extra, headers))
    }

    func previewForm(_ mvpd: String = "LumenPreview") -> [Field] {
        [
            Field("requestor_id", requestor), Field("deviceId", device), Field("mso_id", mvpd),
            Field("domain_name", "lumentv.example"),
        ]
    }

    /// The parameters of the browser's first step on the second screen, in the contract's order. Contract:
    /// rest-v1.md §6.4.
    static func authenticate(_ code: String, requestor: String = "LUMENTV", mvpd: String = "NorthCable") -> [Field] {
        [
            Field("reg_code", code), Field("requestor_id", requestor), Field("mso_id", mvpd),
            Field("domain_name", "lumentv.example"), Field("noflash", "true"), Field("no_iframe", "true"),
            Field("redirect_url", "https://lumentv.example/done"),
        ]
    }

    func authenticate(_ query: [Field]) -> Response {
        send(Request(method: "GET", path: "/api/v1/authenticate", query: query))
    }
}

extension [Field] {
    func without(_ name: String) -> [Field] { filter { $0.name != name } }

    func with(_ name: String, _ value: String) -> [Field] {
        map { $0.name == name ? Field(name, value) : $0 }
    }
}

extension Request {
    /// The same request, with an answer in XML.
    var inXML: Request { with(header: "Accept", "application/xml") }
}

/// Expects an answer in the basic form: only status, message and details. Contract: rest-v1.md §4.
func expect(
    _ response: Response, basic status: Int, message: String? = nil, details: JSONValue = .null,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(response.status == status, "\(response.text)", sourceLocation: sourceLocation)
    #expect(
        response.json.names.filter { $0 != "error" } == ["details", "message", "status"],
        sourceLocation: sourceLocation)
    #expect(response.json["status"] == .int(Int64(status)), sourceLocation: sourceLocation)
    #expect(response.json["details"] == details, sourceLocation: sourceLocation)
    if let message { #expect(response.json["message"]?.string == message, sourceLocation: sourceLocation) }
    #expect(response.json["message"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(response.header("Content-Type") == "application/json; charset=utf-8", sourceLocation: sourceLocation)
}

/// Expects an answer in the enhanced form. Contract: rest-v1.md §12.
func expect(
    _ error: JSONValue, enhanced status: Int64, _ code: String, action: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(error["status"] == .int(status), sourceLocation: sourceLocation)
    #expect(error["code"] == .string(code), sourceLocation: sourceLocation)
    #expect(error["action"] == .string(action), sourceLocation: sourceLocation)
    for name in ["message", "helpUrl", "trace"] {
        #expect(error[name]?.string?.isEmpty == false, "\(name)", sourceLocation: sourceLocation)
    }
}

/// Expects that the element has the same content as the JSON, with any names for list items. Contract:
/// rest-v1.md §3.
func expectSame(
    _ json: JSONValue, _ element: XMLElement, sourceLocation: SourceLocation = #_sourceLocation
) {
    switch json {
    case .null: Issue.record("null has no element", sourceLocation: sourceLocation)
    case .bool, .number: #expect(element.text == json.text, sourceLocation: sourceLocation)
    case .string(let text): #expect(element.text == text, sourceLocation: sourceLocation)
    case .array(let items):
        #expect(element.children.count == items.count, "\(element.name)", sourceLocation: sourceLocation)
        for (item, child) in zip(items, element.children) { expectSame(item, child, sourceLocation: sourceLocation) }
    case .object(let object):
        let members = object.members.filter { $0.value != .null }
        #expect(
            element.children.map(\.name).sorted() == members.map(\.name).sorted(), sourceLocation: sourceLocation)
        for member in members {
            guard let child = element[member.name] else { continue }
            expectSame(member.value, child, sourceLocation: sourceLocation)
        }
    }
}

extension PageFixture {
    /// A browser with an existing sandbox.
    init(sandbox: SandboxFixture) {
        self.sandbox = sandbox
        bearer = []
    }
}
