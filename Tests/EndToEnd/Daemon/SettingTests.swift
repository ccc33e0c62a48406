// Tests the settings for which the contract leaves a choice. Each value is followed from the configuration file to an
// app's answer.

import PassJSON
import PassProtocol
import PassSandbox
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
            // The daemon asks the service after the answer.
            let isOff = String(decoding: box.scratch.read("passd.conf"), as: UTF8.self).contains("resync = off")
            let hasEnded = try becomesTrue(within: isOff ? 3 : 60) {
                try app.call("checkAuthentication")["authenticated"] == false
            }
            return .bool(!hasEnded)
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

    @Test(arguments: rows) func `each value of a setting takes effect, at the start and after a reload`(
        _ row: Row
    ) throws {
        let words = row.setting.split(separator: " ")
        let values = row.answers.keys.sorted()
        for (index, value) in values.enumerated() {
            let box = try RunningBox("\(words[0])\n\(words[1]) = \(values[0])")
            let app = try box.app("LUMENTV")
            try box.logIn(try app.openLogin())
            try app.hearLogin()
            if index > 0 {
                let reload = try box.reload("\(words[0])\n\(words[1]) = \(value)")
                #expect(reload.changed.count == 1 && reload.waiting.isEmpty)
            }
            #expect(try row.story(box, app) == row.answers[value], "\(words[1]) = \(value)")
        }
    }

    @Test(arguments: Interface.allCases)
    func `ruling 53: a reload replaces the page for the code, for one app and for all apps`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(interface: interface)
        let (own, other) = (try box.app("NEWS24"), try box.app("LUMENTV"))
        let changed = try box.reload(
            "activation-url = https://all.example/tv", adding: "activation-url = https://news.example/tv")
        #expect(changed.waiting.isEmpty && changed.changed.count == 2, "\(changed)")
        for (app, page) in [(own, "https://news.example/tv"), (other, "https://all.example/tv")] {
            let code = try app.openLogin()
            #expect(try app.call("getAuthentication")["url"]?.string == "\(page)?code=\(code)")
        }
    }
}
