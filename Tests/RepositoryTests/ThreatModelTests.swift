// Tests that the tests and attackers in the tables of the threat model and of the vendor's checklist exist.

import FoundationEssentials
import Testing

@Suite struct ThreatModelTests {
    private let repository = String(#filePath.dropLast("Tests/RepositoryTests/ThreatModelTests.swift".count))

    /// The last column of the tables of promises, with an entry for each test or attacker.
    private func holders() throws -> [String] {
        try holders(in: "docs/threat-model.md", "## What is promised", "## What is not promised")
            // Any other cell is a reason.
            + holders(in: "docs/contract/rest-v2.md", "## 24. The vendor's checklist", "## 25").filter {
                $0.hasPrefix("`")
            }
    }

    private func holders(in document: String, _ begin: String, _ end: String) throws -> [String] {
        let text = try String(contentsOfFile: repository + document, encoding: .utf8)
        let rows = text.split(separator: "\n").drop { $0 != begin }.prefix { !$0.hasPrefix(end) }
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Promise") && !$0.hasPrefix("| Demand") }
        return rows.flatMap { row in
            (row.split(separator: "|").last(where: { !$0.allSatisfy(\.isWhitespace) }) ?? "").split(separator: ";")
                .map { $0.trimmed }
        }
    }

    @Test func `every named test and attacker exists`() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: repository + "Tests")
        let holders = try holders()
        #expect(holders.count > 40)
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
