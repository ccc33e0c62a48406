// `bugreport`: writes one file for a support engineer. It has the daemon's reports, the state of the daemon's units and the
// last records of the journal. The verb lists the content before it writes. These reports and records contain no secrets. Names
// of resources are replaced by numbers, and texts for viewers are left out. operations.md §1.

import PassArguments
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let file = Option(
        "--output", "FILE", help: "write to FILE; - is standard output; default: passd-bugreport-DATE.txt")
    static let records = Option("--records", "NUMBER", help: "include this many records of the journal; default: 500")
}

extension Verb {
    static let bugReport = Verb(
        "bugreport", "collect information for support in one file, without secrets",
        options: [.file, .records, .offline],
        details: """
            Prints a list of the contents. Read the file before you send it. The file has no token, key, code, \
            software statement or viewer's name. Resources are replaced by numbers, and messages from providers \
            to viewers are left out. The report has a short id, for telephone calls with support. If the daemon does \
            not answer, the file has the reason, and the parts that do not need the daemon.
            """
    ) { invocation in
        let records = try invocation.arguments.number(.records, in: 0...10_000) ?? 500
        let sections = await BugReport(invocation: invocation).gather(records: records)
        let (id, text) = BugReport.text(sections, at: invocation.console.now)
        let path = invocation.arguments[.file] ?? "passd-bugreport-\(Moment.stamp(invocation.console.now)).txt"
        if path == "-" {
            try invocation.console.write(text)
            return Outcome()
        }
        for section in sections {
            invocation.console.warn("\(section.title): \(counted(section.lines, "line"))\n")
        }
        invocation.console.warn(BugReport.promise + "\n")
        try OutputFile.create(path, with: text, remedy: "Name another file with --output.")
        return Outcome(
            data: ["file": .string(path), "id": .string(id), "sections": .strings(sections.map(\.title))],
            text: "Written to \(path.onOneLine). Read it before you send it. The id of the report is \(id).")
    }
}

private struct BugReport {
    struct Section: Sendable {
        let title: String
        let text: String

        var lines: Int64 { Int64(text.split(separator: "\n", omittingEmptySubsequences: false).count) }
    }

    static let promise =
        "It contains no token, key, code or software statement and no viewer's name. Resources are replaced by numbers."

    let invocation: Invocation

    func gather(records: Int) async -> [Section] {
        var sections = [Section(title: "Versions", text: versions())]
        func add(_ title: String, _ gather: () async throws -> String) async {
            let text: String
            do { text = try await gather() } catch {
                let failure = Failure(any: error)
                text = "\(failure.message) \(failure.remedy)"
            }
            sections.append(Section(title: title, text: Redaction.clean(text).onTheirLines))
        }
        do {
            _ = try await invocation.connect(.admin)
            var viewing = ViewingAliases()
            let plain = Paint(isOn: false)
            await add("Status") { Report.status(viewing.numbered(try await invocation.ask(Status.self)), plain) }
            await add("Doctor") {
                let isOffline = invocation.arguments.has(.offline)
                return Verb.doctorText(try await invocation.ask(Doctor.self, .init(isOffline: isOffline)), plain)
            }
            await add("Configuration in force") {
                Verb.configurationText(try await invocation.ask(ConfigurationInForce.self), plain)
            }
            await add("Last decisions") {
                Report.decisions(viewing.numbered(try await invocation.ask(Decisions.self, .init())), plain)
            }
            await add("Sessions") {
                Table.columns(try await invocation.ask(Sessions.self).list("sessions"), paint: plain)
            }
            await add("Stored logins") {
                Table.columns(try await invocation.ask(Tokens.self).list("tokens"), paint: plain)
            }
            await add("Metrics") { try await invocation.ask(Metrics.self)["text"]?.string ?? "" }
        } catch {
            await add("Daemon") { throw error }
        }
        await add("Configuration files") {
            passd((invocation.instance.map { ["--instance", $0.text] } ?? []) + ["--check-config"])
        }
        await add("Units") { output(of: ["systemctl", "show", "--property", Self.unitFacts] + units) }
        await add("Journal") { journal(records) }
        return sections
    }

    /// Runs the daemon's program with these words, and returns its output.
    private func passd(_ words: [String]) -> String {
        // Two folders are tried as well, because the PATH of some users has no folders for system programs.
        for program in ["passd", "/usr/sbin/passd", "/usr/local/sbin/passd"] {
            if let text = invocation.console.output(of: [program] + words) { return text }
        }
        return "passd cannot be run here"
    }

    /// The last records of the journal. journalctl prints the newest record first, so that the limit of the output drops the
    /// oldest records.
    private func journal(_ records: Int) -> String {
        JournalLines.text(
            newestFirst: output(
                of: ["journalctl", "--no-pager", "--output=json", "--reverse", "--lines=\(records)"]
                    + units.map { "--unit=\($0)" }))
    }

