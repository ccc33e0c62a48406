// Tests docs/architecture.md and docs/glossary.md. Every place that they name must exist, and every folder of the
// engine must be on the map.

import FoundationEssentials
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/MapTests.swift".count))

@Suite struct MapTests {
    /// The rows of the tables in a part of a page, cell by cell.
    private func rows(of page: String, from first: String, until last: String = "## ") throws -> [[Substring]] {
        let text = try String(contentsOfFile: repository + "docs/" + page, encoding: .utf8)
        let part = text.split(separator: "\n").drop { !$0.hasPrefix(first) }.dropFirst().prefix { !$0.hasPrefix(last) }
        return part.filter { $0.hasPrefix("| ") }.map { $0.split(separator: "|") }
    }

    @Test(arguments: [("architecture.md", "## 8. ", 1), ("glossary.md", "# ", 2)])
    func `every named place exists`(page: String, section: String, column: Int) throws {
        var count = 0
        for row in try rows(of: page, from: section) where row.count > column {
            for place in row[column].matches(of: /`([A-Za-z-]+\/[A-Za-z0-9\/.+-]*)`/) {
                count += 1
                // A place is in Sources, or is a path from the top.
                let paths = [repository + "Sources/" + place.1, repository + place.1]
                #expect(paths.contains(where: FileManager.default.fileExists), "\(place.1)")
            }
        }
        #expect(count > 15)
    }

    @Test func `the engine's folders are on the map`() throws {
        let engine = repository + "Sources/AccessEnabler"
        let rooms = try FileManager.default.contentsOfDirectory(atPath: engine).filter { !$0.hasSuffix(".swift") }
        let named = try rows(of: "architecture.md", from: "The rooms of the engine")
            .compactMap { $0.first?.firstMatch(of: /`([A-Za-z]+)\/`/)?.1 }
        #expect(Set(named.map(String.init)) == Set(rooms))
    }
}
