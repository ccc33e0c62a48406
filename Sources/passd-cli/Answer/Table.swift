// JSON as aligned lines: an object as `key value` lines, a list of objects as columns.

import PassClient
import PassProtocol

enum Table {
    /// Objects within objects are named `backend.origin`; lists of objects follow as columns of their own.
    static func lines(_ value: JSONValue) -> String {
        let pairs = flat(value, "")
        let width = pairs.map(\.0.count).max() ?? 0
        return pairs.map { "\($0.padded(to: width))  \($1)".trimmedEnd }.joined(separator: "\n")
    }

    /// The columns are the members of the first row that has them, in their order.
    static func columns(_ rows: [JSONValue], paint: Paint) -> String {
        var names: [String] = []
        let flatRows = rows.map { Dictionary(flat($0, "")) { first, _ in first } }
        for row in rows { for (name, _) in flat(row, "") where !names.contains(name) { names.append(name) } }
        return columns(header: names, flatRows.map { row in names.map { row[$0] ?? "" } }, paint: paint)
    }

    static func columns(header: [String]? = nil, _ rows: [[String]], paint: Paint) -> String {
        let cells = (header.map { [$0] } ?? []) + rows
        let widths = (0..<(cells.map(\.count).max() ?? 0)).map { column in
            cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        let lines = cells.map { row in
            zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmedEnd
        }
        guard header != nil, let first = lines.first else { return lines.joined(separator: "\n") }
        return ([paint.strong(first)] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func flat(_ value: JSONValue, _ path: String) -> [(String, String)] {
        switch value {
        case .object(let object):
            object.members.flatMap { flat($0.value, path.isEmpty ? $0.name : "\(path).\($0.name)") }
        case .array(let items) where items.contains { $0.object != nil }:
            items.enumerated().flatMap { flat($1, "\(path)[\($0)]") }
        default: [(path.onOneLine, cell(value, path))]
        }
    }

    /// One value for people: texts bare, times as times.
    static func cell(_ value: JSONValue, _ name: String = "") -> String {
        switch value {
        case .null: "-"
        case .bool(let flag): flag ? "yes" : "no"
        case .string(let text): text.onOneLine
        case .array(let items): items.map { cell($0) }.joined(separator: ", ")
        case .number where isTime(name): value.int64.map(Moment.text) ?? JSONText.line(value)
        case .number, .object: JSONText.line(value).onOneLine
        }
    }

    /// The names of rpc.md that are times.
    private static func isTime(_ path: String) -> Bool {
        ["expires", "notBefore", "notAfter", "since", "time"].contains(path.split(separator: ".").last ?? "")
    }
}

extension String {
    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
