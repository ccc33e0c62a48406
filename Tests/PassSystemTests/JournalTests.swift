// Tests the lines and fields of the log.

import Dispatch
import FoundationEssentials
import Glibc
import PassTestTools
import Synchronization
import Testing

@testable import PassSystem

@Suite("operations.md §3: the log") struct JournalTests {
    static let unreachable = JournalEvent(
        .warning, name: "BACKEND_UNREACHABLE", message: "the service cannot be reached")

    /// The lines that a journal writes into a pipe.
    private func lines(
        level: JournalLevel = .info, now: @escaping @Sendable () -> Duration = { .zero },
        _ body: (Journal) -> Void
    ) throws -> [String] {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let journal = Journal(to: .descriptor(ends[1]), level: level, now: now)
        body(journal)
        journal.flush()
        defer { for end in ends { close(end) } }
        // All lines are in the pipe by now. The test does not wait for the end of the pipe, because processes of other
        // tests may hold it open.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        _ = write(ends[1], "\n", 1)
        let count = read(ends[0], &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `a record is one line that begins with its level`() throws {
        let written = try lines { journal in
            journal.record(Self.unreachable)
            journal.record(Self.unreachable, JournalField("REQUESTOR", "NEWS24"), JournalField("ATTEMPTS", 3))
            journal.record(JournalEvent(.error, name: "A", message: "b"), JournalField("OK", false))
        }
        #expect(
            written == [
                "<4>the service cannot be reached", "<4>the service cannot be reached (requestor=NEWS24 attempts=3)",
                "<3>b (ok=no)",
            ])
    }

    @Test func `a line in a file has the time`() throws {
        let scratch = TemporaryDirectory()
        let file = open(scratch.file("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let journal = Journal(to: .descriptor(file), level: .info)
        journal.record(Self.unreachable)
        journal.flush()
        let line = try String(contentsOfFile: scratch.file("log"), encoding: .utf8)
        let time = /<4>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d the service cannot be reached\n/
        #expect(try time.wholeMatch(in: line) != nil, "\(line)")
    }

    @Test(arguments: [
        ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a\nb", "\"a\\nb\""),
        ("<3>fake\r\n<3>fake", "\"<3>fake\\u{d}\\n<3>fake\""), ("\u{1B}[2J", "\"\\u{1b}[2J\""),
        ("q\"\\", "\"q\\\"\\\\\""),
        ("a=b", "\"a=b\""), ("\u{202E}abc", "\"\\u{202e}abc\""), ("\u{85}\u{2028}", "\"\\u{85}\\u{2028}\""),
        ("größe", "größe"),
        ("\0", "\"\\u{0}\""),
    ]) func `no value can begin another line or move the cursor`(value: String, written: String) throws {
        let record = JournalRecord(Self.unreachable, [JournalField("VALUE", value)])
        #expect(record.text() == "<4>the service cannot be reached (value=\(written))\n")
        #expect(record.fields.contains("PASSD_VALUE=\(value)"), "the journal gets the value unchanged")
    }

    @Test func `the journal gets level, message, event and fields`() {
        let event = JournalEvent(
            .notice, name: "LOGIN_DONE", message: "done", catalogID: "0123456789abcdef0123456789abcdef")
        #expect(
            JournalRecord(event, [JournalField("APP", "news24")]).fields == [
                "PRIORITY=5", "MESSAGE=done (app=news24)", "PASSD_EVENT=LOGIN_DONE",
                "MESSAGE_ID=0123456789abcdef0123456789abcdef", "PASSD_APP=news24",
            ])
    }

    @Test(arguments: ["", "app", "APP-ID", "_APP", "1APP", "APP NAME", "A=B"] as [StaticString])
    func `a field with a name that systemd would refuse is only counted`(name: StaticString) {
        let record = JournalRecord(Self.unreachable, [JournalField(name, "x"), JournalField("GOOD", "y")])
        #expect(record.fields.suffix(2) == ["PASSD_GOOD=y", "PASSD_DROPPED_FIELDS=1"])
    }

    @Test func `a long value is cut between characters`() {
        let field = JournalField("A", String(repeating: "é", count: 600) + "x")
        #expect(field.value == String(repeating: "é", count: 512) + "…")
        #expect(JournalField("A", "x" + String(repeating: "é", count: 600)).value.utf8.count == 1026)
    }

    @Test func `records below the level are not written`() throws {
        let written = try lines(level: .notice) { journal in
            for level in JournalLevel.allCases { journal.record(JournalEvent(level, name: "A", message: "b")) }
            journal.level = .debug
            journal.record(JournalEvent(.debug, name: "C", message: "d"))
        }
        #expect(written == ["<3>b", "<4>b", "<5>b", "<7>d"])
    }

    @Test func `a flood of one kind of record is cut short and counted, and other kinds are not affected`() throws {
        let moment = Mutex(Duration.zero)
        let unreachable = JournalEvent(
            .warning, name: "BACKEND_UNREACHABLE", message: "the service cannot be reached", maxPerMinute: 2)
        let written = try lines(now: { moment.withLock { $0 } }) { journal in
            for _ in 0..<1000 { journal.record(unreachable) }
            journal.record(JournalEvent(.info, name: "OTHER", message: "other"))
            moment.withLock { $0 = .seconds(60) }
            for _ in 0..<5 { journal.record(unreachable) }
        }
        let line = "<4>the service cannot be reached"
        #expect(
            written == [
                line, line, "<6>other", line + " (suppressed=998)", line,
                "<5>log records of one kind were dropped, because there were too many (kind=BACKEND_UNREACHABLE count=3)",
            ])
    }

