// `bugreport`: gathers in one file what whoever supports the box needs: the daemon's own reports, the state of its units
// and the journal's last records. It says what is inside before it writes. Secrets are in none of these sources; what was
// watched is replaced by numbers, and texts for viewers are left out. operations.md §1.

import Glibc
import PassClient
import PassJSON
import PassProtocol

extension Option {
    static let file = Option(
        name: "--output", value: "FILE", help: "write to FILE; - is standard output; default: passd-bugreport-DATE.txt")
    static let records = Option(
        name: "--records", value: "NUMBER", help: "take this many records of the journal; default: 500")
}

extension Verb {
    static let bugReport = Verb(
        name: "bugreport", summary: "gather in one file what support needs, without secrets",
        options: [.file, .records, .offline],
        details: """
            The file has versions, the status, the checks of doctor, the configuration in force, the last decisions, the \
            sessions, the stored logins, the metrics, the state of the units and the journal's last records. It has no \
            token, key, code or software statement and no name of a viewer; resources are numbered, and providers' texts to \
            viewers are left out. What is inside is printed before the file is written; read it before you send it. The \
            configuration files are checked as well. If the daemon does not answer, the file says why, and has the rest.
            """
    ) { invocation in
        let report = BugReport(invocation)
        let number = try invocation.arguments[.records].map { text throws(Failure) in try count(text) } ?? 500
        let sections = await report.gather(records: number)
        let text = BugReport.text(sections, at: invocation.console.now)
        let path = invocation.arguments[.file] ?? "passd-bugreport-\(Moment.stamp(invocation.console.now)).txt"
        if path == "-" {
            try invocation.console.write(text)
            return Outcome()
        }
        for section in sections {
            invocation.console.warn("\(section.title): \(section.lines) \(section.lines == 1 ? "line" : "lines")\n")
        }
        invocation.console.warn(BugReport.promise + "\n")
        if let fault = NewFile.write(text, to: path) {
            throw Failure(
                .failed, name: "WRITE", "\(path.onOneLine) cannot be written: \(fault).",
                remedy: "Name another file with --output.")
        }
        let titles = sections.map { JSONValue.string($0.title) }
        return Outcome(
            data: ["file": .string(path), "sections": .array(titles)],
            text: "Written to \(path.onOneLine). Read it before you send it.")
    }

    private static func count(_ text: String) throws(Failure) -> Int {
        guard let number = Int(text), (0...10_000).contains(number) else {
            throw Failure.usage("--records \(text) is not a number from 0 to 10000.", Verb.bugReport)
        }
        return number
    }
}

struct BugReport {
    struct Section: Sendable {
        let title: String
        let text: String

