// A kind of event in the log. A kind is declared once, with a level, a message and an entry in the journal's catalogue. An
// event is recorded with fields. All texts are literals, so they contain no text of a peer and no secret.

public enum JournalLevel: Int, CaseIterable, Comparable, Sendable {
    /// Something is lost or broken, and a person has to act.
    case error = 3
    /// The daemon works, but with a fault.
    case warning
    /// A rare and important event: started, logged in, reloaded.
    case notice
    case info
    case debug

    /// Compares levels. A more urgent level is smaller.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

public struct JournalEvent: Sendable {
    public let level: JournalLevel
    /// The stable name, such as `BACKEND`.
    public let name: StaticString
    public let message: StaticString
    /// The `MESSAGE_ID` of the entry in systemd/passd.catalog: 32 hexadecimal digits. `journalctl -x` shows the entry's texts.
    public let catalogID: StaticString?
    /// The max number of records in a minute. Further records are only counted.
    public let maxPerMinute: Int

    public init(
        _ level: JournalLevel, name: StaticString, message: StaticString, catalogID: StaticString? = nil,
        maxPerMinute: Int = 20
    ) {
        self.level = level
        self.name = name
        self.message = message
        self.catalogID = catalogID
        self.maxPerMinute = maxPerMinute
    }
}

/// Events about the log itself.
extension JournalEvent {
    public static let logOverflow = JournalEvent(
        .warning, name: "LOG_OVERFLOW", message: "log records were lost because nothing read the log",
        catalogID: "ccfd2b0e52554d29bb566148a6bb96db")
    public static let logSuppressed = JournalEvent(
        .notice, name: "LOG_SUPPRESSED", message: "log records of one kind were dropped, because there were too many",
        catalogID: "f713d76f7ed04eeb87af9b0618e743da")
}

/// A value in a record. The name is written as `PASSD_NAME=` in the journal and as `name=` in a line.
public struct JournalField: Sendable {
    static let maxBytes = 1024

    let name: StaticString
    let value: String

    public init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = Self.bounded(value)
    }

    public init(_ name: StaticString, _ value: some FixedWidthInteger) { self.init(name, String(value)) }

    public init(_ name: StaticString, _ value: Bool) { self.init(name, value ? "yes" : "no") }

    /// Whether systemd accepts the name: capital letters, digits and underscores, beginning with a letter.
    var isValid: Bool {
        let bytes = name.description.utf8
        return (1...58).contains(bytes.count) && bytes.first.map { (0x41...0x5A).contains($0) } == true
            && bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    private static func bounded(_ value: String) -> String {
        guard value.utf8.count > maxBytes else { return value }
        var end = value.utf8.index(value.startIndex, offsetBy: maxBytes)
        while end.samePosition(in: value.unicodeScalars) == nil { end = value.utf8.index(before: end) }
        return value[..<end] + "…"
    }
}
