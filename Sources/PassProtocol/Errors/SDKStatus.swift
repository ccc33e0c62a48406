// The SDK's status codes, each with its level, meaning and remedy. They are the `errorId` of the `status` callback, and
// name the reason why a question could not be answered. Contract: access-enabler.md §20.

public struct SDKStatus: RawRepresentable, Sendable, Hashable {
    public enum Level: String, Sendable, CaseIterable { case error, warning, info, success }

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// A code like `CFG5xx`, with the digits that the service returned.
    public static func configurationServer(_ httpStatus: Int) -> SDKStatus { SDKStatus(rawValue: "CFG\(httpStatus)") }

    public var level: Level { row?.level ?? .error }
    public var meaning: String { row?.meaning ?? "The service reported \(rawValue)" }
    public var remedy: String { row?.remedy ?? "Try again later." }

    /// The name of its row in the table, so that there are no more names than rows; `other` if there is none.
    public var family: String {
        guard Self.table[self] == nil else { return rawValue }
        return row == nil ? "other" : SDKStatus.CFG5xx.rawValue
    }

    private var row: Row? {
        if let row = Self.table[self] { return row }
        return rawValue.hasPrefix("CFG5") ? Self.table[.CFG5xx] : nil
    }

    struct Row: Sendable {
        let level: Level
        let meaning: String
        let remedy: String

        init(_ level: Level, meaning: String, remedy: String) {
            self.level = level
            self.meaning = meaning
            self.remedy = remedy
        }
    }
}