        var lines: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count }
    }

    static let promise =
        "It contains no token, key, code or software statement and no name of a viewer. Resources are numbered."

    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func gather(records: Int) async -> [Section] {
        var viewing = ViewingAliases()
        let isOffline = invocation.arguments.has(.offline)
        var sections = [Section(title: "Versions", text: versions())]
        func add(_ title: String, _ lines: () async throws -> String) async {
            let text: String
            do { text = try await lines() } catch {
                let failure = Failure(any: error)
                text = "\(failure.message) \(failure.remedy)"
            }
            let lines = Redaction.clean(text).split(separator: "\n", omittingEmptySubsequences: false)
            sections.append(Section(title: title, text: lines.map { String($0).onOneLine }.joined(separator: "\n")))
        }
        func addFacts() async {
            await add("Configuration files") { filesCheck }
            await add("Units") { output(of: ["systemctl", "show", "--property", Self.unitFacts] + units) }
            await add("Journal") { journal(records) }
        }
        func ask<Method: RPCMethod>(_ method: Method.Type, _ params: Method.Params) async throws -> JSONValue {
            try await invocation.connect(.admin).call(method, params)
        }
        let plain = Paint(isOn: false)
        if let failure = await absence() {
            await add("Daemon") { failure }
            await addFacts()
            return sections
        }
        await add("Status") { Verb.statusText(viewing.numbered(try await ask(Status.self, .init())), plain) }
        await add("Doctor") { Verb.doctorText(try await ask(Doctor.self, .init(isOffline: isOffline)), plain) }
        await add("Configuration in force") {
            Verb.configurationText(try await ask(ConfigurationInForce.self, .init()), plain)
        }
        await add("Last decisions") {
            Verb.whyText(viewing.numbered(try await ask(Decisions.self, .init())), plain)
        }
        await add("Sessions") {
            Table.columns(try await ask(Sessions.self, .init())["sessions"]?.array ?? [], paint: plain)
        }
        await add("Stored logins") {
            Table.columns(try await ask(Tokens.self, .init())["tokens"]?.array ?? [], paint: plain)
        }
        await add("Metrics") { try await ask(Metrics.self, .init())["text"]?.string ?? "" }
        await addFacts()
        return sections
    }

    /// Why the daemon cannot be asked; nil if it can.
    private func absence() async -> String? {
        do {
            _ = try await invocation.connect(.admin)
            return nil
        } catch {
            let failure = Failure(any: error)
            return "\(failure.message) \(failure.remedy)"
        }
    }

    /// What the files say, as the daemon itself reads them.
    private var filesCheck: String {
        let words = (invocation.instance.map { ["--instance", $0.text] } ?? []) + ["--check-config"]
        // Not every user's path has the folders of such programs.
        for program in ["passd", "/usr/sbin/passd", "/usr/local/sbin/passd"] {
            if let text = invocation.console.output(of: [program] + words) { return text }
        }
        return "passd cannot be run here"
    }

    /// The newest come first, so that what exceeds the bounds is old.
    private func journal(_ records: Int) -> String {
        JournalLines.text(
            newestFirst: output(
                of: ["journalctl", "--no-pager", "--output=json", "--reverse", "--lines=\(records)"]
                    + units.map { "--unit=\($0)" }))
    }

    /// Those of the daemon that is asked.
    private var units: [String] {
        let name = invocation.instance.map { "@\($0.text)" } ?? ""
        return [
            "passd\(name).service", "passd\(name).socket", "passd-admin\(name).socket",
            "passd-sealing-key\(name).service",
        ]
    }

    private static let unitFacts =
        "Id,LoadState,ActiveState,SubState,Result,UnitFileState,NRestarts,ExecMainStatus,ActiveEnterTimestamp,StatusText,"
        + "MemoryCurrent,TasksCurrent,DropInPaths"

    private func versions() -> String {
        var names = utsname()
        let kernel =
            uname(&names) == 0
            ? "\(Self.text(names.sysname)) \(Self.text(names.release)) \(Self.text(names.machine))" : ""
        let release = output(of: ["cat", "/etc/os-release"]).split(separator: "\n").first {
            $0.hasPrefix("PRETTY_NAME=")
        }
        let systemd = output(of: ["systemctl", "--version"]).split(separator: "\n").first
        return ["passd-cli \(PassdVersion.text)", String(release ?? ""), kernel, String(systemd ?? "")]
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The text of a field of `utsname`.
    private static func text<Field>(_ field: Field) -> String {
        withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private func output(of words: [String]) -> String {
        invocation.console.output(of: words) ?? "\(words[0]) cannot be run here"
    }

    static func text(_ sections: [Section], at now: Int64) -> String {
        let head = "Bug report of passd, \(Moment.text(now))\n\(promise)\n"
        return ([head] + sections.map { "== \($0.title)\n\($0.text)\n" }).joined(separator: "\n")
    }
}

/// Numbers in place of the names of resources, the same for the same name, so that nobody reads what was watched.
struct ViewingAliases {
    private var numbers: [String: Int] = [:]

    /// The value with all members named `resource` numbered, and without texts for viewers.
    mutating func numbered(_ value: JSONValue) -> JSONValue {
        if let items = value.array {
            var result: [JSONValue] = []
            for item in items { result.append(numbered(item)) }
            return .array(result)
        }
        guard let object = value.object else { return value }
        var members: [(String, JSONValue)] = []
        for member in object.members {
            switch (member.name, member.value.string) {
            case ("resource", let name?):
                numbers[name] = numbers[name] ?? numbers.count + 1
                members.append((member.name, .string("resource-\(numbers[name] ?? 0)")))
            case ("text", .some): members.append((member.name, "(left out)"))
            default: members.append((member.name, numbered(member.value)))
            }
        }
        return .object(JSONObject(members))
    }
}
