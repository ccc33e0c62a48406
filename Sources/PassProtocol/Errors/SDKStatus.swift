// The SDK's status codes, each with its level, meaning and remedy. A code is the `errorId` of the `status` callback. It also
// explains why a question has no answer. The table has those codes of access-enabler.md §20 that can occur on a Linux box.

public struct SDKStatus: RawRepresentable, Sendable, Hashable {
    public enum Level: String, Sendable, CaseIterable { case error, warning, info, success }

    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code for an HTTP status, such as `CFG503`.
    public static func configurationServer(_ httpStatus: Int) -> SDKStatus { SDKStatus(rawValue: "CFG\(httpStatus)") }

    public var level: Level { row?.level ?? .error }
    public var meaning: String { row?.meaning ?? "The service reported \(rawValue)" }
    public var remedy: String { row?.remedy ?? "Try again later." }

    /// The name of the code's row in the table, or `other`. So the number of names is limited.
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

    public static var known: [SDKStatus] { table.keys.sorted { $0.rawValue < $1.rawValue } }

    /// The reasons why any question to the service may have no answer.
    static let ofAnyQuestion: [SDKStatus] = [.R400, .R401, .CFG400, .CFG404, .CFG429, .CFG5xx, .SEC420]

    private static let later = "Try again later."
    private static let nothing = "Nothing needs to be done."

    static let table: [SDKStatus: Row] = [
        .AAPL: Row(
            .error, meaning: "The platform's sign-on failed",
            remedy: "Log in without the platform's sign-on; the platform's error is in details."),
        .AAPL_ERROR: Row(
            .error, meaning: "The platform's sign-on failed",
            remedy: "Log in without the platform's sign-on; the "
                + "platform's error is in details."),
        .VSA203: Row(
            .info, meaning: "Logged out here; the platform is still signed in",
            remedy: "Sign out in the platform's settings."),
        .VSA403: Row(
            .info, meaning: "The platform does not let this app use its sign-on",
            remedy: "Permit this in the platform's settings."),
        .VSA404: Row(
            .info, meaning: "Nobody has decided yet whether this app may use the platform's sign-on",
            remedy: "Decide this in the platform's settings."),
        .VSA503: Row(.info, meaning: "The platform gave no sign-on data", remedy: "Use the regular login."),
        .internalError: Row(.error, meaning: "Internal error", remedy: later),
        .SEC403: Row(
            .error, meaning: "The requestor may not be used from here",
            remedy: "Check the software statement and its domain."),
        .SEC412: Row(
            .warning, meaning: "The identity of this device changed, so its logins no longer count",
            remedy: "Log in again."),
        .SEC420: Row(
            .error, meaning: "The service cannot be reached over TLS",
            remedy: "Check proxies, certificates and the clock."),
        .CFG100: Row(.warning, meaning: "The clock of this device is wrong", remedy: "Set date, time and time zone."),
        .CFG400: Row(.error, meaning: "The service does not know this requestor", remedy: "Check the requestor ID."),
        .CFG404: Row(
            .error, meaning: "The service cannot be found", remedy: "Check the network and the configured backend."),
        .CFG429: Row(.error, meaning: "The service is asked too often", remedy: "Wait a few seconds, then try again."),
        .CFG5xx: Row(.error, meaning: "The service has an internal error", remedy: later),
        .N000: Row(.info, meaning: "Not authenticated", remedy: "Log in with getAuthentication."),
        .N001: Row(.info, meaning: "Passive authentication is running", remedy: nothing),
        .N003: Row(
            .info, meaning: "The viewer chose a provider other than the platform's", remedy: "Show the provider list."),
        .N004: Row(
            .info, meaning: "The chosen provider does not work with this app", remedy: "Show the provider list."),
        .N005: Row(.info, meaning: "The viewer cancelled the choice of a provider, or the login", remedy: nothing),
        .N010: Row(.warning, meaning: "Authenticated because the provider's systems are down", remedy: nothing),
        .N011: Row(.info, meaning: "Authenticated by a temporary pass", remedy: nothing),
        .N111: Row(
            .warning, meaning: "The temporary pass is used up",
            remedy: "Show the provider list without the temporary pass."),
        .N130: Row(.error, meaning: "The login did not complete in time", remedy: "Start the login again."),
        .N500: Row(.error, meaning: "Authentication failed", remedy: later),
        .R400: Row(
            .error, meaning: "The app could not be registered",
            remedy: "Check that its software statement is valid and current."),
        .R401: Row(
            .error, meaning: "The service issued no access token",
            remedy: "Check the app's registration and the network."),
        .REG500: Row(.error, meaning: "The service issued no registration code", remedy: later),
        .REGCODE: Row(
            .success, meaning: "A code for the second screen has been issued",
            remedy: "Show the code and the address to the viewer."),
        .Z010: Row(.warning, meaning: "Authorized because the provider's systems are down", remedy: nothing),
        .Z011: Row(.info, meaning: "Authorized by a temporary pass", remedy: nothing),
        .Z100: Row(
            .error, meaning: "The provider does not authorize this resource",
            remedy: "Show the provider's message to the viewer."),
        .Z110: Row(
            .error,
            meaning: "The provider has refused this resource several times, so the service does not ask "
                + "the provider now",
            remedy: "Do not ask for this resource for a while."),
        .Z120: Row(.error, meaning: "The provider could not be asked for technical reasons", remedy: later),
        .Z130: Row(
            .error, meaning: "The resource is empty or malformed",
            remedy: "Check the resource ID, or the MRSS (RSS for media) if you send one."),
        .Z169: Row(
            .error, meaning: "Authorization is switched off for this provider",
            remedy: "Show the message to the viewer."),
        .Z500: Row(.error, meaning: "Authorization failed", remedy: later),
        .P100: Row(.error, meaning: "Preauthorization failed", remedy: later),
    ]
}
