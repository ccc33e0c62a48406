// Tests further features against the sandbox: temporary passes, degradation, hints, metadata, several services.

import PassJSON
import PassProtocol
import PassTestKit
import Testing

@testable import PassSandbox

@Suite("access-enabler.md §14, §15, §16; rest-v2.md §13, §14") struct FeatureTests {
    private func signedIn(_ interface: Interface, _ settings: String = "") throws -> (RunningBox, TestApp) {
        let box = try RunningBox(settings, interface: interface)
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        return (box, app)
    }

    @Test(arguments: Interface.allCases) func `a basic temporary pass needs neither login nor code, and ends`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        let app = try box.app("LUMENTV")
        let list = try app.call("listProviders", ["includeTempPass": true])["providers"]?.array ?? []
        #expect(list.contains { $0["id"] == "LumenPreview" && $0["isTempPass"] == true })
        #expect(try app.call("setSelectedProvider", ["providerID": "LumenPreview"])["state"] == "authenticated")
        try app.hear("status") { $0["errorId"] == "N011" }
        try app.hearLogin()
        #expect(try app.call("checkAuthentication")["type"] == "temporary")
        let play = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(play["authorized"] == true && play["source"] == "temppass")
        try app.hear("status") { $0["errorId"] == "Z011" }
    }

    @Test(arguments: Interface.allCases) func `a promotional pass is found by the hash that the app sends`(
        _ interface: Interface
    ) throws {
        // Makes no requests after the answers, because they would be counted as well.
        let box = try RunningBox("[sign-on]\nresync = off", interface: interface)
        let app = try box.app("LUMENTV")
        let hashed = "005fc202e81ff0de9e654f77a9444d44fa2cac9de7caef43f6bbde1215921dee"
        _ = try app.call("getAuthentication", ["forceAuthentication": true, "data": ["email": .string(hashed)]])
        #expect(try app.call("setSelectedProvider", ["providerID": "LumenPromo"])["state"] == "authenticated")
        #expect(try app.call("getAuthorization", ["resource": "lumen-sports-1"])["authorized"] == true)
        // A session without the viewer's identity finds the stored pass.
        let other = try box.app("LUMENTV")
        #expect(try other.call("checkAuthentication")["type"] == "temporary")
        // An address without a hash is not sent to the service.
        _ = try other.call("setSelectedProvider", ["providerID": .null])
        _ = try other.call("getAuthentication", ["forceAuthentication": true, "data": ["email": "ada@example.com"]])
        let before = try box.journal().count
        let name = try other.errorName("setSelectedProvider", ["providerID": "LumenPromo"])
        #expect(name == "N500", "\(name)")
        #expect(try box.journal().count == before)
    }

    @Test func `rest-v2.md §3.9: a promotional pass keeps its identity over a restart`() throws {
        let box = try RunningBox()
        let app = try box.app("LUMENTV")
        let hashed: JSONValue = ["email": "005fc202e81ff0de9e654f77a9444d44fa2cac9de7caef43f6bbde1215921dee"]
        _ = try app.call("getAuthentication", ["forceAuthentication": true, "data": hashed])
        #expect(try app.call("setSelectedProvider", ["providerID": "LumenPromo"])["state"] == "authenticated")
        try box.kill()
        try box.start()
        let later = try box.app("LUMENTV")
        #expect(try later.call("checkAuthentication")["type"] == "temporary")
        #expect(try later.call("getAuthorization", ["resource": "lumen-sports-1"])["authorized"] == true)
        // Apps cannot read the identity.
        let profiles = try later.call("listProfiles")["profiles"]?.array ?? []
        #expect(profiles.count == 1 && !"\(profiles)".contains("005fc202"))
    }

    @Test(arguments: Interface.allCases)
    func `a provider that admits everyone is reported with N010, and permits with Z010`(_ interface: Interface) throws {
        let box = try RunningBox(interface: interface)
        _ = try box.sandbox.control("/sandbox/degradation", ["rule": "AuthNAll", "provider": "NorthCable"])
        let app = try box.app("LUMENTV")
        _ = try app.call("getAuthentication")
        let choice = try app.call("setSelectedProvider", ["providerID": "NorthCable"])
        #expect(choice["state"] == "authenticated" && choice["code"] == nil)
        try app.hear("status") { $0["errorId"] == "N010" && $0["level"] == "warning" }
        #expect(try app.call("getAuthorization", ["resource": "lumen-sports-1"])["source"] == "degradation")
        try app.hear("status") { $0["errorId"] == "Z010" }
    }

    @Test(arguments: Interface.allCases) func `a provider that permits nothing is reported with Z169`(
        _ interface: Interface
    ) throws {
        let (box, app) = try signedIn(interface)
        _ = try box.sandbox.control("/sandbox/degradation", ["rule": "AuthZNone", "provider": "NorthCable"])
        let answer = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(answer["authorized"] == false)
        try app.hear("status") { $0["errorId"]?.string == (interface == .v2 ? "Z169" : "Z100") }
    }

    @Test(arguments: Interface.allCases)
    func `hints for more than five resources, and for ids with commas, are asked for in batches`(
        _ interface: Interface
    ) throws {
        let (box, app) = try signedIn(interface)
        let resources = ["lumen-sports-1", "a,b", "lumen-movies", "c", "d", "e", "lumen-kids"]
        let decisions = try app.call("preauthorize", ["resources": .strings(resources)])["decisions"]?.array ?? []
        #expect(decisions.compactMap { $0["id"]?.string } == resources)
        #expect(decisions.first?["authorized"] == true)
        let permitted = try app.call("checkPreauthorizedResources", ["resources": .strings(resources)])["resources"]
        #expect(permitted?.array?.contains("lumen-sports-1") == true)
        let asked = try box.journal().filter { $0.contains("/preauthorize") }
        // An id with a comma is sent alone if ids are joined by commas. OQ-55.
        // The second call asks again for the resources that were not permitted.
        #expect(asked.count == (interface == .v1 ? 3 + 2 : 2 + 1), "\(asked)")
    }

    @Test(arguments: Interface.allCases)
    func `metadata come from the provider, and encrypted values are passed on unchanged`(
        _ interface: Interface
    ) throws {
        let (box, app) = try signedIn(interface)
        defer { withExtendedLifetime(box) {} }
        let household = try app.call("getMetadata", ["key": "METADATA_USER_META", "userMetadataKey": "householdID"])
        #expect(household["metadata"]?.string?.isEmpty == false && household["encrypted"] == false)
        let zip = try app.call("getMetadata", ["key": "METADATA_USER_META", "userMetadataKey": "zip"])
        #expect(zip["encrypted"] == true && zip["metadata"]?.string != nil)
        let end = try app.call("getMetadata", ["key": "METADATA_AUTHENTICATION"])["metadata"]?.string
        #expect(end.flatMap(Int64.init) != nil)
        #expect(try app.call("getMetadata", ["key": "METADATA_DEVICE_ID"])["metadata"] == .null)
    }

    @Test(arguments: Interface.allCases)
    func `two services at once: the lists of providers are merged, and the login continues at the provider's service`(
        _ interface: Interface
    ) throws {
        let second = try RunningSandbox(["--seed", "2"])
        let (box, app) = try signedIn(interface, "service-providers = \(second.origin)")
        let both: JSONValue = [.string(box.sandbox.origin), .string(second.origin)]
        let united = try box.app()
        let statement = try box.sandbox.control(
            "/sandbox/statement", ["app": .string(interface.registered("lumen-tv"))])["statement"]
        let setup = try united.call(
            "setRequestor",
            ["requestorID": "LUMENTV", "serviceProviders": both, "softwareStatement": .string(statement)])
        #expect(setup["status"] == 1)
        let list = try united.call("listProviders")["providers"]?.array ?? []
        #expect(list.filter { $0["id"] == "NorthCable" }.count == 1)
        // An address that the configuration does not name is refused.
        let elsewhere: JSONValue = ["requestorID": "LUMENTV", "serviceProviders": ["https://service.example"]]
        #expect(try box.app().errorName("setRequestor", elsewhere) == "INVALID_PARAMS")
        #expect(try app.call("checkAuthentication")["authenticated"] == true)
    }

    @Test(arguments: Interface.allCases)
    func `an app can have storage cleared, and the login does not come back`(_ interface: Interface) throws {
        let (box, _) = try signedIn(interface)
        let app = try box.app()
        let setup = try app.call("setRequestor", ["requestorID": "LUMENTV", "storageCheck": "clear"])
        #expect(setup["authenticated"] == false)
        #expect(try box.app("LUMENTV").call("checkAuthentication")["authenticated"] == false)
    }
}
