// An RSA key pair made from a seed. The same seed gives the same key. This code searches for the primes among candidates from
// the seed. libcrypto does the rest.

import CCrypto

struct RSAKey: Codable, Equatable, Sendable {
    /// The key as PKCS#8 in DER.
    private var der: [UInt8]

    static let bits = 2048

    init(random: SeededRandom) {
        var random = random
        // An attempt fails for equal primes (once in about 2^1000 seeds) or for lack of memory.
        der = Self.generate(&random) ?? Self.generate(&random) ?? []
    }

    private static func generate(_ random: inout SeededRandom) -> [UInt8]? {
        guard let context = BN_CTX_new(), let e = BN_new() else { return nil }
        defer {
            BN_CTX_free(context)
            BN_free(e)
        }
        BN_set_word(e, 65537)
        guard let p = prime(&random, coprimeWith: e, context), let q = prime(&random, coprimeWith: e, context),
            let n = BN_new(), let d = BN_new(), let phi = BN_new(), let one = BN_new(), let dp = BN_new(),
            let dq = BN_new(), let qInverse = BN_new(), let less = BN_new()
        else { return nil }
        let all = [p, q, n, d, phi, one, dp, dq, qInverse, less]
        defer { all.forEach(BN_clear_free) }
        guard BN_cmp(p, q) != 0 else { return nil }
        BN_set_word(one, 1)
        BN_mul(n, p, q, context)
        BN_sub(phi, p, one)
        BN_sub(less, q, one)
        BN_mul(phi, phi, less, context)
        BN_mod_inverse(d, e, phi, context)
        BN_sub(less, p, one)
        BN_div(nil, dp, d, less, context)
        BN_sub(less, q, one)
        BN_div(nil, dq, d, less, context)
        BN_mod_inverse(qInverse, q, p, context)

        let numbers = [n, e, d, p, q, dp, dq, qInverse].flatMap { DER.integer(bytes(of: $0)) }
        return DER.sequence(
            DER.integer([]), DER.rsa, DER.octets(DER.sequence(DER.integer([]), numbers)))
    }

    private static func bytes(of number: OpaquePointer) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (Int(BN_num_bits(number)) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }

    private static func prime(
        _ random: inout SeededRandom, coprimeWith e: OpaquePointer, _ context: OpaquePointer
    ) -> OpaquePointer? {
        let bytes = bits / 16
        guard let candidate = BN_new(), let less = BN_new() else { return nil }
        defer { BN_free(less) }
        var start = random.bytes(bytes)
        start[0] |= 0xC0
        start[bytes - 1] |= 1
        BN_bin2bn(start, Int32(bytes), candidate)
        while true {
            BN_copy(less, candidate)
            BN_sub_word(less, 1)
            if BN_mod_word(less, 65537) != 0, BN_check_prime(candidate, context, nil) == 1 { return candidate }
            BN_add_word(candidate, 2)
        }
    }

    func withPointer<R>(_ body: (OpaquePointer) -> R) -> R? {
        der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let key = d2i_AutoPrivateKey(nil, &start, buffer.count) else { return nil }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }
    }

    /// Signs with RSA and SHA-256, PKCS#1 v1.5.
    func sign(_ message: some Sequence<UInt8>) -> [UInt8] {
        let message = Array(message)
        return withPointer { key -> [UInt8] in
            guard let context = EVP_MD_CTX_new() else { return [] }
            defer { EVP_MD_CTX_free(context) }
            var length = 512
            var signature = [UInt8](repeating: 0, count: length)
            guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1,
                EVP_DigestSign(context, &signature, &length, message, message.count) == 1
            else { return [] }
            return Array(signature.prefix(length))
        } ?? []
    }

    var publicKey: PublicKey {
        withPointer { PublicKey(copying: $0) } ?? PublicKey(der: [])
    }

    var privatePEM: String {
        withPointer { key in
            PublicKey.pem { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
        } ?? ""
    }
}

// Makes a self-signed certificate for a key pair. Programmers' tools need a certificate to verify signatures. Serial number and
// dates are fixed, so the same key always gives the same certificate.

extension RSAKey {
    /// The certificate in PEM; empty only if libcrypto fails.
    func certificate(name: String) -> String {
        withPointer { key -> String in
            guard let certificate = X509_new() else { return "" }
            defer { X509_free(certificate) }
            X509_set_version(certificate, 2)
            ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
            ASN1_TIME_set_string(X509_getm_notBefore(certificate), "20200101000000Z")
            ASN1_TIME_set_string(X509_getm_notAfter(certificate), "21200101000000Z")
            let subject = X509_get_subject_name(certificate)
            let text = Array(name.utf8)
            X509_NAME_add_entry_by_txt(subject, "CN", Int32(pass_utf8_string), text, Int32(text.count), -1, 0)
            X509_set_issuer_name(certificate, subject)
            X509_set_pubkey(certificate, key)
            guard X509_sign(certificate, key, EVP_sha256()) > 0 else { return "" }
            return PublicKey.pem { PEM_write_bio_X509($0, certificate) }
        } ?? ""
    }
}
