// Makes the `SAMLResponse` parameter from the platform's answer. First runs of blanks become one blank, then line
// breaks are removed; nothing else changes, because the rest is signed. The form encoding follows once, with the form.
// Contract: rest-v1.md §10.2, open-questions.md OQ-51.

import AccessEnabler
import FoundationEssentials

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
        return Secret(Data(trimmed).base64EncodedString())
    }
}
