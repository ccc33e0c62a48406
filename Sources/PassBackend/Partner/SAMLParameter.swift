// Makes the parameter `SAMLResponse` from the platform's response. First, runs of blanks become one blank; then line
// breaks and outer blanks go. Nothing else is changed, because the rest is signed. The form encoding is applied later,
// with the whole form. Contract: rest-v1.md §10.2, open-questions.md OQ-51.

import AccessEnabler
import PassJSON

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
