// Parameters of calls that come from the platform's TV account.

import AccessEnabler
import PassJSON

extension PartnerStatus {
    /// The value of the header `AP-Partner-Framework-Status`: a JSON object, encoded once as Base64. The object always has both
    /// members for the framework, even if no provider is known. Contract: rest-v2.md §3.8.
    var header: String {
        let provider = JSONValue.members([
            "expirationDate": expires.map { .string(String($0.milliseconds)) },
            "id": providerID.map { .string($0) },
        ])
        return JSONWriter.bytes([
            "frameworkPermissionInfo": ["accessStatus": .string(permission.rawValue)],
            "frameworkProviderInfo": provider,
        ]).base64
    }
}

/// Makes the parameter `SAMLResponse` from the platform's response. Replaces runs of blanks by one blank, then removes
/// line breaks and outer blanks. The rest is signed and must not change. The whole form is encoded later. Contract:
/// rest-v1.md §10.2, open-questions.md OQ-51.
enum SAMLParameter {
    static func encoded(_ response: Secret) -> Secret {
        var text: [UInt8] = []
        for byte in response.reveal().utf8 {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                if text.last != UInt8(ascii: " ") { text.append(UInt8(ascii: " ")) }
            default: text.append(byte)
            }
        }
        text.removeAll { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") }
        let trimmed = text.drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        return Secret(trimmed.base64)
    }
}
