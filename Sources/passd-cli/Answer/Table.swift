// Prints JSON as aligned lines: an object as lines of `key value`, a list of objects as columns. The text is never much
// longer than the daemon's answer.

import PassClient
import PassJSON
import PassProtocol

enum Table {
    private static let maxColumns = 64
    private static let maxRows = 10_000
    /// The max width of an aligned column. Longer names and cells are not aligned.
    private static let widestColumn = 128
    /// The max width of all aligned columns together. Further columns are not aligned.
    private static let widestRow = 1024
    private static let maxNameSize = 256

    /// An object as lines. Members of nested objects are named like `backend.origin`, and members of objects in lists like
    /// `clients[0].app`.
    static func lines(_ value: JSONValue) -> String {
        columns(flat(value).map { [$0, $1] }, paint: Paint(isOn: false))
    }

    /// A list of objects as columns. The columns are the members of all rows, in the order of their first occurrence. If
    /// there are very many columns or rows, only the first ones are shown.
    static func columns(_ rows: [JSONValue], paint: Paint) -> String {
        var names: [String] = []
        var known: Set<String> = []
        let flatRows = rows.prefix(maxRows).map { flat($0) }
        for row in flatRows {
            for (name, _) in row where names.count < maxColumns && known.insert(name).inserted { names.append(name) }
        }
        let cells = flatRows.map { row in
            let row = Dictionary(row) { first, _ in first }
            return names.map { row[$0] ?? "" }
        }
        let text = columns(header: names, cells, paint: paint)
        return rows.count > maxRows ? "\(text)\n… and \(rows.count - maxRows) more; --json shows them all" : text
    }

    static func columns(header: [String]? = nil, _ rows: [[String]], paint: Paint) -> String {
        let cells = (header.map { [$0] } ?? []) + rows
        var left = widestRow
        let widths = widths(cells).map { width in
            let width = min(width, left)
            left -= width
            return width
        }
        let lines = cells.map { row in
            zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmedEnd
        }
        guard header != nil, let first = lines.first else { return lines.joined(separator: "\n") }
        return ([paint.strong(first)] + lines.dropFirst()).joined(separator: "\n")
    }

    private static func widths(_ cells: [[String]]) -> [Int] {
        (0..<(cells.map(\.count).max() ?? 0)).map { (column: Int) -> Int in
            min(widestColumn, cells.filter { column < $0.count }.map { $0[column].count }.max() ?? 0)
        }
    }

    /// Columns that fit the screen. If necessary, the widest columns are cut.
    static func fitted(header: [String], _ rows: [[String]], to screen: Int, paint: Paint) -> String {
        let rows = rows.prefix(maxRows)
        var widths = widths([header] + rows)
        while widths.reduce(0, +) + 2 * (widths.count - 1) > screen, let widest = widths.max(), widest > 5 {
            if let column = widths.firstIndex(of: widest) { widths[column] -= 1 }
        }
        func cut(_ row: [String]) -> [String] {
            zip(row, widths).map { $0.count > $1 ? $0.prefix(max(0, $1 - 1)) + "~" : $0 }
        }
        return columns(header: cut(header), rows.map(cut), paint: paint)
    }

    private static func flat(_ value: JSONValue) -> [(String, String)] {
        var pairs: [(String, String)] = []
        flatten(value, path: "", name: "", pairs: &pairs)
        return pairs
    }

    /// Collects paths and texts. `name` is the last part of the path. The path grows with each level, so its length is limited.
    private static func flatten(
        _ value: JSONValue, path: String, name: String, pairs: inout [(String, String)]
    ) {
        switch value {
        case .object(let object):
            for member in object.members {
                flatten(
                    member.value, path: step(path, path.isEmpty ? member.name : ".\(member.name)"), name: member.name,
                    pairs: &pairs)
            }
        case .array(let items) where items.contains { $0.object != nil }:
            for (index, item) in items.enumerated() {
                flatten(item, path: step(path, "[\(index)]"), name: "", pairs: &pairs)
            }
        default: pairs.append((path.onOneLine, cell(value, name)))
        }
    }

    private static func step(_ path: String, _ part: String) -> String { (path + part).cut(toBytes: maxNameSize) }

    /// A value for people: text without quotes, times as local time, lengths of time with their units.
    static func cell(_ value: JSONValue, _ name: String = "") -> String {
        switch value {
        case .null: "-"
        case .bool(let flag): flag ? "yes" : "no"
        case .string(let text): text.onOneLine
        case .array(let items): items.map { cell($0) }.joined(separator: ", ")
        case .number where isTime(name): value.int64.map(Moment.text) ?? JSONText.line(value)
        case .number where name == "uptime": value.int64?.secondsInWords ?? JSONText.line(value)
        case .number where name == "offset": value.int64.map(offset) ?? JSONText.line(value)
        case .number, .object: JSONText.line(value).onOneLine
        }
    }

    /// A difference of clocks in milliseconds.
    private static func offset(_ milliseconds: Int64) -> String {
        guard milliseconds.magnitude >= 1000 else { return "\(milliseconds) ms" }
        return (milliseconds < 0 ? "-" : "") + Int64(milliseconds.magnitude / 1000).secondsInWords
    }

    /// Any value as words on one line, including nested values.
    static func phrase(_ value: JSONValue, _ name: String = "") -> String {
        switch value {
        case .array(let items): return items.map { phrase($0, name) }.joined(separator: ", ")
        case .object(let object):
            if let id = value["uid"]?.int64, let process = value["pid"]?.int64 {
                let origin = value["origin"]?.string.map { ", web app \($0.onOneLine)" } ?? ", process \(process)"
                let who = "user \(Account.name(UInt32(exactly: id)) ?? "\(id)")\(origin)"
                return value["app"]?.string.map { "\($0.onOneLine) (\(who))" } ?? who
            }
            if let message = value["message"]?.string {
                return [message, value["remedy"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " ").onOneLine
            }
            return object.members.map { "\($0.name.onOneLine) \(phrase($0.value, $0.name))" }.joined(separator: ", ")
        default: return cell(value, name)
        }
    }

    /// Whether a member of this name is a time in rpc.md.
    private static func isTime(_ name: String) -> Bool {
        ["expires", "lastContact", "lastFailure", "notBefore", "notAfter", "since", "time"].contains(name)
    }
}

extension String {
    fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
