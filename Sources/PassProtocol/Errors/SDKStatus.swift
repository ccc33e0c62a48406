// The SDK's status codes, each with its level, meaning and remedy. A code is the `errorId` of the `status` callback. It also
// explains why a question has no answer. The table in CTexts/statuses.txt has those codes of access-enabler.md §20 that can
// occur on a Linux box.

import CTexts

public struct SDKStatus: RawRepresentable, Sendable, Hashable {
    public enum Level: String, Sendable, CaseIterable { case error, warning, info, success }

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var level: Level { row?.level ?? .error }
    public var meaning: String { row?.meaning ?? "The service reported \(rawValue)" }
    public var remedy: String { row?.remedy ?? "Try again later." }

    /// The code for an HTTP status, such as `CFG503`.
    public static func configurationServer(_ httpStatus: Int) -> SDKStatus { SDKStatus(rawValue: "CFG\(httpStatus)") }

    /// The name by which metrics count the code: its row in the table, or `other`. The number of these names is limited.
    public var family: String {
        if Self.table[rawValue] != nil { return rawValue }
        return rawValue.hasPrefix("CFG5") ? SDKStatus.CFG5xx.rawValue : "other"
    }

    private typealias Row = (level: Level, meaning: String, remedy: String)

    private var row: Row? { Self.table[family] }

    private static let table: [String: Row] = Dictionary(
        uniqueKeysWithValues: TextTable.entries(pass_statuses()).compactMap { entry in
            entry.name.parted(at: " ").map { name, level in
                (name, (level: Level(rawValue: level) ?? .error, meaning: entry.meaning, remedy: entry.remedy))
            }
        })

    public static let known = table.keys.sorted().map(SDKStatus.init(rawValue:))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension SDKStatus {
    public static let AAPL = SDKStatus(rawValue: "AAPL")
    public static let AAPL_ERROR = SDKStatus(rawValue: "AAPL_ERROR")
    public static let VSA203 = SDKStatus(rawValue: "VSA203")
    public static let VSA403 = SDKStatus(rawValue: "VSA403")
    public static let VSA404 = SDKStatus(rawValue: "VSA404")
    public static let VSA503 = SDKStatus(rawValue: "VSA503")
    public static let internalError = SDKStatus(rawValue: "500")
    public static let SEC403 = SDKStatus(rawValue: "SEC403")
    public static let SEC412 = SDKStatus(rawValue: "SEC412")
    public static let SEC420 = SDKStatus(rawValue: "SEC420")
    public static let CFG100 = SDKStatus(rawValue: "CFG100")
    public static let CFG400 = SDKStatus(rawValue: "CFG400")
    public static let CFG404 = SDKStatus(rawValue: "CFG404")
    public static let CFG429 = SDKStatus(rawValue: "CFG429")
    /// Stands for all codes from CFG500 to CFG599 in lists of codes.
    public static let CFG5xx = SDKStatus(rawValue: "CFG5xx")
    public static let N000 = SDKStatus(rawValue: "N000")
    public static let N001 = SDKStatus(rawValue: "N001")
    public static let N003 = SDKStatus(rawValue: "N003")
    public static let N004 = SDKStatus(rawValue: "N004")
    public static let N005 = SDKStatus(rawValue: "N005")
    public static let N010 = SDKStatus(rawValue: "N010")
    public static let N011 = SDKStatus(rawValue: "N011")
    public static let N111 = SDKStatus(rawValue: "N111")
    public static let N130 = SDKStatus(rawValue: "N130")
    public static let N500 = SDKStatus(rawValue: "N500")
    public static let R400 = SDKStatus(rawValue: "R400")
    public static let R401 = SDKStatus(rawValue: "R401")
    public static let REG500 = SDKStatus(rawValue: "REG500")
    public static let REGCODE = SDKStatus(rawValue: "REGCODE")
    public static let Z010 = SDKStatus(rawValue: "Z010")
    public static let Z011 = SDKStatus(rawValue: "Z011")
    public static let Z100 = SDKStatus(rawValue: "Z100")
    public static let Z110 = SDKStatus(rawValue: "Z110")
    public static let Z120 = SDKStatus(rawValue: "Z120")
    public static let Z130 = SDKStatus(rawValue: "Z130")
    public static let Z169 = SDKStatus(rawValue: "Z169")
    public static let Z500 = SDKStatus(rawValue: "Z500")
    public static let P100 = SDKStatus(rawValue: "P100")

    /// The reasons why any question to the service may have no answer.
    static let ofAnyQuestion: [SDKStatus] = [.R400, .R401, .CFG400, .CFG404, .CFG429, .CFG5xx, .SEC420]
}
