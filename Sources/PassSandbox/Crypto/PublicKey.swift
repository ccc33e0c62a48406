// Public keys and their encoding. A key is RSA or P-256, and comes from PEM, a JWK or a key pair. Keys verify signatures and
// encrypt metadata.

import CCrypto
import PassJSON

enum RSAPadding: String, CaseIterable, Codable, Sendable {
    case oaep
    case pkcs1

    typealias Initialise = (OpaquePointer) -> Int32
    typealias Run = (
        OpaquePointer, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Int>, UnsafePointer<UInt8>, Int
    ) -> Int32

    func run(_ key: OpaquePointer, initialise: Initialise, run: Run, input: [UInt8]) -> [UInt8]? {
        guard let context = EVP_PKEY_CTX_new(key, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        let padding = self == .oaep ? RSA_PKCS1_OAEP_PADDING : RSA_PKCS1_PADDING
        var length = 0
        guard initialise(context) == 1, EVP_PKEY_CTX_set_rsa_padding(context, padding) == 1,
            run(context, nil, &length, input, input.count) == 1
        else { return nil }
        var output = [UInt8](repeating: 0, count: length)
        guard run(context, &output, &length, input, input.count) == 1 else { return nil }
        return Array(output.prefix(length))
    }
}

struct PublicKey: Codable, Equatable, Sendable {
    /// The key as SubjectPublicKeyInfo in DER.
    let der: [UInt8]

    init(der: [UInt8]) { self.der = der }

    init(copying key: OpaquePointer) {
        var start: UnsafeMutablePointer<UInt8>?
        let length = i2d_PUBKEY(key, &start)
        der = length > 0 ? Array(UnsafeBufferPointer(start: start, count: Int(length))) : []
        CRYPTO_free(start, nil, 0)
    }

    init?(pem: String) {
        // libcrypto does not copy the text, which therefore has to stay in place until the key is read.
        let key = Array(pem.utf8).withUnsafeBytes { text -> OpaquePointer? in
            guard let bio = BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
            defer { BIO_free(bio) }
            return PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        }
        guard let key else { return nil }
        defer { EVP_PKEY_free(key) }
        self.init(copying: key)
    }

    /// Reads the two kinds that the service accepts: `RSA` (n, e) and `EC` on P-256 (x, y).
    init?(jwk: JSONValue) {
        func number(_ name: String) -> [UInt8]? { jwk[name]?.string.flatMap({ decodeBase64URL($0) }) }
        let type: [UInt8]
        let numbers: [UInt8]
        switch jwk["kty"]?.string {
        case "RSA":
            guard let n = number("n"), let e = number("e"), (256...512).contains(n.count), e.count <= 4 else {
                return nil
            }
            type = DER.rsa
            numbers = DER.sequence(DER.integer(n), DER.integer(e))
        case "EC":
            guard jwk["crv"]?.string == "P-256", let x = number("x"), let y = number("y"), x.count == 32, y.count == 32
            else { return nil }
            type = DER.p256
            numbers = [4] + x + y
        default: return nil
        }
        let read = PublicKey(der: DER.sequence(type, DER.bits(numbers))).withPointer(PublicKey.init(copying:))
        guard let read else { return nil }
        self = read
    }

    var thumbprint: String { hexadecimal(sha256(der).prefix(16)) }

    var pem: String {
        withPointer { key in Self.pem { PEM_write_bio_PUBKEY($0, key) } } ?? ""
    }

    static func pem(_ write: (OpaquePointer?) -> Int32) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        var text: UnsafeMutablePointer<CChar>?
        guard write(bio) == 1 else { return "" }
        let length = pass_bio_contents(bio, &text)
        return String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
    }

    private func withPointer<R>(_ body: (OpaquePointer) -> R) -> R? {
        der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let key = d2i_PUBKEY(nil, &start, buffer.count) else { return nil }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }
    }

    enum Algorithm: String { case rs256 = "RS256", es256 = "ES256" }

    /// Verifies a JWS signature. A signature for ES256 consists of two numbers without further encoding (RFC 7518).
    func verifies(_ signature: [UInt8], of message: some Sequence<UInt8>, by algorithm: Algorithm) -> Bool {
        let message = Array(message)
        guard let signature = algorithm == .rs256 ? signature : Self.pairToDER(signature) else { return false }
        return withPointer { key in
            guard EVP_PKEY_get_base_id(key) == (algorithm == .rs256 ? EVP_PKEY_RSA : EVP_PKEY_EC),
                let context = EVP_MD_CTX_new()
            else { return false }
            defer { EVP_MD_CTX_free(context) }
            return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1
                && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        } ?? false
    }

    private static func pairToDER(_ pair: [UInt8]) -> [UInt8]? {
        guard pair.count == 64, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let r = BN_bin2bn(Array(pair[..<32]), 32, nil)
        let s = BN_bin2bn(Array(pair[32...]), 32, nil)
        guard ECDSA_SIG_set0(signature, r, s) == 1 else { return nil }
        var start: UnsafeMutablePointer<UInt8>?
        let length = i2d_ECDSA_SIG(signature, &start)
        guard length > 0 else { return nil }
        defer { CRYPTO_free(start, nil, 0) }
        return Array(UnsafeBufferPointer(start: start, count: Int(length)))
    }

    func encrypt(_ message: [UInt8], padding: RSAPadding) -> [UInt8]? {
        withPointer { key in
            padding.run(key, initialise: EVP_PKEY_encrypt_init, run: EVP_PKEY_encrypt, input: message)
        } ?? nil
    }
}

/// The parts of DER (ITU-T X.690) that RSA and P-256 keys need.
enum DER {
    static let rsa = sequence(tagged(6, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]), tagged(5, []))
    static let p256 = sequence(
        tagged(6, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]), tagged(6, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7]))

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap(\.self)) }

    /// Encodes a non-negative integer.
    static func integer(_ bigEndian: [UInt8]) -> [UInt8] {
        let digits = Array(bigEndian.drop { $0 == 0 })
        // A number with the highest bit set would be negative. A zero byte in front prevents this.
        return tagged(2, (digits.first ?? 0x80) < 0x80 ? digits : [0] + digits)
    }

    static func octets(_ content: [UInt8]) -> [UInt8] { tagged(4, content) }

    static func bits(_ content: [UInt8]) -> [UInt8] { tagged(3, [0] + content) }

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        let length = withUnsafeBytes(of: content.count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}
