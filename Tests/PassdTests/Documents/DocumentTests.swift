// Tests the shipped configuration, its example, and the manual of the daemon. operations.md §2.

import FoundationEssentials
import PassArguments
import Testing

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

private let repository = String(#filePath.dropLast("Tests/PassdTests/Documents/DocumentTests.swift".count))

@Suite struct DocumentTests {
    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: repository + path, encoding: .utf8)
    }

    @Test func `the shipped configuration has the defaults, with its keys commented out or not`() throws {
        let shipped = try text("Config/passd.conf")
        let active = shipped.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
        for text in [shipped, active] {
            let loaded = try Workspace().load(text)
            #expect(loaded.problems.isEmpty)
            #expect(loaded.configuration == .defaults)
        }
        #expect(
            active.split(separator: "\n").count { !$0.hasPrefix("#") && $0.contains(" = ") } == SettingTable.all.count)
    }

    @Test func `the example of an app is valid once it is no longer a comment`() throws {
        let shipped = try text("Config/apps.d/example.conf")
        #expect(try Workspace().load(apps: shipped).apps.isEmpty)
        let active = shipped.split(separator: "\n").map {
            $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0
        }
        let loaded = try Workspace().load(apps: active.joined(separator: "\n"))
        #expect(loaded.problems.isEmpty)
        #expect(loaded.apps.map(\.name) == ["news24"])
        #expect(loaded.apps.first?.allow.count == 2)
    }

    @Test func `the manual of the daemon has every flag`() throws {
        let page = try text("docs/man/passd.8")
        for option in ProgramSyntax.passd.options {
            let name = option.name.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
            #expect(page.contains(".TP\n\\fB\(name)\\fR"), "\(name)")
        }
    }

    @Test func `the manual of the configuration has every key of an app stanza`() throws {
        let headings = try text("docs/man/passd.conf.5").split(separator: "\n").filter { $0.hasPrefix(".B") }
        for key in AppKey.allCases {
            let name = key.rawValue.split(separator: "-").joined(separator: "\\-")
            #expect(headings.contains { $0.split(separator: " ").contains { $0 == name } }, "\(name)")
        }
    }

    @Test func `every default in the table is a valid value`() {
        for setting in SettingTable.all { #expect(setting.fault(in: setting.defaultValue) == nil, "\(setting.name)") }
    }
}
