// Tests how soon apps are answered while the service hangs, keeps refusing or fails.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@testable import PassSandbox

@Suite("ruling 47: an answer within fifteen seconds, whatever the service does") struct SlowServiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: JSONValue

        static let all = [
            Row(testDescription: "hangs", fault: ["match": "* /**", "delay": "9m"]),
            Row(testDescription: "429 for ever", fault: ["match": "* /**", "status": 429]),
            Row(testDescription: "503", fault: ["match": "* /**", "status": 503]),
        ]
    }

    /// Five seconds more than the daemon's limit, for a busy machine, and five less than two tries would take.
    private static let timeLimit = Duration.seconds(25)

    @Test(arguments: Row.all, Interface.allCases)
    func `a play, a menu, a code and a start are answered with a remedy`(_ row: Row, _ interface: Interface) throws {
        let box = try RunningBox(interface: interface)
        let viewer = try box.app("LUMENTV")
        try box.logIn(try viewer.openLogin())
        try viewer.hearLogin()
        let (guest, newcomer) = (try box.app("NEWS24"), try box.app())
        _ = try box.sandbox.control("/sandbox/faults", ["faults": [row.fault]])
        let began = ContinuousClock.now
        let calls: [(app: TestApp, method: String, number: Int)] = try [
            (viewer, "getAuthorization", ["resource": "lumen-sports-1"]),
            (viewer, "checkPreauthorizedResources", ["resources": ["lumen-movies", "lumen-kids"]]),
            (guest, "getAuthentication", ["forceAuthentication": true]),
            (newcomer, "setRequestor", ["requestorID": "SUMMITTV"]),
            // Calls that wait for the start are answered with it.
            (newcomer, "getAuthorization", ["resource": "summit-1"]),
        ].map { (app: TestApp, method: String, params: JSONValue) in (app, method, try app.send(method, params)) }
        for (app, method, number) in calls {
            do {
                let answer = try app.answer(to: number, seconds: 90)
                // The older interface already has the list of providers.
                #expect(method == "getAuthentication" && answer["state"] == "selectProvider", "\(method): \(answer)")
            } catch let error as RPCError {
                #expect(error.action == .retry, "\(method): \(error)")
            }
            let seconds = ContinuousClock.now - began
            #expect(seconds < Self.timeLimit, "\(method) took \(seconds)")
        }
        // Calls that work again are answered at once.
        _ = try box.sandbox.request("DELETE", "/sandbox/faults")
        #expect(try viewer.call("checkAuthentication")["authenticated"] == true)
        let isBack = becomesTrue(within: 30) {
            (try? newcomer.call("setRequestor", ["requestorID": "SUMMITTV"])["status"]) == 1
        }
        #expect(isBack)
    }
}
