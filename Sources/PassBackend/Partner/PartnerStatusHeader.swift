// The header `AP-Partner-Framework-Status`: the state of the platform's TV account. Both outer objects are always
// present, even if they are empty. Contract: rest-v2.md §3.8.

import AccessEnabler
import PassJSON

struct PartnerStatusHeader {
    let status: PartnerStatus

    init(_ status: PartnerStatus) { self.status = status }

    /// The JSON object, encoded once as Base64.
    var value: String {
        let provider = JSONValue.members([
            "expirationDate": status.expires.map { .string(String($0.milliseconds)) },
            "id": status.providerID.map { .string($0) },
        ])
        return JSONWriter.bytes([
            "frameworkPermissionInfo": ["accessStatus": .string(status.permission.rawValue)],
            "frameworkProviderInfo": provider,
        ]).base64
    }
}
