// Tests `[sign-on] partner` and its related settings. open-questions.md OQ-28.

import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@Suite("open-questions.md OQ-28: the partner's settings") struct PartnerSettingTests {
    private static let command = "partner = command:/usr/lib/box/platform\n"
    private static let hearth = command + "partner-name = Hearth\npartner-device-type = hearth-box\n"

    private func load(_ lines: String, backend: String = "") throws -> LoadedConfiguration {
        try Workspace().load("[sign-on]\n\(lines)[backend]\nactivation-url = https://tv.example/\n\(backend)")
    }

    @Test func `by default a box has no partner`() {
        #expect(Configuration.defaults.signOn.partner == .none)
        #expect(Configuration.defaults.signOn.partnerName == nil)
        #expect(Configuration.defaults.signOn.partnerDeviceType == nil)
    }

    @Test(arguments: ["", "origin = https://api.example\n"])
    func `a box's own partner is accepted for every service`(backend: String) throws {
        let loaded = try load(Self.hearth, backend: backend)
        #expect(loaded.problems.isEmpty)
        #expect(loaded.configuration.signOn.partner == .command("/usr/lib/box/platform"))
        #expect(loaded.configuration.signOn.partnerName == "Hearth")
        #expect(loaded.configuration.signOn.partnerDeviceType == "hearth-box")
    }

    @Test(arguments: [
        ("partner-name = Hearth\n", "partner-device-type is required with partner = command:"),
        ("partner-device-type = hearth-box\n", "partner-name is required with partner = command:"),
        ("", "partner-name is required with partner = command:"),
    ]) func `a missing related setting is reported`(lines: String, message: String) throws {
        let loaded = try load(Self.command + lines)
        #expect(!loaded.isUsable)
        #expect(loaded.problems.map(\.message) == [message])
        #expect(loaded.problems.first?.place.line == 2)
    }

    private static let vendors = [
        ("Apple", "hearth-box", "partner-name = Apple"), ("apple", "hearth-box", "partner-name = apple"),
        ("Hearth", "tvOS", "partner-device-type = tvOS"), ("Hearth", "iOS", "partner-device-type = iOS"),
        ("Hearth", "TVOS", "partner-device-type = TVOS"),
    ]

    @Test(arguments: vendors) func `a box must not claim to be another vendor's box`(
        name: String, device: String, start: String
    ) throws {
        let lines = Self.command + "partner-name = \(name)\npartner-device-type = \(device)\n"
        for backend in [
            "origin = https://api.example\n", "service-providers = https://api.example\n",
            "origin = https://127.0.0.1.example\n",
        ] {
            let loaded = try load(lines, backend: backend)
            #expect(!loaded.isUsable)
            #expect(
                loaded.problems.map(\.message)
                    == [
                        start + " belongs to another vendor, so it is accepted only if every service is on this machine"
                    ])
        }
    }

    @Test(arguments: vendors) func `a box may claim that if every service is on this machine`(
        name: String, device: String, start: String
    ) throws {
        let lines = Self.command + "partner-name = \(name)\npartner-device-type = \(device)\n"
        for backend in ["", "origin = http://[::1]:8642\n", "origin = https://localhost\n"] {
            #expect(try load(lines, backend: backend).problems.isEmpty)
        }
    }

    @Test func `without a partner its name has no effect`() throws {
        #expect(try load("partner-name = Apple\n", backend: "origin = https://api.example\n").problems.isEmpty)
    }

    @Test(arguments: [
        "partner = command:platform", "partner = file:/x", "partner = /usr/lib/box/platform", "partner-name = a/b",
        "partner-name = Hearth TV", "partner-name = Hëarth", "partner-device-type = a?b",
        "partner-device-type = \(String(repeating: "x", count: 65))",
    ]) func `an invalid value is refused`(line: String) throws { #expect(try !load(line + "\n").isUsable) }

    @Test(arguments: [
        ("partner", hearth.replacing("platform", with: "other")),
        ("partner-name", hearth.replacing("Hearth", with: "Ember")),
        ("partner-device-type", hearth.replacing("hearth-box", with: "ember-box")),
    ]) func `a change waits for a restart`(key: String, lines: String) throws {
        let old = try load(Self.hearth)
        guard case .accepted(let plan) = ReloadPlan.decide(from: old, to: try load(lines)) else {
            Issue.record("refused")
            return
        }
        #expect(plan.needingRestart.map(\.name) == [Setting.Name("sign-on", key)])
        #expect(plan.inForce.configuration == old.configuration)
    }
}
