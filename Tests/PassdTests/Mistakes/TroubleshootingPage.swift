// The tables of docs/troubleshooting.md, as text.

import FoundationEssentials

enum TroubleshootingPage {
    struct Row {
        let what: String
        let message: String
        let remedy: String
    }

    /// The rows of the table below a heading.
    static func rows(below heading: String) throws -> [Row] {
        let repository = #filePath.dropLast("Tests/PassdTests/Mistakes/TroubleshootingPage.swift".count)
        let page = try String(contentsOfFile: repository + "docs/troubleshooting.md", encoding: .utf8)
        let part = page.split(separator: "\n").drop { $0 != "### \(heading)" }.dropFirst()
        return part.prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("| ") }.dropFirst(2).map { line in
            // A cell may contain an escaped bar.
            let cells = line.dropFirst(2).dropLast(2).split(separator: " | ")
                .map { String($0.replacing("\\|", with: "|")) }
            return Row(what: cells[0], message: String(cells[1].dropFirst().dropLast()), remedy: cells[2])
        }
    }
}
