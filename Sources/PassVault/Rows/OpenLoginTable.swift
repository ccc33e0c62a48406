// Logins that are open on a second screen; they survive a restart. The code and everything that contains it are sealed,
// because whoever has the code can complete the login.

import AccessEnabler

enum OpenLoginTable: Relation {
    static let table = "open_login"
    static let keyColumns = RegistrationTable.keyColumns + ["requestor"]
    static let columns: [Column] = [
        .sealed("code"), .sealed("url"), .plain("provider"), .plain("not_before"), .plain("not_after"),
        .sealed("session_id"),
    ]

    static func texts(of key: LoginKey) -> [String] {
        RegistrationTable.texts(of: key.registration) + [key.requestor.rawValue]
    }

    static func key(_ texts: [String]) -> LoginKey {
        LoginKey(registration: RegistrationTable.key(texts), requestor: RequestorID(rawValue: texts[4]))
    }

    static func fields(of login: OpenLogin) -> [SQLValue] {
        [
            .text(login.code.rawValue), .text(login.url), .optional(login.provider?.rawValue),
            .integer(login.notBefore.milliseconds), .integer(login.notAfter.milliseconds), .optional(login.sessionID),
        ]
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> OpenLogin {
        OpenLogin(
            code: RegistrationCode(rawValue: try fields.text()), url: try fields.text(),
            provider: try fields.optionalText().map { ProviderID(rawValue: $0) }, notBefore: try fields.time(),
            notAfter: try fields.time(), sessionID: try fields.optionalText())
    }

    static func all(in contents: VaultContents) -> [LoginKey: OpenLogin] { contents.openLogins }

    static func put(_ key: LoginKey, _ value: OpenLogin?, in contents: inout VaultContents) {
        contents.openLogins[key] = value
    }
}
