// Tests that passd-cli(1) has every verb, option and exit code, as a reader sees it.

import FoundationEssentials
import PassArguments
import PassProtocol
import Testing

@testable import PassCLI

@Suite struct ManPageTests {
    private let program = ProgramSyntax.passdCLI

    private static let page: String = {
        let path = #filePath.dropLast("Tests/PassdCLITests/ManPageTests.swift".count) + "docs/man/passd-cli.1"
        let text = (try? String(contentsOfFile: String(path), encoding: .utf8)) ?? ""
        // The page as a reader sees it, without fonts and with plain dashes.
        var plain = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix(".\\\"") }
            .joined(separator: "\n")
        for (mark, shown) in [("\\-", "-"), ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\&", "")] {
            plain = plain.split(separator: mark, omittingEmptySubsequences: false).joined(separator: shown)
        }
        return plain
    }()

    private static let lines = page.split(separator: "\n").map(String.init)

    /// The line with the entry of a verb or an option.
    private func entry(_ name: String) -> String? {
        Self.lines.first { line in
            let bare = line.hasPrefix(".B ") ? String(line.dropFirst(3)) : line
            return bare == name || bare.hasPrefix(name + " ") || bare.hasPrefix(name + ",")
        }
    }

    @Test(arguments: ProgramSyntax.passdCLI.verbs.map(\.name))
    func `every verb has an entry with its options and operands`(_ name: String) throws {
        let verb = try #require(program.verbs.first { $0.name == name })
        let entry = try #require(self.entry(name))
        for option in verb.options { #expect(entry.contains("[\(option.usage)]")) }
        for operand in verb.operands {
            for word in operand.name.split(separator: "=") { #expect(entry.contains(word)) }
        }
    }

    @Test func `every global option has an entry, and every option is mentioned`() {
        for option in program.options { #expect(entry(option.usage) != nil, "\(option.usage)") }
        for option in program.allOptions { #expect(Self.page.contains(option.name), "\(option.name)") }
    }

    @Test func `every exit code has an entry, and the version is the program's version`() {
        for (code, _) in ExitCode.explained { #expect(entry("\(code)") != nil, "\(code)") }
        #expect(Self.page.contains("\"passd \(PassdVersion.text)\""))
    }

    @Test func `the page has no unknown verb or option`() {
        let names = Set(program.allOptions.map(\.name) + ["--option"])
        for word in Self.page.split(whereSeparator: { " \n[],=|;".contains($0) }) where word.hasPrefix("--") {
            let name = String(word.prefix { $0 == "-" || $0.isLetter })
            #expect(name == "--" || names.contains(name), "\(name)")
        }
    }
}
