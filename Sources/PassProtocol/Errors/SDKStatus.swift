// The SDK's status codes, each with its level, meaning and remedy. A code is the `errorId` of the `status` callback. It also
// explains why a question has no answer. The table has those codes of access-enabler.md §20 that can occur on a Linux box.

public struct SDKStatus: RawRepresentable, Sendable, Hashable {
    public enum Level: String, Sendable, CaseIterable { case error, warning, info, success }

    public let rawValue: String
    public let level: Level
    public let meaning: String
    public let remedy: String

    private init(_ rawValue: String, _ level: Level, meaning: String, remedy: String) {
        (self.rawValue, self.level, self.meaning, self.remedy) = (rawValue, level, meaning, remedy)
    }

    public init(rawValue: String) {
        let known = Self.table[rawValue] ?? (rawValue.hasPrefix("CFG5") ? .CFG5xx : nil)
        self.init(
            rawValue, known?.level ?? .error, meaning: known?.meaning ?? "The service reported \(rawValue)",
            remedy: known?.remedy ?? "Try again later.")
    }

    /// The code for an HTTP status, such as `CFG503`.
    public static func configurationServer(_ httpStatus: Int) -> SDKStatus { SDKStatus(rawValue: "CFG\(httpStatus)") }

    /// The name by which metrics count the code: its row in the table, or `other`. The number of these names is limited.
    public var family: String {
        if Self.table[rawValue] != nil { return rawValue }
        return rawValue.hasPrefix("CFG5") ? SDKStatus.CFG5xx.rawValue : "other"
    }

