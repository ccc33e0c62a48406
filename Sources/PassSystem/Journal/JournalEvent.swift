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
    /// The `MESSAGE_ID` of the entry in the catalogue: 32 hexadecimal digits.
    public let catalogID: StaticString?
    /// The texts of the entry in the catalogue. They say what the record means, and what to do. `journalctl -x` shows the texts
    /// after the record. In a text, `journalctl` replaces `@NAME@` by the record's field of this name.
    public let meaning: StaticString
    public let remedy: StaticString
    /// The max number of records in a minute. Further records are only counted.
    public let maxPerMinute: Int

    public init(
        _ level: JournalLevel, name: StaticString, message: StaticString, catalogID: StaticString? = nil,
        meaning: StaticString = "", remedy: StaticString = "", maxPerMinute: Int = 20
    ) {
        self.level = level
        self.name = name
        self.message = message
        self.catalogID = catalogID
        self.meaning = meaning
        self.remedy = remedy
        self.maxPerMinute = maxPerMinute
    }
}

/// Events about the log itself.
extension JournalEvent {
    public static let logOverflow = JournalEvent(
        .warning, name: "LOG_OVERFLOW", message: "log records were lost because nothing read the log",
        catalogID: "ccfd2b0e52554d29bb566148a6bb96db",
        meaning: """
            @PASSD_COUNT@ records were lost because the journal did not accept them for a while. The daemon itself \
            kept working.
            """,
        remedy: "Check systemd-journald.service and its disk.")
    public static let logSuppressed = JournalEvent(
        .notice, name: "LOG_SUPPRESSED", message: "log records of one kind were dropped, because there were too many",
        catalogID: "f713d76f7ed04eeb87af9b0618e743da",
        meaning:
            "passd dropped @PASSD_COUNT@ records of the event @PASSD_KIND@, because there were too many in a minute.",
        remedy: """
            If this happens often, look at the other records of this event: an app asks too often, or a part of the \
            daemon keeps failing.
            """)
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
