// Tests that a call, its requests to the service and its outcome have the same number in the log, and that a decision
// names its client. operations.md §3.

import AccessEnabler
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct RequestRecordTests {
    /// The values of a field in the lines that contain these words.
    private func values(_ field: String, _ words: String, _ text: String) -> [String] {
        text.split(separator: "\n").filter { $0.contains(words) }.compactMap { line in
            line.split(whereSeparator: { $0 == " " || $0 == "(" || $0 == ")" })
                .first { $0.hasPrefix(field + "=") }.map { String($0.dropFirst(field.count + 1)) }
        }
    }

    @Test func `a call, its requests to the service and its outcome share a number`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.app()
        try await visitor.call("getAuthorization", ["resource": "lumen-sports-1"])
        let text = household.log.text
        let request = try #require(values("request", "a call was answered", text).last)
        #expect(values("question", "request=\(request) ", text).contains("authorize"))
        #expect(values("request", "a resource was authorized or refused", text) == [request])
        #expect(values("outcome", "a call was answered (request=\(request) ", text) == ["ok"])
        #expect(Set(values("request", "a call was answered", text)).count == 2, "each call has its own number")
        #expect(!text.contains("lumen-sports-1"))
    }

    @Test func `the record of a decision has the user, the app, the method, the provider and the outcome`()
        async throws
    {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.app()
        try await visitor.call("checkAuthorization", ["resource": "lumen-sports-1"])
        let line =
            household.log.text.split(separator: "\n").first { $0.contains("a resource was authorized or refused") }
            ?? ""
        for field in [
            "peer_pid=\(getpid())", "peer_uid=\(geteuid())", "app=news24", "method=checkAuthorization",
            "requestor=NEWS24", "provider=M1", "resource_hash=", "authorized=yes",
        ] { #expect(line.contains(field), "\(field) in \(line)") }
    }

    @Test func `a decision that waited for a login still has its app`() async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.app()
        try await visitor.send(#"{"jsonrpc":"2.0","id":9,"method":"getAuthorization","params":{"resource":"r"}}"#)
        _ = try await visitor.hear("displayProviderDialog")
        try await visitor.call("setSelectedProvider", ["providerID": "M1"])
        household.backend.script { $0.polls = [.success(.done(Sample.profile))] }
        await household.clock.advance(by: .seconds(10))
        _ = try await visitor.hear("setToken")
        let line =
            household.log.text.split(separator: "\n").first { $0.contains("a resource was authorized or refused") }
            ?? ""
        #expect(line.contains("app=news24") && line.contains("peer_uid=\(geteuid())"), "\(line)")
    }

    @Test(
        arguments: [
            (.unreachable, "<4>the service did not answer properly", "unreachable"),
            (.serverError(502), "<4>the service did not answer properly", "server-error-502"),
            (.throttled, "<6>the service refused a request", "throttled"),
        ] as [(BackendFault.Kind, String, String)])
    func `a fault of the service is recorded with its kind`(
        _ kind: BackendFault.Kind, _ words: String, _ outcome: String
    ) async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.app()
        household.backend.script { $0.authorize = { _ in .failure(BackendFault(kind)) } }
        _ = try await visitor.exchange("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(values("outcome", words, household.log.text) == [outcome])
    }

    private static func refusal(
        _ code: String
    ) -> @Sendable (ResourceID) -> Result<ServiceDecision, BackendFault> {
        { resource in
            let error = ServiceError(status: 403, code: code, actionName: "none")
            return .success(ServiceDecision(resource: resource, isAuthorized: false, source: .mvpd, error: error))
        }
    }

    @Test(
        arguments: [
            ({ Sample.permit($0) }, "permitted"), (refusal("authorization_denied_by_mvpd"), "denied"),
            (refusal("authenticated_profile_expired"), "unauthenticated"),
            (refusal("network_connection_timeout"), "undecided"),
            ({ _ in .failure(BackendFault(.unreachable)) }, "undecided"),
        ] as [(@Sendable (ResourceID) -> Result<ServiceDecision, BackendFault>, String)])
    func `each outcome has its word, for a play and for a hint`(
        _ decide: @escaping @Sendable (ResourceID) -> Result<ServiceDecision, BackendFault>, _ outcome: String
    ) async throws {
        for (method, params) in [
            ("getAuthorization", ["resource": "lumen-sports-1"]),
            ("checkAuthorization", ["resource": "lumen-sports-1"]),
            ("preauthorize", ["resources": ["lumen-sports-1", "lumen-news"]]),
            ("checkPreauthorizedResources", ["resources": ["lumen-sports-1"]]),
        ] as [(String, JSONValue)] {
            let household = try await Household {
                $0.offersAll()
                $0.authorize = decide
                $0.preauthorize = decide
            }
            await household.logsIn()
            let visitor = try await household.app()
            _ = try await visitor.exchange(method, params)
            let text = household.log.text
            let words =
                method.hasSuffix("Authorization")
                ? "a resource was authorized or refused" : "an app was told which resources"
            #expect(values("outcome", words, text) == [outcome], "\(method)")
            #expect(values("request", words, text) == [values("request", "a call was answered", text).last])
            let line = text.split(separator: "\n").first { $0.contains(words) } ?? ""
            for field in [
                "peer_pid=\(getpid())", "peer_uid=\(geteuid())", "app=news24", "method=\(method)", "requestor=NEWS24",
                "provider=M1",
            ] { #expect(line.contains(field), "\(field) in \(line)") }
            #expect(!text.contains("lumen-"))
        }
    }

    @Test func `hints from memory are not recorded as new decisions`() async throws {
        let household = try await Household { $0.offersAll() }
        await household.logsIn()
        let visitor = try await household.app()
        for _ in 0..<3 { try await visitor.call("preauthorize", ["resources": ["lumen-sports-1"]]) }
        #expect(values("outcome", "an app was told which resources", household.log.text) == ["permitted"])
        try await visitor.call(
            "preauthorize", ["resources": ["lumen-sports-1"], "disabledFeatures": ["LOCAL_CACHE"]])
        #expect(values("outcome", "an app was told which resources", household.log.text).count == 2)
    }

    @Test(arguments: ["getAuthorization", "preauthorize"])
    func `a refusal by policy is recorded as such, and no request is sent`(_ method: String) async throws {
        let household = try await Household(apps: [.sample(may: [.observe])]) { $0.offersAll() }
        let visitor = try await household.connect()
        let params: JSONValue = ["resource": "lumen-sports-1", "resources": ["lumen-sports-1"]]
        #expect(try await visitor.exchange(method, params).fault == "DENIED")
        let text = household.log.text
        #expect(values("method", "policy denied a call", text) == [method])
        #expect(values("peer_uid", "policy denied a call", text) == ["\(geteuid())"])
        #expect(!text.contains("decided on") && !text.contains("hints about") && !text.contains("lumen-sports-1"))
    }

    @Test func `a refused call has its number too`() async throws {
        let household = try await Household()
        let visitor = try await household.connect()
        #expect(try await visitor.exchange("setRequestor", ["requestorID": "OTHER"]).fault == "DENIED")
        #expect(values("request", "policy denied a call", household.log.text) == ["1"])
    }
}
