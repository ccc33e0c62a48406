// Why there is no secure connection, as reported by OpenSSL, and what is wrong with a proxy. The words are for
// operators.

import CCurl
import Glibc

public enum TLSTrouble: Equatable, Sendable {
    case expired, notYetValid, revoked
    /// The certificate is for another host.
    case wrongHost
    case unknownIssuer
    /// The configured certificate authorities cannot be read.
    case unusableAuthorities
    /// The service, or a machine before it, asks for a certificate of this box.
    case clientCertificate
    /// The other side broke off before the connection was secure.
    case noHandshake
    /// In the words of libcurl.
    case other(String)

    /// `alert` is the other side's message, in the words of OpenSSL.
    init(_ code: CURLcode, verification: Int, alert: String) {
        if code == CURLE_SSL_CACERT_BADFILE {
            self = .unusableAuthorities
            return
        }
        if code == CURLE_SSL_CLIENTCERT || Self.isAboutClientCertificate(alert) {
            self = .clientCertificate
            return
        }
        // The numbers are OpenSSL's, X509_V_ERR_….
        switch verification {
        case 9: self = .notYetValid
        case 10: self = .expired
        case 23: self = .revoked
        case 2, 18, 19, 20, 21: self = .unknownIssuer
        case 62, 64: self = .wrongHost
        // libcurl compares the name itself, before it asks OpenSSL for the result; until then the result is 1.
        case 0 where code == CURLE_PEER_FAILED_VERIFICATION, 1 where code == CURLE_PEER_FAILED_VERIFICATION:
            self = .wrongHost
        case _ where code == CURLE_SSL_CONNECT_ERROR: self = .noHandshake
        default: self = .other(String(cString: pass_curl_easy_strerror(code)))
        }
    }

    /// In TLS 1.3 the alert comes with the answer, after the handshake. Swift's own search would link the regular
    /// expressions of the library.
    static func isAboutClientCertificate(_ alert: String) -> Bool {
        strstr(alert, "alert certificate required") != nil
    }
}

extension TLSTrouble: CustomStringConvertible {
    public var description: String {
        switch self {
        case .expired: "the service's certificate has expired"
        case .notYetValid: "the service's certificate is not valid yet"
        case .revoked: "the service's certificate was revoked"
        case .wrongHost: "the certificate is for another host"
        case .unknownIssuer: "nobody that this box trusts has issued the certificate"
        case .unusableAuthorities: "the file of certificate authorities cannot be read"
        case .clientCertificate: "the service asks for a certificate of this box, and passd has none"
        case .noHandshake: "the other side broke off before the connection was secure"
        case .other(let detail): "the secure connection failed: \(detail)"
        }
    }
}

public enum ProxyTrouble: Equatable, Sendable {
    case unknownName, noConnection, noRoute, late
    /// It answered with this status instead of making a connection.
    case refused(Int)
}