    private static let table = Dictionary(uniqueKeysWithValues: known.map { ($0.rawValue, $0) })
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension SDKStatus {
    private static let later = "Try again later."
    private static let nothing = "Nothing needs to be done."

    public static let AAPL = SDKStatus(
        "AAPL", .error, meaning: "The platform's sign-on failed",
        remedy: "Log in without the platform's sign-on; the platform's error is in details.")
    public static let AAPL_ERROR = SDKStatus(
        "AAPL_ERROR", .error, meaning: "The platform's sign-on failed",
        remedy: "Log in without the platform's sign-on; the platform's error is in details.")
    public static let VSA203 = SDKStatus(
        "VSA203", .info, meaning: "Logged out here; the platform is still signed in",
        remedy: "Sign out in the platform's settings.")
    public static let VSA403 = SDKStatus(
        "VSA403", .info, meaning: "The platform does not let this app use its sign-on",
        remedy: "Permit this in the platform's settings.")
    public static let VSA404 = SDKStatus(
        "VSA404", .info, meaning: "Nobody has decided yet whether this app may use the platform's sign-on",
        remedy: "Decide this in the platform's settings.")
    public static let VSA503 = SDKStatus(
        "VSA503", .info, meaning: "The platform gave no sign-on data", remedy: "Use the regular login.")
    public static let internalError = SDKStatus("500", .error, meaning: "Internal error", remedy: later)
    public static let SEC403 = SDKStatus(
        "SEC403", .error, meaning: "The requestor may not be used from here",
        remedy: "Check the software statement and its domain.")
    public static let SEC412 = SDKStatus(
        "SEC412", .warning, meaning: "The identity of this device changed, so its logins no longer count",
        remedy: "Log in again.")
    public static let SEC420 = SDKStatus(
        "SEC420", .error, meaning: "The service cannot be reached over TLS",
        remedy: "Check proxies, certificates and the clock.")
    public static let CFG100 = SDKStatus(
        "CFG100", .warning, meaning: "The clock of this device is wrong", remedy: "Set date, time and time zone.")
    public static let CFG400 = SDKStatus(
        "CFG400", .error, meaning: "The service does not know this requestor", remedy: "Check the requestor ID.")
    public static let CFG404 = SDKStatus(
        "CFG404", .error, meaning: "The service cannot be found",
        remedy: "Check the network and the setting origin.")
    public static let CFG429 = SDKStatus(
        "CFG429", .error, meaning: "The service is asked too often", remedy: "Wait a few seconds, then try again.")
    /// Stands for all codes from CFG500 to CFG599 in lists of codes.
    public static let CFG5xx = SDKStatus("CFG5xx", .error, meaning: "The service has an internal error", remedy: later)
    public static let N000 = SDKStatus(
        "N000", .info, meaning: "Not authenticated", remedy: "Log in with getAuthentication.")
    public static let N001 = SDKStatus("N001", .info, meaning: "Passive authentication is running", remedy: nothing)
    public static let N003 = SDKStatus(
        "N003", .info, meaning: "The viewer chose a provider other than the platform's",
        remedy: "Show the provider list.")
    public static let N004 = SDKStatus(
        "N004", .info, meaning: "The chosen provider does not work with this app", remedy: "Show the provider list.")
    public static let N005 = SDKStatus(
        "N005", .info, meaning: "The viewer cancelled the choice of a provider, or the login", remedy: nothing)
    public static let N010 = SDKStatus(
        "N010", .warning, meaning: "Authenticated without the provider, because its systems are down", remedy: nothing)
    public static let N011 = SDKStatus("N011", .info, meaning: "Authenticated by a temporary pass", remedy: nothing)
    public static let N111 = SDKStatus(
        "N111", .warning, meaning: "The temporary pass is used up",
        remedy: "Show the provider list without the temporary pass.")
    public static let N130 = SDKStatus(
        "N130", .error, meaning: "The login did not complete in time", remedy: "Start the login again.")
    public static let N500 = SDKStatus("N500", .error, meaning: "Authentication failed", remedy: later)
    public static let R400 = SDKStatus(
        "R400", .error, meaning: "The app could not be registered",
        remedy: "Check that its software statement is valid and current.")
    public static let R401 = SDKStatus(
        "R401", .error, meaning: "The service issued no access token",
        remedy: "Check the app's registration and the network.")
    public static let REG500 = SDKStatus(
        "REG500", .error, meaning: "The service issued no registration code", remedy: later)
    public static let REGCODE = SDKStatus(
        "REGCODE", .success, meaning: "A code for the second screen has been issued",
        remedy: "Show the code and the address to the viewer.")
    public static let Z010 = SDKStatus(
        "Z010", .warning, meaning: "Authorized without the provider, because its systems are down", remedy: nothing)
    public static let Z011 = SDKStatus("Z011", .info, meaning: "Authorized by a temporary pass", remedy: nothing)
    public static let Z100 = SDKStatus(
        "Z100", .error, meaning: "The provider does not authorize this resource",
        remedy: "Show the provider's message to the viewer.")
    public static let Z110 = SDKStatus(
        "Z110", .error,
        meaning:
            "The provider has refused this resource several times, so the service does not ask the provider now",
        remedy: "Do not ask for this resource for a while.")
    public static let Z120 = SDKStatus(
        "Z120", .error, meaning: "The provider could not be asked for technical reasons", remedy: later)
    public static let Z130 = SDKStatus(
        "Z130", .error, meaning: "The resource is empty or malformed",
        remedy: "Check the resource ID, or the MRSS (RSS for media) if you send one.")
    public static let Z169 = SDKStatus(
        "Z169", .error, meaning: "Authorization is switched off for this provider",
        remedy: "Show the message to the viewer.")
    public static let Z500 = SDKStatus("Z500", .error, meaning: "Authorization failed", remedy: later)
    public static let P100 = SDKStatus("P100", .error, meaning: "Preauthorization failed", remedy: later)

    /// The reasons why any question to the service may have no answer.
    static let ofAnyQuestion: [SDKStatus] = [.R400, .R401, .CFG400, .CFG404, .CFG429, .CFG5xx, .SEC420]

    public static let known: [SDKStatus] = [
        AAPL, AAPL_ERROR, VSA203, VSA403, VSA404, VSA503, internalError, SEC403, SEC412, SEC420, CFG100, CFG400, CFG404,
        CFG429, CFG5xx, N000, N001, N003, N004, N005, N010, N011, N111, N130, N500, R400, R401, REG500, REGCODE, Z010,
        Z011,
        Z100, Z110, Z120, Z130, Z169, Z500, P100,
    ].sorted { $0.rawValue < $1.rawValue }
}
