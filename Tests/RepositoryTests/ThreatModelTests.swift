// Tests that every promise of the threat model names the test or attacker that holds it, and that it exists.

import FoundationEssentials
import Testing

@Suite struct ThreatModelTests {
    private let repository = String(#filePath.dropLast("Tests/RepositoryTests/ThreatModelTests.swift".count))

    /// The last column of the tables of promises, with an entry for each test or attacker.
    private func holders() throws -> [String] {
        let text = try String(contentsOfFile: repository + "docs/threat-model.md", encoding: .utf8)
        let promises = text.split(separator: "\n").drop { $0 != "## What is promised" }
            .prefix { !$0.hasPrefix("## What is not promised") }
        let rows = promises.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Promise") }
        return rows.flatMap { row in
            (row.split(separator: "|").last(where: { !$0.allSatisfy(\.isWhitespace) }) ?? "").split(separator: ";")
                .map { $0.trimmed }
        }
    }

    @Test func `what is named to hold a promise exists`() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: repository + "Tests")
        let holders = try holders()
        #expect(holders.count > 20)
        for holder in holders {
            let parts = holder.split(separator: "`", maxSplits: 2, omittingEmptySubsequences: false)
            let file = parts.count == 3 ? String(parts[1]) : ""
            if file.hasPrefix("Tests/") {
                #expect(FileManager.default.fileExists(atPath: repository + file), "\(holder)")
                continue
            }
            let name = parts.count == 3 && parts[2].hasPrefix(": ") ? String(parts[2].dropFirst(2)) : ""
            let places = files.filter { $0 == file || $0.hasSuffix("/" + file) }
            let texts = try places.map { try String(contentsOfFile: "\(repository)Tests/\($0)", encoding: .utf8) }
            #expect(!name.isEmpty && texts.contains { $0.contains("func `\(name)`") }, "\(holder)")
        }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
}