    @Test func `a log without a reader blocks no writer, and later reports the lost records`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let journal = Journal(to: .descriptor(ends[1]), level: .info)
        let event = JournalEvent(
            .warning, name: "BACKEND_UNREACHABLE", message: "the service cannot be reached", maxPerMinute: .max)
        let value = String(repeating: "x", count: 1000)
        for _ in 0..<5000 { journal.record(event, JournalField("A", value)) }
        let reader = PipeReader(ends[0])
        journal.flush()
        _ = write(ends[1], "END", 3)
        let lines = reader.all().split(separator: UInt8(ascii: "\n")).dropLast()
        close(ends[1])
        #expect(lines.count >= 1024 && lines.count < 1200)
        let last = String(decoding: lines.last ?? [], as: UTF8.self)
        #expect(last == "<4>log records were lost because nothing read the log (count=\(5000 - (lines.count - 1)))")
    }

    @Test func `standard error goes to the journal only if it is the stream that the manager named`() async {
        await #expect(processExitsWith: .success) {
            var facts = stat()
            fstat(2, &facts)
            unsetenv("JOURNAL_STREAM")
            let without = Journal.leadsToJournal(2)
            setenv("JOURNAL_STREAM", "\(facts.st_dev):\(facts.st_ino)", 1)
            let same = Journal.leadsToJournal(2)
            setenv("JOURNAL_STREAM", "\(facts.st_dev):\(facts.st_ino + 1)", 1)
            exit(!without && same && !Journal.leadsToJournal(2) ? 0 : 1)
        }
    }
}

/// Reads a pipe up to the word `END`, concurrently with the test.
final class PipeReader: Sendable {
    private let queue = DispatchQueue(label: "tests.pipe")
    private let content = Mutex<[UInt8]>([])

    init(_ descriptor: Int32) {
        queue.async {
            var all: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while all.suffix(3) != Array("END".utf8)[...] {
                let count = read(descriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                all += buffer.prefix(count)
            }
            self.content.withLock { $0 = all }
        }
    }

    func all() -> [UInt8] {
        queue.sync {}
        return content.withLock { $0 }
    }
}
