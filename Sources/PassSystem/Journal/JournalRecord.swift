// One record in two forms. The journal's socket gets fields. Standard error gets one line with the prefix `<N>`, where N is the
// level.

struct JournalRecord: Equatable {
    let level: JournalLevel
    let line: String
    /// The fields in the form `NAME=value`. Values are not escaped, because the journal accepts any value.
    let fields: [String]

    init(_ event: JournalEvent, _ fields: [JournalField], suppressed: Int = 0) {
        level = event.level
        var valid = fields.filter(\.isValid)
        if valid.count < fields.count { valid.append(JournalField("DROPPED_FIELDS", fields.count - valid.count)) }
        if suppressed > 0 { valid.append(JournalField("SUPPRESSED", suppressed)) }
        let values = valid.map { $0.name.description.lowercased() + "=" + Self.printable($0.value) }
        line = event.message.description + (values.isEmpty ? "" : " (" + values.joined(separator: " ") + ")")
        var all = ["PRIORITY=\(event.level.rawValue)", "MESSAGE=" + line, "PASSD_EVENT=\(event.name)"]
        if let id = event.catalogID { all.append("MESSAGE_ID=\(id)") }
        self.fields = all + valid.map { "PASSD_\($0.name)=\($0.value)" }
    }

    /// The line for standard error. `time` is empty or ends with a blank.
    func text(at time: String = "") -> String { "<\(level.rawValue)>\(time)\(line)\n" }

    /// The value as one word, or quoted. The result cannot end the line or control a terminal.
    private static func printable(_ value: String) -> String {
        var out = ""
        var isPlain = !value.isEmpty
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\n": out += "\\n"
            case "\"", "\\": out += "\\" + String(scalar)
            case _
            where scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                || ["\u{2028}", "\u{2029}"].contains(scalar):
                out += "\\u{" + String(scalar.value, radix: 16) + "}"
            default:
                out.unicodeScalars.append(scalar)
                if !scalar.properties.isWhitespace, scalar != "=", scalar != "(", scalar != ")" { continue }
            }
            isPlain = false
        }
        return isPlain ? out : "\"" + out + "\""
    }
}
