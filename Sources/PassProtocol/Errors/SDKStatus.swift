// The SDK's status codes with level, meaning and remedy. They are used as `errorId` of the `status` callback, and as
// the name of an error when the service could not answer. Contract: access-enabler.md §20.

public struct SDKStatus: RawRepresentable, Sendable, Hashable {
    public enum Level: String, Sendable, CaseIterable { case error, warning, info, success }

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// `CFG5xx` with the actual HTTP status.
    public static func configurationServer(_ httpStatus: Int) -> SDKStatus { SDKStatus(rawValue: "CFG\(httpStatus)") }

    public var level: Level { row?.level ?? .error }
    public var meaning: String { row?.meaning ?? "The service reported \(rawValue)" }
    public var remedy: String { row?.remedy ?? "Try again later." }

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
