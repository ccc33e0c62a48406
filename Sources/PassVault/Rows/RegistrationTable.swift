// The credentials of apps, which do not expire, and their access tokens. Contract: dcr.md §7.

import AccessEnabler

enum RegistrationTable: DictionaryRelation {
    static var place: WritableKeyPath<VaultContents, [RegistrationKey: StoredRegistration]> { \.registrations }
    static let table = "registration"
    static let keyColumns = ["app", "statement", "origin", "interface"]
    static let columns: [Column] = [
        .plain("client_id"), .sealed("client_secret"), .sealed("access_token"), .plain("access_token_ends"),
    ]

    static func texts(of key: RegistrationKey) -> [String] {
        [key.app.rawValue, key.statement, key.origin, key.interface]
    }

    static func key(_ texts: [String]) -> RegistrationKey {
        RegistrationKey(app: AppID(rawValue: texts[0]), statement: texts[1], origin: texts[2], interface: texts[3])
    }

    static func fields(of registration: StoredRegistration) -> [SQLValue] {
        [
            .text(registration.clientID), .text(registration.clientSecret.reveal()),
            .optional(registration.accessToken?.reveal()), .optional(registration.accessTokenEnds),
        ]
    }

    static func value(_ fields: inout FieldReader) throws(RowProblem) -> StoredRegistration {
        StoredRegistration(
            clientID: try fields.text(), clientSecret: Secret(try fields.text()),
            accessToken: try fields.optionalText().map { Secret($0) }, accessTokenEnds: try fields.optionalTime())
    }
}
