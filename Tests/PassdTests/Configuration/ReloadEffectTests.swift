// Tests that the table of settings names the real effect of a reload for each row.

import Testing

@testable import AccessEnabler
@testable import PassBackend
@testable import PassConfiguration
@testable import PassDaemon
@testable import PassServer

@Suite("ruling 53; operations.md §2") @EngineActor struct ReloadEffectTests {
    /// Values of all types.
    private static let values = [
        "on", "off", "7s", "2", "2MiB", "https://api.example", "app://back", "http://proxy.example:1", "/x/y", "none",
        "file:/x", "command:/x", "user:kodi+unit:web.service", "v1", "debug", "TV", "all", "requestor",
    ]

    /// A valid value of the row that is not the default.
    private static func value(of row: Setting) throws -> String {
        let value = values.first { text in
            row.fault(in: text) == nil && Configuration(values: [row.name: text]) != .defaults
        }
        return try #require(value, "no value in the list fits \(row.name)")
    }

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
        let row = try #require(SettingTable.find(name))
        let old = Workspace().load()
        // Settings that are checked together change together.
        let isPartner = name.key.hasPrefix("partner")
        let rows = isPartner ? SettingTable.all.filter { $0.name.key.hasPrefix("partner") } : [row]
        let lines = try rows.map { row in try "\(row.name.key) = \(Self.value(of: row))\n" }
        let new = try Workspace().load("[\(name.section)]\n" + lines.joined())
        guard case .accepted(let plan) = ReloadPlan.decide(from: old, to: new) else {
            Issue.record("\(new.problems)")
            return
        }
        #expect(plan.changes.contains { $0.name == name })
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
