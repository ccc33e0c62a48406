// Logins under way on a second screen, which survive a restart. The code and everything that contains it are sealed,
// because the code is enough to finish the login.

import AccessEnabler
import PassJSON

enum OpenLoginTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [LoginKey: OpenLogin]> { \.openLogins }
    static let table = "open_login"
    static let keyColumns = RegistrationTable.keyColumns + ["requestor"]
    static let columns: [Column] = [
        .sealed("code"), .sealed("url"), .plain("provider"), .plain("not_before"), .plain("not_after"),
        .sealed("session_id"), .sealed("details"),
    ]

    static func texts(of key: LoginKey) -> [String] {
        RegistrationTable.texts(of: key.registration) + [key.requestor.rawValue]
    }

    static func key(_ texts: [String]) -> LoginKey {
        LoginKey(registration: RegistrationTable.key(texts), requestor: RequestorID(rawValue: texts[4]))
    }

    static func fields(of login: OpenLogin) throws(RowProblem) -> [SQLValue] {
        let details = OpenLoginRecord(login)
        return [
            .text(login.code.rawValue), .text(login.url), .optional(login.provider?.rawValue),
            .integer(login.notBefore.milliseconds), .integer(login.notAfter.milliseconds), .optional(login.sessionID),
            details.isEmpty ? .null : try .json(details, table: table, column: "details"),
        ]
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> OpenLogin {
        var login = OpenLogin(
            code: RegistrationCode(rawValue: try fields.text()), url: try fields.text(),
            provider: try fields.optionalText().map { ProviderID(rawValue: $0) }, notBefore: try fields.time(),
            notAfter: try fields.time(), sessionID: try fields.optionalText())
        if let details = try fields.optionalJSON(OpenLoginRecord.self) {
            (login.details, login.leavesLogout, login.link) = (details.provider, details.leavesLogout, details.link)
        }
        return login
    }
}

/// The parts of an open login besides its code, on disk.
private struct OpenLoginRecord: JSONRecord {
    let provider: Provider?
    let leavesLogout: Bool
    let link: String?

    init(_ login: OpenLogin) { (provider, leavesLogout, link) = (login.details, login.leavesLogout, login.link) }

    var isEmpty: Bool { provider == nil && !leavesLogout && link == nil }

    init?(_ json: JSONValue) {
        guard json.object != nil else { return nil }
        provider = json.member("provider").flatMap(ProviderRecord.init)?.provider
        leavesLogout = json.member("leavesLogout")?.bool ?? false
        link = json.member("link")?.string
    }

    var json: JSONValue? {
        var members: [String: JSONValue] = ["leavesLogout": .bool(leavesLogout)]
        members["link"] = link.map(JSONValue.string)
        members["provider"] = provider.flatMap { ProviderRecord($0).json }
        return .sorted(members)
    }
}
