// Tests a logout that the service refuses, with the real programs: the next viewer needs a new login, and operators
// learn what the service refuses.

import PassJSON
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("ruling 44: a refused logout does not block the next login") struct RefusedLogoutTests {
    private static func logout(_ interface: Interface) -> String {
        interface == .v1 ? "DELETE /api/v1/logout" : "GET /api/v2/*/logout/*"
    }

    private static func refuse(_ box: RunningBox, _ interface: Interface, count: Int64 = 1000) throws {
        let match = logout(interface)
        _ = try box.sandbox.control(
            "/sandbox/faults",
            ["faults": [["match": .string(match), "error": "invalid_header_device_info", "count": .int(count)]]])
    }

    private static func signsIn(_ app: TestApp, _ box: RunningBox, _ user: String, _ password: String) throws {
        try box.logIn(try app.openLogin(), "NorthCable", user, password)
        try app.hearLogin()
    }

    @Test(arguments: Interface.allCases, [false, true])
    func `the next viewer signs in with a code, and the former viewer's login never counts again`(
        interface: Interface, isRestarted: Bool
    ) throws {
        let box = try RunningBox(Scene(interface))
        var app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        #expect(try app.call("checkAuthorization", ["resource": "lumen-sports-1"])["authorized"] == true)
        try Self.refuse(box, interface)
        #expect(try app.call("logout")["status"] == 0)
        let admin = try box.operatorsView()
        let warnings = try admin.call("passd.status")["warnings"]?.array ?? []
        #expect(warnings.contains { $0["code"] == "logout-refused" })
        let checks = try admin.call("passd.doctor")["checks"]?.array ?? []
        #expect(checks.contains { $0["name"] == "logouts" && $0["outcome"] == "fail" })
        let decisions = try admin.call("passd.decisions", ["about": "LUMENTV"])["decisions"]?.array ?? []
        #expect(decisions.contains { $0["kind"] == "logout-refused" && $0["code"] == "invalid_header_device_info" })
        if isRestarted {
            try box.kill()
            try box.start()
            app = try box.app("LUMENTV")
        }
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        try Self.signsIn(app, box, "noor", "nothing")
        // Noor's package lacks what the former viewer could watch.
        let play = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        #expect(play["authorized"] == false && play["error"]?["code"] == "authorization_denied_by_mvpd")
        let again = try box.app("LUMENTV")
        #expect(try again.call("checkAuthentication")["authenticated"] == true)
        let neighbour = try box.app("NEWS24")
        if interface == .v2 { #expect(try neighbour.call("checkAuthentication")["authenticated"] == false) }
    }

    @Test(arguments: Interface.allCases) func `a single refusal has no effect`(interface: Interface) throws {
        let box = try RunningBox(Scene(interface))
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        try Self.refuse(box, interface, count: 1)
        try app.call("logout")
        try Self.signsIn(app, box, "noor", "nothing")
        let warnings = try box.operatorsView().call("passd.status")["warnings"]?.array ?? []
        #expect(!warnings.contains { $0["code"] == "logout-refused" })
    }

    @Test(arguments: Interface.allCases)
    func `a logout that the service cannot take yet is sent again until the service takes it`(
        interface: Interface
    ) throws {
        let box = try RunningBox(Scene(interface))
        let app = try box.app("LUMENTV")
        try box.logIn(try app.openLogin())
        try app.hearLogin()
        let admin = try box.operatorsView()
        func warns() throws -> Bool {
            let warnings = try admin.call("passd.status")["warnings"]?.array ?? []
            return warnings.contains { $0["code"] == "logout-waiting" }
        }
        let fault: JSONValue = ["match": .string(Self.logout(interface)), "status": 503]
        _ = try box.sandbox.control("/sandbox/faults", ["faults": [fault]])
        #expect(try app.call("logout")["actions"]?.array?.map { $0["told"] } == [false])
        #expect(try warns())
        let checks = try admin.call("passd.doctor")["checks"]?.array ?? []
        #expect(checks.contains { $0["name"] == "logouts" && $0["outcome"] == "warn" })
        _ = try box.sandbox.control("/sandbox/faults", ["faults": []])
        // A new logout makes the daemon retry the refused one at once.
        try app.call("logout")
        #expect(try becomesTrue { try !warns() })
    }
}
