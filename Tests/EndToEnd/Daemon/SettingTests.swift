// Tests the settings for which the contract leaves a choice: each value, from the configuration file to an app's
// answer.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("open-questions.md OQ-2, OQ-4, OQ-6, OQ-9, OQ-13; operations.md §2") struct SettingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let setting: String
        let answers: [String: JSONValue]
        /// A viewer of LUMENTV is logged in at the beginning.
        let story: @Sendable (RunningBox, TestApp) throws -> JSONValue?

        var testDescription: String { setting }
    }

    private static let rows = [
        Row(setting: "[sign-on] resync", answers: ["on": false, "off": true]) { box, app in
            _ = try box.sandbox.control("/sandbox/expire", ["kind": "login"])
            try app.call("setRequestor", ["requestorID": "LUMENTV"])
            // The service is asked behind the answer.
            return .bool(
                !(try becomesTrue(within: 3) { try app.call("checkAuthentication")["authenticated"] == false }))
        },
        Row(
            setting: "[sign-on] remember-provider", answers: ["on": "secondScreen", "off": "selectProvider"]
        ) { box, app in
            _ = try box.sandbox.control("/sandbox/expire", ["kind": "login"])
            try app.call("setRequestor", ["requestorID": "LUMENTV"])
            try app.hear("setAuthenticationStatus") { $0["status"] == 0 && $0["reason"] == "revoked" }
            return try app.call("getAuthentication")["state"]
        },
        Row(
            setting: "[sign-on] select-starts-login", answers: ["on": "secondScreen", "off": "selected"]
        ) { _, app in
            try app.call("logout")
            return try app.call("setSelectedProvider", ["providerID": "NorthCable"])["state"]
        },
        Row(setting: "[sign-on] cancel-signs-out", answers: ["on": false, "off": true]) { _, app in
            try app.call("setSelectedProvider", ["providerID": .null])
            return try app.call("checkAuthentication")["authenticated"]
        },
        Row(setting: "[sign-on] logout-scope", answers: ["device": false, "requestor": true]) { box, app in
            let other = try box.app("NEWS24")
            #expect(try other.call("checkAuthentication")["authenticated"] == true)
            try app.call("logout")
            return try other.call("checkAuthentication")["authenticated"]
        },
        Row(setting: "[device] expose-identity", answers: ["on": true, "off": false]) { _, app in
            let answer = try app.call("getMetadata", ["key": "METADATA_DEVICE_ID"])["metadata"]
            return .bool(answer?.string?.isEmpty == false)
        },
    ]

    @Test(arguments: rows) func `each value of a setting counts`(_ row: Row) throws {
        let words = row.setting.split(separator: " ")
        for (value, answer) in row.answers {
            let box = try RunningBox("\(words[0])\n\(words[1]) = \(value)")
            let app = try box.app("LUMENTV")
            try box.logIn(try app.openLogin())
            try app.hearLogin()
            #expect(try row.story(box, app) == answer, "\(words[1]) = \(value)")
        }
    }
}
