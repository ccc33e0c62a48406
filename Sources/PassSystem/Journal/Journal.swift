// The daemon's log. If standard error leads to the journal, records go to the journal with their fields. Otherwise they are
// written as lines to standard error. A separate thread writes, because writing may be slow. The queue of records has a limit.
// Contract: operations.md §3, architecture.md §5 rule 3.

import CSystemd
import Dispatch
import Glibc
import PassThreads
import Synchronization

public final class Journal: Sendable {
    enum Destination: Sendable { case journal, descriptor(Int32) }

    private struct State {
        var rate: JournalRate
        var level: JournalLevel
        var waiting = 0
        var lost = 0
    }

    private static let maxWaiting = 1024

    private let destination: Destination
    private let now: @Sendable () -> Duration
    private let thread = WorkThread<@Sendable () -> Void>("passd.journal") { $0() }
    private let state: Mutex<State>

    public convenience init(level: JournalLevel = .info) {
        self.init(to: Self.leadsToJournal(2) ? .journal : .descriptor(2), level: level)
    }

    init(
        to destination: Destination, level: JournalLevel, window: Duration = .seconds(60),
        now: @escaping @Sendable () -> Duration = { BootClock.now }
    ) {
        self.destination = destination
        self.now = now
        state = Mutex(State(rate: JournalRate(window: window), level: level))
    }

    /// The level of the least urgent events that are recorded.
    public var level: JournalLevel {
        get { state.withLock { $0.level } }
        set { state.withLock { $0.level = newValue } }
    }

    /// Whether records go to the journal. If not, they go to standard error.
    public var goesToJournal: Bool { if case .journal = destination { true } else { false } }

    /// Whether the event is recorded. If not, the caller need not collect the event's fields.
    public func keeps(_ event: JournalEvent) -> Bool { event.level <= level }

    /// Records an event without waiting. May be called from any thread.
    public func record(_ event: JournalEvent, _ fields: JournalField...) { record(event, fields) }

    public func record(_ event: JournalEvent, _ fields: [JournalField]) {
        state.withLock { state in
            guard event.level <= state.level,
                case .record(let suppressed) = state.rate.judge(
                    event.name.description, limit: event.maxPerMinute, at: now())
            else { return }
            guard state.waiting < Self.maxWaiting else {
                state.lost += 1
                return
            }
            // Enqueues under the lock of the rate check, so that records are written in the order of their events.
            enqueue(JournalRecord(event, fields, suppressed: suppressed), &state)
        }
    }

    /// Waits until all earlier records are written. Call this before the process ends, and never on the engine's queue.
    public func flush() {
        state.withLock { state in
            for (name, count) in state.rate.takeSuppressed() {
                enqueue(
                    JournalRecord(.logSuppressed, [JournalField("KIND", name), JournalField("COUNT", count)]), &state)
            }
        }
        let written = DispatchSemaphore(value: 0)
        if thread.add({ _ = written.signal() }) { written.wait() }
    }

    private func enqueue(_ record: JournalRecord, _ state: inout State) {
        state.waiting += 1
        thread.add { self.write(record) }
    }

    private func write(_ record: JournalRecord) {
        put(record)
        let lost = state.withLock { state in
            state.waiting -= 1
            defer { if state.waiting == 0 { state.lost = 0 } }
            return state.waiting == 0 ? state.lost : 0
        }
        if lost > 0 { put(JournalRecord(.logOverflow, [JournalField("COUNT", lost)])) }
    }

    private func put(_ record: JournalRecord) {
        switch destination {
        case .journal: Self.send(record.fields)
        case .descriptor(let descriptor): Self.write(record.text(at: Self.time(for: descriptor)), to: descriptor)
        }
    }

    /// Sends a record to the journal. An error is ignored, because there is no other place to report it.
    private static func send(_ fields: [String]) {
        var content = Array(fields.joined().utf8)
        content.withUnsafeMutableBytes { bytes in
            var offset = 0
            let parts = fields.map { field in
                defer { offset += field.utf8.count }
                return iovec(iov_base: bytes.baseAddress.map { $0 + offset }, iov_len: field.utf8.count)
            }
            sd_journal_sendv(parts, Int32(parts.count))
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            }
            // If the reader is gone, the rest is dropped, because there is no other place for it.
            else if errno != EINTR {
                return
            }
        }
    }

    /// The time at the beginning of a line, if the lines go to a file. Lines in a terminal or a pipe get no time, because their
    /// reader has a clock.
    private static func time(for descriptor: Int32) -> String {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return "" }
        var (now, parts, text) = (Glibc.time(nil), tm(), [CChar](repeating: 0, count: 32))
        localtime_r(&now, &parts)
        let count = strftime(&text, text.count, "%F %T ", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the service manager has connected this descriptor to the journal. `JOURNAL_STREAM` names the file that
    /// the journal reads.
    static func leadsToJournal(_ descriptor: Int32) -> Bool {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return false }
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && stream == "\(facts.st_dev):\(facts.st_ino)"
    }
}
