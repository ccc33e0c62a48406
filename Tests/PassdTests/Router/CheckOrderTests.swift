// Tests calls with two faults. The earlier check answers, and no request is sent. rpc.md §2.

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

@Suite struct CheckOrderTests {
    enum Trouble: Sendable { case stranger, stopping, noRequestor, serviceDown }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: String
        let troubles: Set<Trouble>
        let fault: String

        init(_ name: String, _ line: String, _ fault: String, _ troubles: Set<Trouble> = []) {
            (testDescription, self.line, self.fault, self.troubles) = (name, line, fault, troubles)
        }
    }

    private static func call(_ method: String, _ params: String = "{}") -> String {
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\(method)\",\"params\":\(params)}"
    }

    private static let cut = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"nope\""
    private static let elsewhere = call(
        "setRequestor", "{\"requestorID\":\"NEWS24\",\"serviceProviders\":[\"nowhere\"]}")
    private static let usual = call("setRequestor", "{\"requestorID\":\"NEWS24\"}")

    nonisolated static let cases: [Case] = early + late

    /// The checks of syntax, method and params.
    private static let early: [Case] = [
        Case("parse before method", cut, "PARSE_ERROR"),
        Case("parse before policy", cut, "PARSE_ERROR", [.stranger]),
        Case("parse before state", cut, "PARSE_ERROR", [.stopping, .noRequestor]),
        Case("envelope before method", "{\"id\":7,\"method\":\"nope\"}", "INVALID_REQUEST"),
        Case("envelope before params", call("logout", "3"), "INVALID_REQUEST"),
        Case("method before params", call("nope", "[1]"), "METHOD_NOT_FOUND"),
        Case("… on the other socket", call("passd.policyExplain", "{\"uid\":-1}"), "METHOD_NOT_FOUND"),
        Case("method before policy", call("nope"), "METHOD_NOT_FOUND", [.stranger]),
        Case("… on the other socket, before policy", call("passd.logoutAll"), "METHOD_NOT_FOUND", [.stranger]),
        Case("method before state", call("nope"), "METHOD_NOT_FOUND", [.stopping]),
        Case("a denied peer before params", call("checkAuthorization"), "DENIED", [.stranger]),
        Case("… by position", call("getAuthentication", "[]"), "DENIED", [.stranger]),
        Case("… before a value of the params", elsewhere, "DENIED", [.stranger]),
        Case(
            "a missing capability before params", call("passd.subscribe", "{\"types\":3}"), "DENIED", [.stranger]),
        Case(
            "params before another app's requestor", call("setRequestor", "{\"requestorID\":3}"), "INVALID_PARAMS"
        ),
        Case("params before state", call("preauthorize"), "INVALID_PARAMS", [.noRequestor]),
        Case("params before readiness", call("preauthorize"), "INVALID_PARAMS", [.stopping]),
        Case("a param's value before readiness", elsewhere, "INVALID_PARAMS", [.stopping]),
        Case("params before backend", call("setRequestor"), "INVALID_PARAMS", [.serviceDown]),
    ]

    /// The checks of policy, state and backend.
    private static let late: [Case] = [
        Case("policy before readiness", call("listProviders"), "DENIED", [.stranger, .stopping]),
        Case("policy before state", call("listProviders"), "DENIED", [.stranger, .noRequestor]),
        Case("policy before backend", call("setRequestor", "{\"requestorID\":\"OTHER\"}"), "DENIED", [.serviceDown]),
        Case("a capability before readiness", call("passd.subscribe"), "DENIED", [.stranger, .stopping]),
        Case("readiness before state", call("checkAuthentication"), "NOT_READY", [.stopping, .noRequestor]),
        Case("readiness before backend", usual, "NOT_READY", [.stopping, .serviceDown]),
        Case("state before backend", call("listProviders"), "REQUESTOR_NOT_SET", [.noRequestor, .serviceDown]),
        Case(
            "a flow's state before backend", call("handleExternalURL", "{\"url\":\"app://x\"}"), "FLOW_CONFLICT",
            [.serviceDown]),
    ]

    @Test(arguments: cases) func `the earlier of two faults is reported`(_ trial: Case) async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.connect()
        if !trial.troubles.contains(.noRequestor) {
            try await visitor.call("setRequestor", ["requestorID": "NEWS24"])
        }
        if trial.troubles.contains(.stranger) {
            await household.change { $0.policy = Policy(stanzas: [.sample(user: 4_000_000)], ownUser: 4_000_000) }
        }
        if trial.troubles.contains(.stopping) { await household.change { $0.readiness = .stopping } }
        if trial.troubles.contains(.serviceDown) {
            household.backend.script {
                $0.prepare = .failure(BackendFault(.unreachable))
                $0.providers = .failure(BackendFault(.unreachable))
            }
        }
        let before = household.backend.calls.elements.count
        try await visitor.send(trial.line)
        var answer = try await visitor.next()
        while let message = answer, message["method"] != nil { answer = try await visitor.next() }
        #expect(answer?["error"]?["data"]?["code"] == .string(trial.fault))
        #expect(answer?["id"] == (trial.fault == "PARSE_ERROR" ? JSONValue.null : 7))
        #expect(household.backend.calls.elements.count == before)
    }

    @Test func `without another fault, the backend's fault is reported`() async throws {
        let household = try await Household { $0.prepare = .failure(BackendFault(.unreachable)) }
        let exchange = try await household.connect().exchange("setRequestor", ["requestorID": "NEWS24"])
        #expect(exchange.fault == "CFG404")
        #expect(exchange.heard == ["status", "setRequestorComplete"])
    }
}

extension Household {
    func change(_ body: @EngineActor (Router) -> Void) { body(server.router) }
}
