// The credentials of apps, and their access tokens. The credentials do not expire. Contract: dcr.md §7.

import AccessEnabler

enum RegistrationTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [RegistrationKey: StoredRegistration]> { \.registrations }
    static let table = "registration"
    static let keyColumns = ["app", "statement", "origin", "interface"]
    static let blank = StoredRegistration(clientID: "", clientSecret: Secret(""))
    static let columns: [Column<StoredRegistration>] = [
        .plain("client_id", \.clientID), .sealed("client_secret", \.clientSecret),
        .sealed("access_token", \.accessToken), .plain("access_token_ends", \.accessTokenEnds),
    ]

    static func texts(of key: RegistrationKey) -> [String] {
        [key.app.rawValue, key.statement, key.origin, key.interface]
    }

    static func key(_ texts: [String]) -> RegistrationKey {
        RegistrationKey(app: AppID(rawValue: texts[0]), statement: texts[1], origin: texts[2], interface: texts[3])
    }
}
