// A trace as a table: an action, and below it all lines that must follow, in that order. The first comment is the
// title. A word in single quotes may contain spaces.

import FoundationEssentials
import Testing

/// A line of a trace file.
struct TraceLine: Sendable {
    let number: Int
    let text: String
}

/// An action, and the lines that follow before the next action.
struct TraceBlock: Sendable {
    let action: TraceLine
    var expected: [TraceLine] = []
}

struct TraceScript: Sendable {
    let title: String
    let path: String
    let blocks: [TraceBlock]

    init(_ text: String, path: String) throws(TraceFailure) {
        self.path = path
        var title: String?
        var blocks: [TraceBlock] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(separator: " ").joined(separator: " ")
            if words.hasPrefix("#") {
                title = title ?? words.drop { $0 == "#" || $0 == " " }.description
            } else if !words.isEmpty {
                let line = TraceLine(number: index + 1, text: words)
                if !Self.isExpectation(words) {
                    blocks.append(TraceBlock(action: line))
                } else if blocks.isEmpty {
                    throw TraceFailure(path, line, "nothing was done yet that this could follow")
                } else {
                    blocks[blocks.count - 1].expected.append(line)
                }
            }
        }
        guard let title, !blocks.isEmpty else {
            throw TraceFailure(path, TraceLine(number: 1, text: ""), "a trace has a title and does something")
        }
        self.title = title
        self.blocks = blocks
    }

    /// Whether the line is an expectation: a request, a callback or an answer.
    private static func isExpectation(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return words[0] == "⇄" || words.count > 1 && ["←", "~", "⇒"].contains(words[1])
    }
}

/// The difference between a trace and its file.
struct TraceFailure: Error, CustomStringConvertible {
    let path: String
    let line: TraceLine
    let reason: String

    init(_ path: String, _ line: TraceLine, _ reason: String) {
        self.path = path
        self.line = line
        self.reason = reason
    }

    var file: String { path.split(separator: "/").last.map(String.init) ?? path }
    var description: String { "\(file):\(line.number): \(line.text)\n\(reason)" }

    /// Compares line by line: as expected, missing (-) or not expected (+).
    static func difference(expected: [TraceLine], seen: [String]) -> String {
        let changes = seen.difference(from: expected.map(\.text))
        var missing: Set<Int> = [], extra: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let offset, _, _): missing.insert(offset)
            case .insert(let offset, _, _): extra.insert(offset)
            }
        }
        var rows: [String] = []
        var next = 0
        func showExtra() {
            while extra.contains(next) {
                rows.append("       + \(seen[next])")
                next += 1
            }
        }
        for (index, line) in expected.enumerated() {
            let number = String(repeating: " ", count: max(0, 6 - "\(line.number)".count)) + "\(line.number)"
            if missing.contains(index) {
                rows.append("\(number) - \(line.text)")
            } else {
                showExtra()
                rows.append("\(number)   \(line.text)")
                next += 1
            }
        }
        showExtra()
        return rows.joined(separator: "\n")
    }
}

/// A trace in the folder next to this one.
struct TraceFile: Sendable, CustomTestStringConvertible {
    let path: String

    static let folder = #filePath.dropLast("TraceRunner/TraceScript.swift".count) + "Traces/"

    static var all: [TraceFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
        return names.filter { $0.hasSuffix(".trace") }.sorted().map { TraceFile(path: folder + $0) }
    }

    func script() throws -> TraceScript { try TraceScript(String(contentsOfFile: path, encoding: .utf8), path: path) }

    /// The title, or the name of a file that cannot be read.
    var testDescription: String { (try? script().title) ?? path }
}
