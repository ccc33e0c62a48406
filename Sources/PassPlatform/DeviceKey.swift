// The key for `platform-identity = device-key`. The box signs tokens with this key. The signature proves that two apps run on
// the same device. The key is made once and never leaves the store. Contract: rest-v2.md §3.6, §12.1; a JWS by ES256 (RFC 7515,
// RFC 7518).

import AccessEnabler
import CCrypto
import Glibc
import PassJSON
import Synchronization

package final class DeviceKey: Sendable {
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    private static let lifetime = Duration.seconds(600)
    /// A new token is made when the present token ends within this time.
    private static let spare = Duration.seconds(120)

    private struct Token {
        let text: Secret
        let ends: ServerTime
    }

    private let key: Key
    private let subject: String
    private let token = Mutex<Token?>(nil)

    convenience init(pem: Secret) throws(Fault) { try self.init(Key(pem: Array(pem.reveal().utf8))) }

    private init(_ key: Key) throws(Fault) {
        self.key = key
        guard let (x, y) = key.coordinates else { throw Fault(description: "is not usable") }
        // The box's name in its tokens is derived from the key, so that the name changes only with the key.
        subject = "box-" + Digest.sha256((x + y).map { String($0, radix: 16) }.joined(separator: ":")).prefix(32)
    }

    /// Makes a new key, and returns it with its PEM form.
    static func make() throws(Fault) -> (DeviceKey, pem: Secret) {
        let key = try Key.make()
        return (try DeviceKey(key), try key.pem())
    }

    func identityToken(at time: ServerTime) -> Secret? {
        token.withLock { token in
            if let token, time.advanced(by: Self.spare) < token.ends,
                token.ends < time.advanced(by: Self.lifetime + Self.spare)
            {
                return token.text
            }
            let ends = time.advanced(by: Self.lifetime)
            token = sign(issued: time, ends: ends).map { Token(text: $0, ends: ends) }
            return token?.text
        }
    }

    private func sign(issued: ServerTime, ends: ServerTime) -> Secret? {
        guard let (x, y) = key.coordinates else { return nil }
        let head: JSONValue = [
            "alg": "ES256",
            "jwk": ["crv": "P-256", "kty": "EC", "x": .string(x.base64URL), "y": .string(y.base64URL)],
            "typ": "JWT",
        ]
        let claims: JSONValue = [
            "exp": .int(ends.milliseconds / 1000), "iat": .int(issued.milliseconds / 1000), "iss": "passd",
            "sub": .string(subject),
        ]
        let text = JSONWriter.bytes(head).base64URL + "." + JSONWriter.bytes(claims).base64URL
        guard let signature = key.signature(of: Array(text.utf8)) else { return nil }
        return Secret(text + "." + signature.base64URL)
    }
}

/// A key pair on the curve P-256.
private final class Key: @unchecked Sendable {
    /// The pair does not change after `init`, and OpenSSL allows reading from any thread.
    private let pair: OpaquePointer

    private init(_ pair: OpaquePointer) { self.pair = pair }

    deinit { EVP_PKEY_free(pair) }

    convenience init(pem bytes: [UInt8]) throws(DeviceKey.Fault) {
        guard !bytes.isEmpty else { throw DeviceKey.Fault(description: "is empty") }
        guard let pair = Self.read(bytes) else { throw DeviceKey.Fault(description: "contains no readable key") }
        self.init(pair)
        guard isOfCurve, coordinates != nil else {
            throw DeviceKey.Fault(description: "contains a different kind of key")
        }
    }

    private static func read(_ bytes: [UInt8]) -> OpaquePointer? {
        // The bytes have to stay in place until OpenSSL is done, because OpenSSL does not copy them.
        bytes.withUnsafeBytes { bytes in
            guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
            defer { BIO_free(memory) }
            // Without this callback, OpenSSL would ask the terminal for a password.
            return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
        }
    }

    static func make() throws(DeviceKey.Fault) -> Key {
        let fault = DeviceKey.Fault(description: "cannot be created")
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { throw fault }
        defer { EVP_PKEY_CTX_free(context) }
        var pair: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &pair) == 1, let pair
        else { throw fault }
        return Key(pair)
    }

    func pem() throws(DeviceKey.Fault) -> Secret {
        let fault = DeviceKey.Fault(description: "cannot be encoded")
        guard let memory = BIO_new(BIO_s_mem()) else { throw fault }
        defer { BIO_free(memory) }
        var text: UnsafeMutablePointer<CChar>?
        guard PEM_write_bio_PrivateKey(memory, pair, nil, nil, 0, nil, nil) == 1 else { throw fault }
        let count = pass_bio_contents(memory, &text)
        defer { OPENSSL_cleanse(text, Int(count)) }
        return Secret(String(decoding: UnsafeRawBufferPointer(start: text, count: Int(count)), as: UTF8.self))
    }

    /// Whether the key is on P-256. The curve's name has to be checked, because points of other curves have the same form as
    /// points of P-256.
    private var isOfCurve: Bool {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(pair, &name, name.count, &count) == 1 else { return false }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) == SN_X9_62_prime256v1
    }

    /// The coordinates of the public point.
    var coordinates: (x: [UInt8], y: [UInt8])? {
        var point = [UInt8](repeating: 0, count: 65)
        var count = 0
        guard EVP_PKEY_get_octet_string_param(pair, OSSL_PKEY_PARAM_PUB_KEY, &point, point.count, &count) == 1,
            count == 65, point[0] == 4
        else { return nil }
        return (Array(point[1..<33]), Array(point[33...]))
    }

    /// Makes the signature in the form of JWS: the numbers r and s, one after the other.
    func signature(of bytes: [UInt8]) -> [UInt8]? {
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pair) == 1,
            EVP_DigestSign(context, nil, &count, bytes, bytes.count) == 1
        else { return nil }
        var encoded = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &encoded, &count, bytes, bytes.count) == 1 else { return nil }
        return encoded.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            guard let parsed = d2i_ECDSA_SIG(nil, &position, count) else { return nil }
            defer { ECDSA_SIG_free(parsed) }
            var result = [UInt8](repeating: 0, count: 64)
            let isWhole = result.withUnsafeMutableBufferPointer { result in
                guard let start = result.baseAddress else { return false }
                return BN_bn2binpad(ECDSA_SIG_get0_r(parsed), start, 32) == 32
                    && BN_bn2binpad(ECDSA_SIG_get0_s(parsed), start + 32, 32) == 32
            }
            return isWhole ? result : nil
        }
    }
}
