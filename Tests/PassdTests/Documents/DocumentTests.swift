// Tests the shipped files that are generated from tables: the default file and the manuals. `PASSD_REGENERATE=1 swift
// test --filter DocumentTests` writes them. operations.md §2.

import FoundationEssentials
import Glibc
import PassArguments
import PassTestKit
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

    private func hold(_ path: String, _ wanted: (String) throws -> String) throws {
        let found = (try? text(path)) ?? ""
        let wanted = try wanted(found)
        if getenv("PASSD_REGENERATE") != nil, found != wanted {
            try Data(wanted.utf8).write(to: URL(filePath: repository + path))
        }
        #expect(found == wanted, "\(path) is not what the table prints")
    }

    @Test func `the shipped configuration is exactly what the table prints`() throws {
        try hold("Config/passd.conf") { _ in DefaultFile.text }
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

    @Test func `the manual of the configuration has the tables of settings and app keys`() throws {
        try hold("docs/man/passd.conf.5") { page in
            let parts = [("SETTINGS", SettingManual.settings), ("APP KEYS", SettingManual.appKeys)]
            return try parts.reduce(page) { page, part in
                let begin = try #require(page.firstRange(of: ".\\\" BEGIN \(part.0)\n"))
                let end = try #require(page.firstRange(of: ".\\\" END \(part.0)\n"))
                return page[..<begin.upperBound] + part.1 + page[end.lowerBound...]
            }
        }
    }

    @Test func `the manual of the daemon has every flag, with the table's explanation`() throws {
        let options = ProgramManual.options(ProgramSyntax.passd.options) { option in
            // passd.conf(5) has the default.
            let setting = Flag.all.first { $0.option == option }.flatMap { SettingTable.find($0.setting) }
            return setting.map {
                "Overrides \(Roff.bold($0.name.key)) in [\(Roff.text($0.name.section))]."
            } ?? ""
        }
        #expect(
            try GeneratedFile("docs/man/passd.8", parts: ["options": options]).isCurrent(),
            "docs/man/passd.8 is not what the table prints")
        let page = try text("docs/man/passd.8")
        for option in ProgramSyntax.passd.options {
            let name = option.name.split(separator: "-", omittingEmptySubsequences: false).joined(separator: "\\-")
            #expect(page.contains(".TP\n\\fB\(name)\\fR"), "\(name)")
        }
    }

    @Test func `every default in the table is a valid value`() {
        for setting in SettingTable.all { #expect(setting.fault(in: setting.defaultValue) == nil, "\(setting.name)") }
    }
}
