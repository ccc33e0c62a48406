// A file of the repository that is made from tables in the source, either as a whole or between marks.

import FoundationEssentials

package struct GeneratedFile: Sendable {
    package struct MissingMark: Error {
        let path: String
        let part: String
    }

    private enum Contents: Sendable {
        case whole(String)
        /// Each part has a name, and is between comments that begin with `NAME: begin` and `NAME: end`.
        case parts(KeyValuePairs<String, String>)
    }

    /// The path in the repository.
    package let path: String
    private let contents: Contents

    init(_ path: String, is text: String) {
        self.path = path
        contents = .whole(text)
    }

    init(_ path: String, parts: KeyValuePairs<String, String>) {
        self.path = path
        contents = .parts(parts)
    }

    /// Whether the file matches the tables.
    package func isCurrent() throws(MissingMark) -> Bool { try wanted() == found }

    package func write() throws { try Data(wanted().utf8).write(to: URL(filePath: Self.repository + path)) }

    static let repository = String(#filePath.dropLast("Tests/PassDocuments/GeneratedFile.swift".count))

    /// The text of the file; empty if there is none.
    private var found: String { (try? String(contentsOfFile: Self.repository + path, encoding: .utf8)) ?? "" }

    private func wanted() throws(MissingMark) -> String {
        let parts: KeyValuePairs<String, String>
        switch contents {
        case .whole(let text): return text
        case .parts(let all): parts = all
        }
        let comment = path.hasSuffix(".md") ? "<!-- " : ".\\\" "
        var page = found
        for (name, text) in parts {
            guard let begin = page.firstRange(of: "\(comment)\(name): begin"),
                let line = page[begin.upperBound...].firstIndex(of: "\n"),
                let end = page[line...].firstRange(of: "\n\(comment)\(name): end")
            else { throw MissingMark(path: path, part: name) }
            page = page[...line] + text + page[page.index(after: end.lowerBound)...]
        }
        return page
    }
}
