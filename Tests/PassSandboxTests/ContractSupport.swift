// Helpers for the contract tests of the endpoints: named rows for their tables, comparison of answers by content, and
// expected refusals.

import PassJSON
import Testing

@testable import PassSandbox

/// A row of a table, with its name in a test report.
struct Row<Value: Sendable>: Sendable, CustomTestStringConvertible {
    let name: String
    let value: Value

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    var testDescription: String { name }
}

extension TestClock {
    /// The time on the clock of every fixture at its start.
    static let start: Instant = 1_795_564_800_000
}

extension JSONValue {
    /// The sorted names of the members.
    var names: [String] { (members ?? []).map(\.name).sorted() }

    func without(_ names: String...) -> JSONValue { .object((members ?? []).filter { !names.contains($0.name) }) }

    /// The form of unencrypted attributes: `{"value": …, "state": "plain"}`.
    static func plain(_ value: JSONValue) -> JSONValue { ["value": value, "state": "plain"] }
}

extension Response {
    func profile(_ mvpd: String) -> JSONValue? { json["profiles"]?[mvpd] }

    /// The error object of the first item.
    var itemError: JSONValue? { decisions.first?["error"] }

    var mediaToken: String? { decisions.first?["token"]?["serializedToken"]?.string }
}

/// Expects exactly these members, in any order.
func expect(
    _ response: Response, _ status: Int, is body: JSONValue, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(response.status == status, sourceLocation: sourceLocation)
    #expect(response.json == body, sourceLocation: sourceLocation)
}

/// Expects a refusal whose body is only the error object. Contract: rest-v2.md §6.1.
func expect(
    _ response: Response, refuses status: Int, _ code: String, bodyStatus: Int64? = nil, action: String = "none",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = response.json
    let found: JSONValue = [
        "http": .int(Int64(response.status)), "status": error["status"] ?? .null, "code": error["code"] ?? .null,
        "action": error["action"] ?? .null,
    ]
    let wanted: JSONValue = [
        "http": .int(Int64(status)), "status": .int(bodyStatus ?? Int64(status)), "code": .string(code),
        "action": .string(action),
    ]
    #expect(found == wanted, sourceLocation: sourceLocation)
    #expect(error["message"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(error["trace"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
    #expect(response.header("Content-Type") == "application/json;charset=utf-8", sourceLocation: sourceLocation)
}

/// Expects a refusal of registration, with only `{"error": …}`. Contract: dcr.md §3, §4.
func expect(
    _ response: Response, oauth error: String, status: Int = 400, sourceLocation: SourceLocation = #_sourceLocation
) {
    expect(response, status, is: ["error": .string(error)], sourceLocation: sourceLocation)
}

extension SandboxFixture {
    /// Calls a control path, as an operator does.
    @discardableResult
    func control(_ path: String, _ body: JSONValue) throws -> JSONValue {
        let answer = send(.post("/sandbox/\(path)", json: body))
        try #require(answer.status == 200, "\(answer.text)")
        return answer.json
    }

    func statement(_ app: String = "lumen-tv") throws -> String {
        try #require(try control("statement", ["app": .string(app)])["statement"]?.string)
    }
}

extension Catalogue {
    /// Changes one integration.
    mutating func integration(
        _ serviceProvider: String, _ provider: String, _ change: (inout Integration) -> Void
    ) {
        for index in integrations.indices
        where integrations[index].serviceProvider == serviceProvider && integrations[index].provider == provider {
            change(&integrations[index])
        }
    }

    mutating func app(_ id: String, _ change: (inout App) -> Void) {
        for index in apps.indices where apps[index].id == id { change(&apps[index]) }
    }
}

extension SandboxFixture {
    /// A fixture for tests that outlast an access token.
    static func longLived(_ change: (inout Catalogue) -> Void = { _ in }) throws -> SandboxFixture {
        try SandboxFixture { catalogue in
            catalogue.settings.accessTokenLifetime = .seconds(1000 * 86400)
            change(&catalogue)
        }
    }
}

extension TestClient {
    /// Adds a login without a session.
    func addProfile(
        _ mvpd: String, user: String, source: Profile.Source = .regular, life: Int64 = 86_400_000
    ) {
        fixture.sandbox.withWorld { world, now in
            let profile = Profile(
                client: clientID, device: device, serviceProvider: serviceProvider, mvpd: mvpd, user: user,
                begins: now, ends: now + life, source: source)
            world.state.profiles[profile.key] = profile
        }
    }

    /// The status of a partner's platform. Contract: rest-v2.md §3.8.
    static func partnerStatus(
        _ access: String? = "granted", id: String? = "beacon-11", ends: Int64 = TestClock.start + 86_400_000
    ) -> Field {
        let status: JSONValue = [
            "frameworkPermissionInfo": .members(["accessStatus": access.map(JSONValue.string)]),
            "frameworkProviderInfo": .members([
                "id": id.map(JSONValue.string), "expirationDate": .string(String(ends)),
            ]),
        ]
        return Field("AP-Partner-Framework-Status", base64(status.bytes))
    }
}
