// Makes keys of all kinds as PEM text, and verifies a JWS with its own content alone. RFC 7515, RFC 7517, RFC 7518.

import CCrypto
import FoundationEssentials

enum DeviceKeyFile {
    struct Failure: Error {}

    enum Kind: String, Sendable { case p256 = "P-256", secp256k1, p384 = "P-384", ed25519 = "ED25519" }

    /// Makes a key. With a password, the PEM is encrypted.
    static func pem(_ kind: Kind, password: String? = nil) throws -> String {
        let algorithm = kind == .ed25519 ? kind.rawValue : "EC"
        guard let context = EVP_PKEY_CTX_new_from_name(nil, algorithm, nil) else { throw Failure() }
        defer { EVP_PKEY_CTX_free(context) }
        var pair: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            kind == .ed25519 || EVP_PKEY_CTX_set_group_name(context, kind.rawValue) == 1,
            EVP_PKEY_keygen(context, &pair) == 1, let pair
        else { throw Failure() }
        defer { EVP_PKEY_free(pair) }
        return try text { memory in
            let secret = password.map { Array($0.utf8) } ?? []
            return PEM_write_bio_PrivateKey(
                memory, pair, password == nil ? nil : EVP_aes_256_cbc(), secret, Int32(secret.count), nil, nil)
        }
    }

    /// The public half of a private key, as another program might store it.
    static func publicPEM(of pem: String) throws -> String {
        let bytes = Array(pem.utf8)
        guard let memory = BIO_new_mem_buf(bytes, Int32(bytes.count)) else { throw Failure() }
        defer { BIO_free(memory) }
        guard let pair = PEM_read_bio_PrivateKey(memory, nil, nil, nil) else { throw Failure() }
        defer { EVP_PKEY_free(pair) }
        return try text { PEM_write_bio_PUBKEY($0, pair) }
    }

    private static func text(_ write: (OpaquePointer) -> Int32) throws -> String {
        guard let memory = BIO_new(BIO_s_mem()) else { throw Failure() }
        defer { BIO_free(memory) }
        var start: UnsafeMutablePointer<CChar>?
        guard write(memory) == 1 else { throw Failure() }
        let count = pass_bio_contents(memory, &start)
        return String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
}

struct JWS {
    struct Header: Decodable, Equatable {
        struct Key: Decodable, Equatable {
            let kty: String
            let crv: String
            let x: String
            let y: String
        }

        let alg: String
        let typ: String
        let jwk: Key
    }

    struct Claims: Decodable, Equatable {
        let iss: String
        let sub: String
        let iat: Int64
        let exp: Int64
    }

    let header: Header
    let claims: Claims
    private let signed: [UInt8]
    private let signature: [UInt8]

    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw DeviceKeyFile.Failure() }
        header = try JSONDecoder().decode(Header.self, from: Self.bytes(parts[0]))
        claims = try JSONDecoder().decode(Claims.self, from: Self.bytes(parts[1]))
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        signature = Array(try Self.bytes(parts[2]))
    }

    /// Decodes only Base64url without padding.
    private static func bytes(_ text: String) throws -> Data {
        let letters = text.map { character -> Character in
            switch character {
            case "-": "+"
            case "_": "/"
            case "+", "/", "=": "!"
            default: character
            }
        }
        let padding = String(repeating: "=", count: (4 - letters.count % 4) % 4)
        guard let data = Data(base64Encoded: String(letters) + padding) else { throw DeviceKeyFile.Failure() }
        return data
    }

    /// Whether the signature is valid by the key in the header.
    func isGenuine() throws -> Bool {
        let key = try publicKey()
        defer { EVP_PKEY_free(key) }
        guard signature.count == 64, let parts = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(parts) }
        let (r, s) = (Array(signature[..<32]), Array(signature[32...]))
        guard ECDSA_SIG_set0(parts, BN_bin2bn(r, 32, nil), BN_bin2bn(s, 32, nil)) == 1 else { return false }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(parts, &encoded)
        defer { CRYPTO_free(encoded, nil, 0) }
        guard count > 0, let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
            && EVP_DigestVerify(context, encoded, Int(count), signed, signed.count) == 1
    }

    /// The key from its coordinates, in the X.509 form of RFC 5480 §2, which begins in the same way for all keys of
    /// this curve.
    private func publicKey() throws -> OpaquePointer {
        let wrapping: [UInt8] = [
            0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
            0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
        ]
        let encoded = try wrapping + Self.bytes(header.jwk.x) + Self.bytes(header.jwk.y)
        let key = encoded.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let key else { throw DeviceKeyFile.Failure() }
        return key
    }
}
