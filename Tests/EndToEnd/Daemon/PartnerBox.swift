// A box with a TV account: the sandbox's partner "Hearth", played by the reference helper with a file of rules.

import FoundationEssentials
import Glibc
import PassJSON
import PassProtocol
import PassTestKit
import PassTestTools
import PassWire

@testable import PassSandbox

final class PartnerBox {
    let box: RunningBox
    private let scratch: TemporaryDirectory

    static let omar: JSONValue = ["provider": "beacon-11", "user": "omar", "password": "lighthouse"]

    /// A replacement in the helper's source is given as `change`.
    init(_ interface: Interface, _ rules: [String: JSONValue] = [:], change: (String, String)? = nil) throws {
        let example = repository + "Examples/platform-helper/sandbox-helper"
        var helper = try String(contentsOfFile: example, encoding: .utf8)
        if let change {
            guard helper.contains(change.0) else { throw TestFailure("the helper has no \(change.0)") }
            helper = helper.replacing(change.0, with: change.1)
        }
        scratch = TemporaryDirectory()
        box = try Self.box(interface, try Self.install(helper, scratch))
        try write(rules)
        try awaitHelper()
    }

    /// Waits until the daemon has started the helper. On a busy machine, the interpreter may start more slowly than the time
    /// limit of a real box allows.
    private func awaitHelper() throws {
        let view = try box.operatorsView()
        let isThere = try becomesTrue(within: 60) {
            let checks = try view.call("passd.doctor")["checks"]?.array
            return checks?.contains { $0["name"] == "platform-helper" && $0["outcome"] == "pass" } == true
        }
        guard isThere else { throw TestFailure("the helper does not start: \(box.daemon.errors)") }
    }

    /// Kills the daemon, and starts it and the helper again.
    func restart() throws {
        try box.kill()
        try box.start()
        try awaitHelper()
    }

    /// Uses another program as the helper, which finds its folder in `$0`.
    init(_ interface: Interface, helper: String) throws {
        scratch = TemporaryDirectory()
        box = try Self.box(interface, try Self.install(helper, scratch))
    }

    private static func install(_ helper: String, _ scratch: TemporaryDirectory) throws -> String {
        let path = scratch.write(helper, to: "helper")
        chmod(path, 0o700)
        return path
    }

    private static func box(_ interface: Interface, _ helper: String) throws -> RunningBox {
        try RunningBox(
            """
            [sign-on]
            platform-identity = none
            partner = command:\(helper)
            partner-name = Hearth
            partner-device-type = hearth-box
            """, interface: interface)
    }

    /// Sets what the box knows and what its viewer does, from the next request on. By default the viewer is signed in
    /// and has consented.
    func write(_ changes: [String: JSONValue]) throws {
        var rules: [String: JSONValue] = [
            "server": .string(box.sandbox.origin), "partner": "Hearth", "account": Self.omar,
            "consent": ["lumen-tv": "granted", "news24": "granted"], "prompt": "granted", "picker": Self.omar,
        ]
        rules.merge(changes) { $1 }
        let object = JSONValue.object(JSONObject(rules.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }))
        // Written in one piece, because the helper may read at any time.
        let fresh = scratch.write(String(decoding: JSONWriter.bytes(object), as: UTF8.self), to: "fresh")
        guard rename(fresh, scratch.file("tv-account.json")) == 0 else { throw TestFailure("no rules: \(errno)") }
    }

    func touch(_ name: String) throws { scratch.write("", to: name) }

    func app() throws -> TestApp { try TestApp(box.socket) }

    @discardableResult
    func set(_ app: TestApp, _ requestor: String = "LUMENTV", seconds: Double = 60) throws -> JSONValue {
        try app.call("setRequestor", ["requestorID": .string(requestor)], seconds: seconds)
    }

    /// Gets a media token, and has the sandbox verify it.
    func playsFine(_ app: TestApp, _ resource: String = "lumen-sports-1") throws -> Bool {
        let permit = try app.call("getAuthorization", ["resource": .string(resource)])
        guard permit["authorized"] == true, let token = permit["token"]?.string else { return false }
        return try box.sandbox.control("/sandbox/verify", ["token": .string(token)])["result"] == "VALID_TOKEN"
    }

    /// Logs the viewer in on another screen, after our own picker.
    func logInOrdinarily(_ app: TestApp, _ provider: String = "NorthCable") throws {
        let state = try app.call("setSelectedProvider", ["providerID": .string(provider)])
        guard let code = state["code"]?.string else { throw TestFailure("no code: \(state)") }
        try box.logIn(code, provider)
        try app.hearLogin()
    }
}

extension TestApp {
    /// The callbacks since the mark, one word each; codes with their names, without tracking.
    func told(since mark: Int = 0) -> [String] {
        callbacks.dropFirst(mark).filter { $0.name != "sendTrackingData" }.map { name, params in
            switch name {
            case "status": params["errorId"]?.string ?? "?"
            case "setAuthenticationStatus": "authenticated \(params["status"]?.int64 ?? -1)"
            default: name
            }
        }
    }

    var profileTypes: [String] {
        get throws { try call("listProfiles")["profiles"]?.array?.compactMap { $0["type"]?.string } ?? [] }
    }
}
