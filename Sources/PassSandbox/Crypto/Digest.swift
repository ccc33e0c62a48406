// Hashes from libcrypto, and encodings.

import CCrypto
import PassJSON

func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: 32)
    EVP_Digest(input, input.count, &output, nil, EVP_sha256(), nil)
    return output
}

func hmacSHA256(_ bytes: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
    let input = Array(bytes)
    var output = [UInt8](repeating: 0, count: 32)
    HMAC(EVP_sha256(), key, Int32(clamping: key.count), input, input.count, &output, nil)
    return output
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String { bytes.hexadecimal }

func base64(_ bytes: some Sequence<UInt8>) -> String { bytes.base64 }

func base64URL(_ bytes: some Sequence<UInt8>) -> String { bytes.base64URL }

/// Decodes standard Base64, with or without padding; nil for anything else, including an empty text.
func decodeBase64(_ text: String) -> [UInt8]? {
    guard !text.isEmpty else { return nil }
    let bare = text.hasSuffix("=") ? String(text.prefix { $0 != "=" }) : text
    let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
    guard text == bare || text == bare + padding else { return nil }
    return Base64.decoded(Array((bare + padding).utf8))
}

/// Decodes URL-safe Base64. Signed texts must have no padding. In other places, `mayBePadded` accepts the padding that some
/// clients send.
func decodeBase64URL(_ text: String, mayBePadded: Bool = false) -> [UInt8]? {
    let refused: Set<Character> = mayBePadded ? ["+", "/"] : ["+", "/", "="]
    guard !text.contains(where: refused.contains) else { return nil }
    return decodeBase64(String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }))
}

/// Compares two secrets in constant time. The time does not depend on the place of the first difference.
func sameSecret(_ one: String, _ other: String) -> Bool {
    let one = sha256(one.utf8)
    let other = sha256(other.utf8)
    return CRYPTO_memcmp(one, other, one.count) == 0
}
