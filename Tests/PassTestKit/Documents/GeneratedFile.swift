// A file of the repository that is generated from a program's tables, either as a whole or between marks. If
// PASSD_REGENERATE is set, the test that checks the file writes it instead.

import FoundationEssentials
import Glibc

public struct GeneratedFile: Sendable {
    /// A generated part is between the lines `.\" NAME: begin` and `.\" NAME: end`.
    public struct MissingMark: Error {
        public let path: String
        public let part: String
    }

    private let path: String
    private let found: String
    private let wanted: String

    public init(_ path: String, is text: String) {
        self.path = Self.repository + path
        found = Self.read(path)
        wanted = text
    }

    public init(_ path: String, parts: KeyValuePairs<String, String>) throws(MissingMark) {
        self.path = Self.repository + path
        found = Self.read(path)
        var page = found
        for (name, text) in parts {
            guard let begin = page.firstRange(of: ".\\\" \(name): begin"),
                let line = page[begin.upperBound...].firstIndex(of: "\n"),
                let end = page[line...].firstRange(of: "\n.\\\" \(name): end")
            else { throw MissingMark(path: path, part: name) }
            page = page[...line] + text + page[page.index(after: end.lowerBound)...]
        }
        wanted = page
    }

    /// Whether the file matches the tables.
    public func isCurrent() throws -> Bool {
        if getenv("PASSD_REGENERATE") != nil, found != wanted {
            let file = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(wanted.utf8).write(to: file)
        }
        return found == wanted
    }

    private static let repository = String(
        #filePath.dropLast("Tests/PassTestKit/Documents/GeneratedFile.swift".count))

    private static func read(_ path: String) -> String {
        (try? String(contentsOfFile: repository + path, encoding: .utf8)) ?? ""
    }
}
