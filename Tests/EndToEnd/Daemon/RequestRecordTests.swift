// Tests the log of a box with `log-level = debug`. All records of a call have the same number, and no record names the
// title or the viewer. operations.md §3.

import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import Testing

@Suite("operations.md §3: the records of a call") struct RequestRecordTests {
    private func value(_ name: String, _ line: Substring) -> String? {
        line.firstRange(of: " \(name)=").map { String(line[$0.upperBound...].prefix { $0 != " " && $0 != ")" }) }
    }

    @Test(arguments: Interface.allCases) func `the HTTP requests of a call have its number and reveal no secrets`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox(
            "[device]\nexpose-identity = on", interface: interface, options: ["--log-level", "debug"])
        let app = try box.app("LUMENTV")
        let code = try app.openLogin()
        try box.logIn(code)
        try app.hearLogin()
        let answer = try app.call("getAuthorization", ["resource": "lumen-sports-1"])
        let token = try #require(answer["token"]?.string)
        try app.call("preauthorize", ["resources": ["lumen-sports-1"]])
        let device = try #require(try app.call("getMetadata", ["key": "METADATA_DEVICE_ID"])["metadata"]?.string)
        _ = try box.stop()
        let lines = box.daemon.errors.split(separator: "\n")
        for (method, route) in [
            (
                "getAuthorization",
                interface == .v2
                    ? "\"POST /api/v2/{serviceProvider}/decisions/authorize/{mvpd}\"" : "\"GET /api/v1/authorize\""
            ),
            (
                "preauthorize",
                interface == .v2
                    ? "\"POST /api/v2/{serviceProvider}/decisions/preauthorize/{mvpd}\""
                    : "\"GET /api/v1/preauthorize\""
            ),
        ] {
            let answered = lines.filter { $0.contains("a call was answered") && value("method", $0) == method }
            // The text may be the first field of the line.
            let request = try #require(
                answered.first?.firstRange(of: "request=").map {
                    String(answered[0][$0.upperBound...].prefix { $0 != " " })
                })
            let own = lines.filter { value("request", $0) == request }
            let sent = try #require(own.first { $0.contains("a request was sent") && $0.contains("route=\(route)") })
            #expect(
                value("status", sent) == "200" && value("method", sent) == method && value("app", sent) == "lumen-tv")
            #expect(value("duration_ms", sent).flatMap { Int($0) } != nil)
            #expect(own.contains { $0.contains("the service has answered") })
            #expect(
                own.contains {
                    $0.contains(method == "preauthorize" ? "was told which resources" : "authorized or refused")
                })
        }
        let secrets = [code, token, device, "lumen-sports-1", "lovelace", "Bearer", "redirect", "?"]
        for secret in secrets { #expect(!box.daemon.errors.contains(secret), "\(secret)") }
    }

    @Test func `without debug no request is recorded`() throws {
        let box = try RunningBox(options: ["--log-level", "info"])
        _ = try box.app("LUMENTV")
        _ = try box.stop()
        #expect(!box.daemon.errors.contains("a request was sent"))
    }

    @Test(arguments: Interface.allCases)
    func `a record for others has the requests of a login and a play, but no secrets and nothing about the viewer`(
        _ interface: Interface
    ) throws {
        let box = try RunningBox("[device]\nexpose-identity = on", interface: interface)
        let view = try box.operatorsView()
        #expect(try view.call("passd.record", ["on": false])["exchanges"] == [])
        let app = try box.app("LUMENTV")
        _ = try view.call("passd.record", ["on": true])
        let code = try app.openLogin()
        let link = TestApp.address(of: code, box.socket)
        try box.logIn(code)
        try app.hearLogin()
        let token = try #require(
            try app.call("getAuthorization", ["resource": "lumen-sports-1"])["token"]?.string)
        let device = try #require(try app.call("getMetadata", ["key": "METADATA_DEVICE_ID"])["metadata"]?.string)
        let user = try app.call("getMetadata", ["key": "METADATA_USER_META", "userMetadataKey": "userID"])["metadata"]?
            .string
        let record = try view.call("passd.record", ["on": false])
        let exchanges = try #require(record["exchanges"]?.array)
        #expect(exchanges.count >= 3 && record["complete"] == true)
        let text = "\(record)"
        #expect(text.contains(interface == .v2 ? "/sessions" : "/regcode"))
        for secret in [code, link, token, device, user, "lumen-sports-1", "lovelace", "Bearer"].compactMap(\.self) {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(try view.call("passd.record", ["on": false])["exchanges"] == [], "the record has ended")
    }
}
