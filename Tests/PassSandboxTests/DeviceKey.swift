// A box's key for tests. It signs platform identities like a box, with libcrypto and without code of the sandbox.

import CCrypto
import PassJSON

@testable import PassSandbox

final class DeviceKey {
    private let key: OpaquePointer?

    init() { key = generateP256() }

    deinit { EVP_PKEY_free(key) }

    var jwk: JSONValue {
        var x = [UInt8](repeating: 0, count: 65)
        var length = 0
        EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", &x, 65, &length)
        return [
            "kty": "EC", "crv": "P-256", "x": .string(base64URL(x[1..<33])), "y": .string(base64URL(x[33..<65])),
        ]
    }

    var pem: String { key.map { PublicKey(copying: $0).pem } ?? "" }

    /// Makes a JWS with ES256.
    func token(header: [JSONObject.Member], claims: JSONValue) -> String {
        let header = JSONValue.object([.init("alg", "ES256")] + header)
        let signed = base64URL(header.bytes) + "." + base64URL(claims.bytes)
        return signed + "." + base64URL(sign(Array(signed.utf8)))
    }

    func identity(_ subject: String, at now: Instant, life: Instant = 3600) -> String {
        token(
            header: [.init("jwk", jwk)],
            claims: ["sub": .string(subject), "iat": .int(now / 1000), "exp": .int(now / 1000 + life)])
    }

    /// The two numbers of the signature, with 32 bytes each.
    private func sign(_ message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var der = [UInt8](repeating: 0, count: 128)
        var length = der.count
        EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key)
        EVP_DigestSign(context, &der, &length, message, message.count)
        let signature = der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            return d2i_ECDSA_SIG(nil, &start, length)
        }
        defer { ECDSA_SIG_free(signature) }
        return [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)].flatMap { number in
            var bytes = [UInt8](repeating: 0, count: 32)
            BN_bn2binpad(number, &bytes, 32)
            return bytes
        }
    }
}

private func generateP256() -> OpaquePointer? {
    let context = EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    EVP_PKEY_keygen_init(context)
    EVP_PKEY_CTX_set_group_name(context, "prime256v1")
    EVP_PKEY_generate(context, &key)
    return key
}
