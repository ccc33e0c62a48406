// Tests what a viewer sees when the operator ends the integration of a requestor with the viewer's provider. The real
// programs run on both interfaces, and the service is restarted with another catalogue.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("ruling 31, evidence E11, rest-v2.md §9: a lapsed integration at the service") struct LapsedServiceTests {
    /// A box with a login at NorthCable for LUMENTV and NEWS24. Its service then ends the integration with LUMENTV.
    private final class Lapse {
        let scratch = TemporaryDirectory()
        let box: RunningBox
        let app: TestApp
        let neighbour: TestApp
        private var service: RunningSandbox?

        init(_ interface: Interface) throws {
            let state = ["--seed", "1", "--state", scratch.file("state")]
            box = try RunningBox(interface: interface, sandboxOptions: state)
            app = try box.app("LUMENTV")
            try box.logIn(try app.openLogin())
            try app.hearLogin()
            neighbour = try box.app("NEWS24")
            if try neighbour.call("checkAuthentication")["authenticated"] != true {
                try box.logIn(try neighbour.openLogin())
                try neighbour.hearLogin()
            }
            _ = try box.sandbox.stop()
            let text = try String(contentsOfFile: shippedCatalogue, encoding: .utf8)
            let there = #""serviceProvider": "LUMENTV", "provider": "NorthCable","#
            #expect(text.contains(there))
            scratch.write(Array(text.replacing(there, with: there + #" "enabled": false,"#).utf8), to: "catalogue.json")
            service = try RunningSandbox(
                state, listen: "127.0.0.1:\(box.sandbox.port)", catalogue: scratch.file("catalogue.json"))
        }

        deinit { service?.child.signal(SIGKILL) }

        func hearRevoked(_ app: TestApp) throws {
            try app.hear("setAuthenticationStatus") { $0["status"]?.int64 == 0 && $0["reason"]?.string == "revoked" }
            #expect(try app.call("checkAuthentication")["authenticated"] == false)
            let next = try app.call("getAuthentication")
            #expect(next["state"] == "selectProvider")
            #expect(next["providers"]?.array?.contains { $0["id"] == "NorthCable" } == false)
            #expect(try neighbour.call("checkAuthentication")["authenticated"] == true)
        }
    }

    @Test(arguments: Interface.allCases)
    func `a play reports the lapsed integration, and the viewer chooses again`(interface: Interface) throws {
        let lapse = try Lapse(interface)
        let answer = try lapse.app.call("checkAuthorization", ["resource": "lumen-sports-1"])
        #expect(answer["authorized"] == false && answer["errorCode"] == "USER_NOT_AUTHENTICATED_ERROR")
        #expect(answer["error"]?["code"] == "invalid_integration")
        try lapse.hearRevoked(lapse.app)
    }

    @Test(arguments: Interface.allCases)
    func `a hint reports the lapsed integration without an error`(interface: Interface) throws {
        let lapse = try Lapse(interface)
        let answer = try lapse.app.call("checkPreauthorizedResources", ["resources": ["lumen-sports-1"]])
        #expect(answer["resources"] == [])
        try lapse.app.hear("setAuthenticationStatus") { $0["reason"]?.string == "revoked" }
        #expect(try lapse.app.call("checkAuthentication")["authenticated"] == false)
        #expect(try lapse.neighbour.call("checkAuthentication")["authenticated"] == true)
    }

    @Test(arguments: Interface.allCases)
    func `the start of an app reports the lapsed integration after the answer`(interface: Interface) throws {
        let lapse = try Lapse(interface)
        try lapse.box.kill()
        try lapse.box.start()
        let app = try lapse.box.app("LUMENTV")
        try app.hear("setAuthenticationStatus") { $0["status"]?.int64 == 0 && $0["reason"]?.string == "revoked" }
        #expect(try app.call("checkAuthentication")["authenticated"] == false)
        let next = try app.call("getAuthentication")
        #expect(next["state"] == "selectProvider")
        #expect(next["providers"]?.array?.contains { $0["id"] == "NorthCable" } == false)
        let neighbour = try lapse.box.app("NEWS24")
        #expect(try neighbour.call("checkAuthentication")["authenticated"] == true)
    }
}