    /// The units of this daemon instance.
    private var units: [String] {
        let name = invocation.instance.map { "@\($0.text)" } ?? ""
        let units = [
            "passd\(name).service", "passd\(name).socket", "passd-admin\(name).socket",
            "passd-sealing-key\(name).service",
        ]
        return invocation.instance == nil ? units + ["passd-seal.service"] : units
    }

    private static let unitFacts =
        "Id,LoadState,ActiveState,SubState,Result,UnitFileState,NRestarts,ExecMainStatus,ActiveEnterTimestamp,StatusText,"
        + "MemoryCurrent,TasksCurrent,DropInPaths"

    private func versions() -> String {
        func line(_ text: String, beginning start: String = "") -> String? {
            text.split(separator: "\n").first { $0.hasPrefix(start) }.map(String.init)
        }
        return [
            ProgramSyntax.passdCLI.versionLine, line(passd(["--version"])),
            line(output(of: ["cat", "/etc/os-release"]), beginning: "PRETTY_NAME="),
            line(output(of: ["uname", "-srm"])), line(output(of: ["systemctl", "--version"])),
        ].compactMap(\.self).joined(separator: "\n")
    }

    private func output(of words: [String]) -> String {
        invocation.console.output(of: words) ?? "\(words[0]) cannot be run here"
    }

    static func text(_ sections: [Section], at now: Int64) -> (id: String, text: String) {
        let body = sections.map { "== \($0.title)\n\($0.text)\n" }.joined(separator: "\n")
        let id = shortID("\(now)\n\(body)")
        return (id, "Bug report \(id) of passd, \(Moment.text(now))\n\(promise)\n\n\(body)")
    }

    /// An id of eight letters and digits that a person can read aloud without confusion. It is made from a hash (FNV-1a) of the
    /// text.
    private static func shortID(_ text: String) -> String {
        let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ")
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let id = (0..<8).map { letters[Int(hash >> (24 + 5 * $0) & 31)] }
        return String(id[..<4]) + "-" + String(id[4...])
    }
}

/// The numbers that replace names of resources, so that a report does not show what was watched. The same name always gets the
/// same number.
private struct ViewingAliases {
    private var numbers: [String: Int] = [:]

    /// The value with a number in each member `resource`, and without texts for viewers.
    mutating func numbered(_ value: JSONValue) -> JSONValue {
        if let items = value.array { return .array(items.map { numbered($0) }) }
        guard let object = value.object else { return value }
        // The message of a decision is left out, too, because it is from the service and may repeat the provider's text.
        let texts = object["decidedBy"] == nil ? ["text"] : ["text", "message"]
        return .object(JSONObject(object.members.map { ($0.name, alias($0, texts)) }))
    }

    private mutating func alias(_ member: JSONObject.Member, _ texts: [String]) -> JSONValue {
        guard let text = member.value.string else { return numbered(member.value) }
        guard member.name == "resource" else { return texts.contains(member.name) ? "(left out)" : member.value }
        let number = numbers[text] ?? numbers.count + 1
        numbers[text] = number
        return .string("resource-\(number)")
    }
}

/// The journal's records as lines: time, priority, message, and the daemon's own fields. Texts of providers to viewers are left
/// out.
private enum JournalLines {
    /// The records in the order of time. `output` has one JSON object on each line, as `journalctl --output=json --reverse`
    /// prints it. Other lines are kept. An incomplete record is replaced as a whole, because its texts for viewers cannot be
    /// found.
    static func text(newestFirst output: String) -> String {
        output.split(separator: "\n").map { line in
            if let record = JSONText.read(String(line)), record.object != nil { return text(of: record) }
            return line.hasPrefix("{") ? "(a record that was cut off)" : String(line).onOneLine
        }.reversed().joined(separator: "\n")
    }

    private static func text(of record: JSONValue) -> String {
        let time = record["__REALTIME_TIMESTAMP"]?.string.flatMap { Int64($0) }.map { Moment.text($0 / 1000) } ?? "?"
        let texts = ["PASSD_TEXT", "PASSD_SAYS"]
        let fields = record.members.filter { $0.name.hasPrefix("PASSD_") && !texts.contains($0.name) }
        let words = fields.compactMap { member in member.value.string.map { "\(member.name)=\($0.onOneLine)" } }
        var message = record["MESSAGE"]?.string?.onOneLine ?? ""
        // The end of the message, in parentheses, is left out, because it repeats the fields.
        if texts.contains(where: { record[$0] != nil }) { message = String(message.prefix { $0 != "(" }) + "(…)" }
        return (["\(time) <\(record["PRIORITY"]?.string ?? "?")> \(message)"] + words).joined(separator: "  ")
    }
}
