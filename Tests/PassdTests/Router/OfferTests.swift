// Tests that the daemon has every method of the table, and that each result matches its schema.

import AccessEnabler
import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite struct OfferTests {
    nonisolated static let offered = MethodTable.all.map { $0.definition.name }

    @Test func `every method has a handler`() async throws {
        let household = try await Household()
        let handlers = await household.server.router.handlers
        for method in MethodTable.all.map({ $0.definition }) {
            #expect(await handlers[method.name] != nil, "\(method.name)")
        }
    }

    @Test(arguments: SocketKind.allCases)
    func `the document lists the offered methods, in the order of the table`(socket: SocketKind) async throws {
        let visitor = try await Household().connect(socket)
        let document = try await visitor.call("rpc.discover")
        #expect(document["methods"]?.array?.compactMap { $0["name"]?.string } == Self.offered)
    }

    /// An operator that is also an app makes all calls. A method without a line here gets the params of its example.
    @Test func `every method succeeds with a result that matches its schema`() async throws {
        let household = try await Household { $0.offersAll() }
        let visitor = try await household.connect(.admin)
        var done: Set<String> = []
        func call(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
            done.insert(method)
            return try await visitor.call(method, params)
        }
        let peer = try await call("passd.hello", ["client": ["name": "tour", "version": "1"]])
        #expect(peer["identity"]?["app"] == "news24")
        #expect(try await call("passd.whoami")["requestors"] == ["*"])
        #expect(try await call("passd.suggestions")["requestors"] == ["NEWS24"])
        #expect(try await call("passd.subscribe")["snapshot"]?["readiness"] == "ready")
        _ = try await call("setOptions", ["visitorID": "v"])
        #expect(try await call("setRequestor", ["requestorID": "NEWS24"])["authenticated"] == false)
        #expect(try await call("checkAuthentication")["status"] == 0)
        #expect(try await call("getSelectedProvider")["provider"] == .null)
        #expect(try await call("listProviders")["providers"]?.array?.count == 2)
        #expect(try await call("getAuthentication")["state"] == "selectProvider")
        #expect(try await call("setSelectedProvider", ["providerID": "M1"])["code"] == .string(Sample.code))
        #expect(try await call("passd.status")["openCodes"] == 1)

        await household.usesCode()
        #expect(try await visitor.hear("setAuthenticationStatus")["status"] == 1)
        #expect(try await call("checkAuthorization", ["resource": "R"])["token"] == .string(Sample.token))
        #expect(try await call("getAuthorization", ["resource": "R"])["authorized"] == true)
        #expect(try await call("checkPreauthorizedResources", ["resources": ["R"]])["resources"] == ["R"])
        #expect(try await call("preauthorize", ["resources": ["R"]])["decisions"]?.array?.count == 1)
        let question: JSONValue = ["key": "METADATA_USER_META", "userMetadataKey": "userID"]
        #expect(try await call("getMetadata", question)["metadata"] == .string(Sample.viewer))
        #expect(try await call("listProfiles")["profiles"]?.array?.count == 1)

        #expect(try await call("passd.tokens")["tokens"]?.array?.count == 1)
        #expect(try await call("passd.sessions")["sessions"]?.array?.first?["client"] == "tour 1")
        #expect(try await call("passd.doctor")["checks"]?.array?.isEmpty == false)
        #expect(try await call("passd.record", ["on": true])["exchanges"]?.array?.isEmpty == true)
        let decisions = try await call("passd.decisions", ["about": "R"])["decisions"]?.array
        #expect(decisions?.count == 1 && decisions?.first?["times"] == 2)
        #expect(try await call("passd.configuration")["apps"]?.array?.count == 1)
        #expect(try await call("passd.metrics")["text"]?.string?.hasPrefix("# TYPE passd_up gauge\n") == true)
        #expect(try await call("passd.reload")["applied"] == false)
        let explained = try await call("passd.policyExplain", ["uid": 4_000_000, "method": "logout"])
        #expect(explained["allowed"] == false)
        #expect(try await call("passd.forget", ["requestorID": "OTHER"])["forgotten"] == 0)
        #expect(try await call("passd.forget", ["requestorID": "NEWS24", "provider": "M1"])["forgotten"] == 1)
        #expect(try await call("passd.logoutAll")["forgotten"] == 0)

        #expect(try await call("passd.export") == ["backup": "sealed", "logins": 1, "apps": 1])
        #expect(try await call("passd.import", ["backup": "sealed"]) == ["logins": 1, "restarts": true])
        #expect(
            try await visitor.exchange("passd.import", ["backup": "x"]).answer["error"]?["message"] == "It is damaged.")

        household.backend.script { $0.beginLogin = .success(.openURL(Sample.login)) }
        _ = try await call("setOptions", ["flow": "browser"])
        _ = try await call("getAuthentication")
        #expect(try await call("setSelectedProvider", ["providerID": "M1"])["state"] == "browser")
        await household.logsIn()
        #expect(try await call("handleExternalURL", ["url": "adobepass://ios.app"])["authenticated"] == true)
        #expect(try await call("logout")["status"] == 0)
        for method in MethodTable.all.map({ $0.definition }) where !done.contains(method.name) {
            _ = try await call(method.name, method.example.params)
        }
    }
}
