// Tests the sentences that viewers read in an outage, with the real programs on both interfaces. Times for apps follow
// the box's clock, even if the service's clock differs.

import FoundationEssentials
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("ruling 45: what a viewer reads") struct ViewerSentenceTests {
    /// The fault as the sandbox's controls describe it; nil if the service is down.
    enum Outage: String, CaseIterable, Sendable {
        case throttled, broken, hanging, cutOff, gone

        var fault: JSONValue? {
            switch self {
            case .throttled: ["match": "* /**", "status": 429]
            case .broken: ["match": "* /**", "status": 503]
            case .hanging: ["match": "* /**", "delay": "30s"]
            case .cutOff: ["match": "* /**", "drop": true]
            case .gone: nil
            }
        }
    }

    private func words(_ app: TestApp, _ method: String, _ params: JSONValue = [:]) -> ViewerWords? {
        do {
            let result = try app.call(method, params)
            Issue.record("\(method) has a result: \(result)")
            return nil
        } catch let error as RPCError { return error.words } catch {
            Issue.record(error)
            return nil
        }
    }

    @Test(arguments: Interface.allCases, Outage.allCases)
    func `an outage is reported as an outage`(_ interface: Interface, _ outage: Outage) throws {
        let box = try RunningBox(outage == .hanging ? "request-timeout = 3s" : "", interface: interface)
        let (app, other) = (try box.app("LUMENTV"), try box.app("SUMMITTV"))
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        if let fault = outage.fault {
            _ = try box.sandbox.control("/sandbox/faults", ["faults": [fault]])
        } else {
            _ = try box.sandbox.stop()
        }
        #expect(words(app, "getAuthorization", ["resource": "lumen-sports-1"]) == ViewerWords(.tryLater))
        let told = try app.hear("tokenRequestFailed")
        #expect(told["displayCode"] == "tryLater" && told["displaySource"] == "box")
        #expect(words(app, "preauthorize", ["resources": ["lumen-sports-1"]]) == ViewerWords(.tryLater))
        #expect(words(app, "checkPreauthorizedResources", ["resources": ["lumen-news"]]) == ViewerWords(.tryLater))
        #expect(words(other, "getAuthentication") == ViewerWords(.signInLater))
        #expect(try other.hear("setAuthenticationStatus") { $0["outcome"] != nil }["displayCode"] == "signInLater")
        #expect(try words(box.app(), "setRequestor", ["requestorID": "NEWS24"]) == ViewerWords(.tryLater))
    }

    @Test(arguments: Interface.allCases, ["invalid_configuration_platform_id", "invalid_parameter_redirect_url"])
    func `a service configuration that stops a login is not reported as an outage`(
        _ interface: Interface, _ error: String
    ) throws {
        let box = try RunningBox(interface: interface)
        let app = try box.app("LUMENTV")
        try app.call("setSelectedProvider", ["providerID": "NorthCable"])
        let faults = ["POST /api/v2/*/sessions", "POST /reggie/**"].map {
            ["match": .string($0), "error": .string(error)] as JSONValue
        }
        _ = try box.sandbox.control("/sandbox/faults", ["faults": .array(faults)])
        #expect(words(app, "getAuthentication") == ViewerWords(.notAvailable))
        #expect(try app.hear("setAuthenticationStatus") { $0["outcome"] != nil }["displayCode"] == "notAvailable")
    }

    @Test(arguments: Interface.allCases) func `a login that ended at the service is reported as such, also in a menu`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        _ = try box.sandbox.control("/sandbox/expire", ["kind": "login"])
        let answer = try app.call("preauthorize", ["resources": ["lumen-sports-1"]])
        #expect(answer["decisions"]?.array?.isEmpty == true && answer["displayCode"] == "signInAgain")
        let check = try app.call("checkAuthentication")
        #expect(check["authenticated"] == false && check["displayCode"] == "signInAgain")
        #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["displayCode"] == "signInAgain")
    }

    @Test(arguments: Interface.allCases) func `another app's logout is reported as such`(_ interface: Interface) throws
    {
        let box = try RunningBox(interface: interface)
        let (app, other) = (try box.app("LUMENTV"), try box.app("NEWS24"))
        try box.logIn(try app.openLogin())
        try other.hear("setAuthenticationStatus") { $0["reason"] == "sso" }
        try other.call("logout")
        #expect(
            try app.hear("setAuthenticationStatus") { $0["reason"] == "logout" }["displayCode"] == "signedOutElsewhere")
        #expect(
            try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["displayCode"] == "signedOutElsewhere")
    }

    @Test(arguments: Interface.allCases) func `ruling 52: the service's clock differs from the box's clock`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        _ = try box.sandbox.control("/sandbox/clock", ["advance": "3h"])
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
        let shown = try app.call("checkAuthentication")["openLogin"]?["expires"]?.int64 ?? 0
        let rest: Int64 = shown - now()
        #expect(rest > 0 && rest < 31 * 60_000)
        try box.logIn(code)
        try app.hearLogin()
        let play = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        let lifetime: Int64 = (play["expires"]?.int64 ?? 0) - now()
        #expect(lifetime > 0 && lifetime < 10 * 60_000)
        // The daemon still uses the service's own date, as the box knows it, as reference.
        let end = try #require(try app.call("checkAuthentication")["expires"]?.int64)
        let tokens = try box.operatorsView().call("passd.tokens")["tokens"]?.array
        let token: Int64? = tokens?.first?["expires"]?.int64
        let profiles = try app.call("listProfiles")["profiles"]?.array
        let profile: Int64? = profiles?.first?["notAfter"]?.int64
        for other in [token, profile] {
            let difference: Int64 = (other ?? 0) - end
            #expect(difference.magnitude < 5000)
        }
        let begin: Int64 = profiles?.first?["notBefore"]?.int64 ?? 0
        let age: Int64 = now() - begin
        #expect(age.magnitude < 600_000, "the login was made just now")
    }
}
