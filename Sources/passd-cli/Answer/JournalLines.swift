// The journal's records as lines: time, priority, message, and the daemon's own fields. Texts of providers to viewers are
// left out.

import PassClient
import PassJSON
import PassProtocol

enum JournalLines {
    /// `output` has one JSON object a line, as `journalctl --output=json --reverse` prints it; the lines are put into the
    /// order of time. Other lines are kept as they are, but a record that was cut off, from which nothing could be left out,
    /// is not.
    static func text(newestFirst output: String) -> String {
        output.split(separator: "\n").map { line in
            if let record = JSONText.read(String(line)), record.object != nil { return text(of: record) }
            return line.hasPrefix("{") ? "(a record that was cut off)" : String(line).onOneLine
        }.reversed().joined(separator: "\n")
    }

    private static func text(of record: JSONValue) -> String {
        let time = record["__REALTIME_TIMESTAMP"]?.string.flatMap { Int64($0) }.map { Moment.text($0 / 1000) } ?? "?"
        let fields = (record.object?.members ?? []).filter { member in
            member.name.hasPrefix("PASSD_") && member.name != "PASSD_TEXT"
        }
        let words = fields.compactMap { member in member.value.string.map { "\(member.name)=\($0.onOneLine)" } }
        let message = record["MESSAGE"]?.string?.onOneLine ?? ""
        return (["\(time) <\(record["PRIORITY"]?.string ?? "?")> \(message)"] + words).joined(separator: "  ")
    }
}
