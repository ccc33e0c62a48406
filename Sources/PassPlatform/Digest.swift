// Digests as lower-case hexadecimal text.

import AccessEnabler
import CCrypto
import PassJSON

package enum Digest {
    package static func sha256(_ text: String) -> String { hex(text, EVP_sha256()) }

    /// Makes an MD5 digest, which the contract requires only for tracking. Contract: access-enabler.md §15.3.
    package static func md5(_ text: String) -> String { hex(text, EVP_md5()) }

    private static func hex(_ text: String, _ method: OpaquePointer?) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        var text = text
        let isDone = text.withUTF8 { EVP_Digest($0.baseAddress, $0.count, &digest, &count, method, nil) == 1 }
        return isDone ? digest.prefix(Int(count)).hexadecimal : ""
    }
}
