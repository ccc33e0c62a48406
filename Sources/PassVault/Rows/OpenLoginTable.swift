// Open logins on a second screen, which survive a restart. The code and everything that contains it are sealed, because the
// code is enough to finish the login.

import AccessEnabler
import PassJSON

enum OpenLoginTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [LoginKey: OpenLogin]> { \.openLogins }
    static let table = "open_login"
    static let keyColumns = RegistrationTable.keyColumns + ["requestor"]
    static let blank = OpenLogin(
        code: RegistrationCode(rawValue: ""), url: "", provider: nil, notBefore: ServerTime(milliseconds: 0),
        notAfter: ServerTime(milliseconds: 0))
    static let columns: [Column<OpenLogin>] = [
        .sealed("code", \.code), .sealed("url", \.url), .plain("provider", \.provider),
        .plain("not_before", \.notBefore), .plain("not_after", \.notAfter), .sealed("session_id", \.sessionID),
        .sealed("details", \.record),
    ]

    static func texts(of key: LoginKey) -> [String] {
        RegistrationTable.texts(of: key.registration) + [key.requestor.rawValue]
    }

    static func key(_ texts: [String]) -> LoginKey {
        LoginKey(registration: RegistrationTable.key(texts), requestor: RequestorID(rawValue: texts[4]))
    }
}

extension OpenLogin {
    /// The parts without a column; nil if there are none.
    fileprivate var record: OpenLoginRecord? {
        get {
            var members: [String: JSONValue] = [:]
            members["leavesLogout"] = leavesLogout ? true : nil
            members["link"] = link.map { .string($0) }
            members["provider"] = details?.json
            return members.isEmpty ? nil : OpenLoginRecord(.sorted(members))
        }
        set {
            let json = newValue?.json
            leavesLogout = json?.member("leavesLogout")?.bool ?? false
            link = json?.member("link")?.string
            details = json?.member("provider").flatMap { Provider($0) }
        }
    }
}

private struct OpenLoginRecord: JSONRecord {
    let json: JSONValue?

    init?(_ json: JSONValue) {
        guard json.object != nil else { return nil }
        self.json = json
    }
}
