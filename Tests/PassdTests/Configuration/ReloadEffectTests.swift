// Tests that the table of settings names the real effect of a reload for each row.

import Testing

@testable import AccessEnabler
@testable import PassBackend
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer

@Suite("ruling 53; operations.md §2") @EngineActor struct ReloadEffectTests {
    /// For each row, a value that is not the default.
    private nonisolated static let values: [String: String] = [
        "[daemon] socket": "/x/passd.sock", "[daemon] log-level": "debug",
        "[daemon] web-gateway": "user:kodi+unit:web.service",
        "[backend] origin": "https://api.example", "[backend] protocol": "v1",
        "[backend] regcode-origin": "https://codes.example", "[backend] connect-timeout": "7s",
        "[backend] request-timeout": "14s", "[backend] requests-per-second": "2", "[backend] burst": "20",
        "[backend] viewers-burst": "4", "[backend] activation-url": "https://tv.example/go",
        "[backend] domain-name": "tv.example", "[backend] redirect-url": "app://back",
        "[backend] finish-url": "https://tv.example/done",
        "[backend] service-providers": "https://other.example", "[backend] certificate-authorities": "/etc/ca.pem",
        "[backend] proxy": "http://proxy.example:1", "[device] identity": "file:/x", "[device] hardware-type": "TV",
        "[device] model": "M", "[device] manufacturer": "N", "[device] expose-identity": "on",
        "[storage] directory": "/x", "[storage] sealing": "none", "[storage] integrity-check": "all",
        "[storage] import-from": "/y", "[limits] message-size": "2MiB", "[limits] sessions-per-user": "3",
        "[limits] pending-calls-per-session": "3", "[sign-on] platform-identity": "none",
        "[sign-on] service-token": "file:/x", "[sign-on] partner": "command:/x",
        "[sign-on] partner-name": "Q", "[sign-on] partner-device-type": "R", "[sign-on] passive-authentication": "on",
        "[sign-on] remember-provider": "off", "[sign-on] select-starts-login": "on",
        "[sign-on] cancel-signs-out": "off", "[sign-on] logout-scope": "requestor", "[sign-on] resync": "off",
        "[sign-on] permit-omitted": "on", "[sign-on] secure-browser": "M1",
    ]

    /// The values that a reload gives to the parts of a running daemon.
    private static func passedOn(_ loaded: LoadedConfiguration) -> [String] {
        let configuration = loaded.configuration
        let engine = Mirror(reflecting: Daemon.engineSettings(loaded)).children.map { "\($0.label ?? ""): \($0.value)" }
        return engine + [
            "\(configuration.limits)", "\(configuration.daemon.logLevel)", "\(configuration.daemon.webGateway ?? "")",
            "\(Daemon.sites(loaded))",
        ]
    }

    @Test(arguments: SettingTable.all.map(\.name))
    func `a setting applies after a reload, or waits for a restart and applies nowhere`(_ name: Setting.Name) throws {
        let value = try #require(Self.values["\(name)"], "a new row needs a value in this test")
        let row = try #require(SettingTable.find(name))
        let old = Workspace().load()
        // Settings that are checked together change together.
        let isPartner = name.key.hasPrefix("partner")
        let keys = isPartner ? ["partner", "partner-name", "partner-device-type"] : [name.key]
        let lines = keys.map { "\($0) = \(Self.values["[\(name.section)] \($0)"] ?? value)\n" }
        let new = try Workspace().load("[\(name.section)]\n" + lines.joined())
        guard case .accepted(let plan) = ReloadPlan.decide(from: old, to: new) else {
            Issue.record("\(new.problems)")
            return
        }
        #expect(plan.changes.contains { $0.name == name }, "\(value) is the default")
        #expect(plan.needingRestart.contains { $0.name == name } == (row.effect == .afterRestart))
        let isPassedOn = Self.passedOn(plan.inForce) != Self.passedOn(old)
        #expect(isPassedOn == (row.effect != .afterRestart))
    }

    @Test(arguments: [
        "activation-url = https://tv.example/go", "domain-name = tv.example", "redirect-url = app://back",
    ])
    func `a changed address of an app applies after a reload`(_ line: String) throws {
        let stanza = "[app a]\nrequestors = A\nallow = user:kodi\n"
        let (old, new) = (try Workspace().load(apps: stanza), try Workspace().load(apps: stanza + line + "\n"))
        guard case .accepted(let plan) = ReloadPlan.decide(from: old, to: new) else { throw Refused() }
        #expect(plan.changedLines == ["app a: changed"] && plan.waitingLines.isEmpty)
        #expect(Self.passedOn(plan.inForce) != Self.passedOn(old))
    }

    private struct Refused: Error {}
}
