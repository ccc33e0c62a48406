// Makes a self-signed certificate for a key pair, because programmers' tools expect one for verifying. Serial number
// and dates are fixed, so the same key always gives the same certificate.

import CCrypto

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
