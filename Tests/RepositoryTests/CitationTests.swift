// Tests that citations are valid. Sources, tests, scripts and traces cite the contract and the map by page and section:
// `rest-v2.md §6.2`, `open-questions.md OQ-13`, `rest-v2.md S4`, `architecture §5.3`.

import FoundationEssentials
import Testing

private let repository = String(#filePath.dropLast("Tests/RepositoryTests/CitationTests.swift".count))

@Suite struct CitationTests {
    /// A page with the names of its headings: sections by number, calls and open questions by name.
    private struct Page {
        var headings: Set<String> = []
        /// A citation of an item in a numbered list, such as `§19.12`, is valid if the section exists.
        func has(_ reference: String) -> Bool {
            if headings.contains(reference) { return true }
            guard let dot = reference.lastIndex(of: ".") else { return false }
            return items.contains(reference) && headings.contains(String(reference[..<dot]))
        }
        var items: Set<String> = []
    }

    @Test func `every cited section exists`() throws {
        let pages = try self.pages()
        #expect(pages.count >= 5)
        var count = 0
        for (file, text) in try citingFiles() {
            for line in text.split(separator: "\n")
            where line.contains("§") || line.contains(".md ") || line.contains("OQ-") {
                for citation in Self.citations(in: String(line)) {
                    count += 1
                    let candidates = citation.page.map { [pages[$0]].compactMap(\.self) } ?? Array(pages.values)
                    #expect(
                        candidates.contains { $0.has(citation.reference) },
                        "\(file): \(citation.page ?? "no page") has \(citation.reference)")
                }
                for question in line.matches(of: /\bOQ-\d+/) {
                    #expect(
                        pages["open-questions"]?.has(String(question.0)) == true, "\(file): there is no \(question.0)")
                }
            }
        }
        #expect(count > 500)
    }

    @Test func `every cited ruling and evidence exists`() throws {
        let page = try String(contentsOfFile: repository + "docs/contract/rulings.md", encoding: .utf8)
        let numbers = Set(page.split(separator: "\n").compactMap { $0.firstMatch(of: /^\| (E?\d+) \|/)?.1 })
        #expect(numbers.isSuperset(of: (1...59).map { "\($0)" } + (1...28).map { "E\($0)" }))
        var cited: Set<Substring> = []
        for (_, text) in try citingFiles() {
            for match in text.matches(of: /[Rr]ulings? (\d+)(?:(?:,| and) (\d+)\b(?!\.))?/) {
                cited.formUnion([match.1, match.2].compactMap(\.self))
            }
            for match in text.matches(of: /(?:[Ee]vidence |func `)(E\d{1,2})\b/) { cited.insert(match.1) }
        }
        for number in cited { #expect(numbers.contains(number), "there is no ruling or evidence \(number)") }
        #expect(cited.count > 30)
    }

    struct Citation: Equatable, Sendable {
        /// The page; nil if the citation has only a section, which may be on any page.
        var page: String?
        var reference: String

        init(_ page: String?, _ reference: String) {
            self.page = page
            self.reference = reference
        }
    }

    static func citations(in text: String) -> [Citation] {
        var found: [Citation] = []
        var page: String?
        var rest = text[...]
        let token =
            /RFC \d+,? §[\d.]+|([a-z][a-z0-9-]*)\.md|([Aa]rchitecture)|§§? ?(\d+(?:\.\d+)*)|\b([A-Z]\d)\b|[\n;]/
        let between = /[ ,]*(?:and |to )?/
        while let match = rest.firstMatch(of: token) {
            // A page applies only to the sections directly after it.
            if rest[..<match.range.lowerBound].wholeMatch(of: between) == nil { page = nil }
            rest = rest[match.range.upperBound...]
            if let name = match.1 {
                page = String(name)
            } else if match.2 != nil {
                // This page is cited so often that it needs no `.md`.
                page = "architecture"
            } else if let section = match.3 {
                found.append(Citation(page, String(section)))
            } else if let call = match.4, let page, page.hasPrefix("rest-") || page == "dcr" {
                found.append(Citation(page, String(call)))
            } else if match.4 == nil {
                page = nil
            }
        }
        return found
    }

    @Test(
        arguments: [
            (
                "// rest-v2.md §6.2, §7; access-enabler.md §9.5",
                [("rest-v2", "6.2"), ("rest-v2", "7"), ("access-enabler", "9.5")]
            ),
            ("rest-v2.md S4 and D1: x", [("rest-v2", "S4"), ("rest-v2", "D1")]),
            ("see §3.1", [(nil, "3.1")]), ("RFC 3986 §5.2.4", []), ("rpc.md says so; §4", [(nil, "4")]),
            ("S4 alone is a name", []),
            (
                "// it. Architecture §1, §3. architecture.md §5 rule 2",
                [("architecture", "1"), ("architecture", "3"), ("architecture", "5")]
            ),
        ] as [(String, [(String?, String)])])
    func `citations are found`(text: String, citations: [(String?, String)]) {
        #expect(Self.citations(in: text) == citations.map { Citation($0.0, $0.1) })
    }

    private func pages() throws -> [String: Page] {
        var pages: [String: Page] = [:]
        let contract = try FileManager.default.contentsOfDirectory(atPath: repository + "docs/contract")
        for path in contract.map({ "contract/" + $0 }) + ["architecture.md"] where path.hasSuffix(".md") {
            var (page, section) = (Page(), "")
            let text = try String(contentsOfFile: repository + "docs/" + path, encoding: .utf8)
            for line in text.split(separator: "\n") {
                if let heading = line.firstMatch(of: /^#+ (\d+(?:\.\d+)*|OQ-\d+|[A-Z]\d\b)/) {
                    section = String(heading.1)
                    page.headings.insert(section)
                } else if let item = line.firstMatch(of: #/^(\d+)\. /#) {
                    page.items.insert("\(section).\(item.1)")
                }
            }
            pages[String(path.split(separator: "/").last?.dropLast(3) ?? "")] = page
        }
        return pages
    }

    private func citingFiles() throws -> [(file: String, text: String)] {
        var files: [(String, String)] = []
        for folder in ["Sources", "Tests"] {
            for path in try FileManager.default.subpathsOfDirectory(atPath: repository + folder)
            where !path.hasSuffix("CitationTests.swift") {
                let file = folder + "/" + path
                // Pictures and compiled files contain no text.
                guard let text = try? String(contentsOfFile: repository + file, encoding: .utf8) else { continue }
                files.append((file, text))
            }
        }
        return files
    }
}
