// The reason why there is no answer. No case contains parts of the request, so all cases may be logged.

import CCurl
import Glibc

public enum HTTPFault: Error, Equatable, Sendable {
    case badURL
    /// A header field contains characters that cannot be sent.
    case badHeader
    /// The request would send plain HTTP to another machine.
    case insecure
    case dns
    case connect
    /// There is no route to the service or its proxy.
    case unreachable
    case tls(TLSTrouble)
    /// The proxy with this host and port has failed.
    case proxy(String, ProxyTrouble)
    case timeout(wasSent: Bool)
    /// The answer is larger than the limit, in bytes.
    case tooLarge(limit: Int)
    /// The connection ended before there was an answer.
    case disconnected
    /// The answer is not HTTP, or it was cut off.
    case broken(String)
    case cancelled
    /// libcurl cannot be loaded. The reason is in the words of the system.
    case noLibrary(String)
    case closed

    /// Whether the service may have seen the request.
    public var mayHaveBeenSent: Bool {
        switch self {
        case .badURL, .badHeader, .insecure, .dns, .connect, .unreachable, .tls, .proxy, .noLibrary: false
        case .timeout(let wasSent): wasSent
        case .tooLarge, .disconnected, .broken, .cancelled, .closed: true
        }
    }

    /// Whether the same call may succeed later without a change of the configuration.
    public var isTransient: Bool {
        switch self {
        case .dns, .connect, .unreachable, .timeout, .disconnected, .broken: true
        case .proxy(_, .refused): false
        case .proxy: true
        case .badURL, .badHeader, .insecure, .tls, .tooLarge, .cancelled, .noLibrary, .closed: false
        }
    }

    /// `reason` is the operating system's errno for a failed connection. `verification` is the result of OpenSSL's
    /// check of the certificate. `alert` is the message with which the other side refused the secure connection.
    init(_ code: CURLcode, reason: Int, verification: Int, alert: String, wasSent: Bool, limit: Int) {
        let detail = String(cString: pass_curl_easy_strerror(code))
        switch code {
        case CURLE_URL_MALFORMAT: self = .badURL
        case CURLE_COULDNT_RESOLVE_HOST: self = .dns
        case CURLE_COULDNT_CONNECT:
            self = [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(Int32(reason)) ? .unreachable : .connect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_CLIENTCERT:
            self = .tls(TLSTrouble(code, verification: verification, alert: alert))
        case CURLE_OPERATION_TIMEDOUT: self = .timeout(wasSent: wasSent)
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge(limit: limit)
        default: self = .broken(detail)
        }
    }
}

extension HTTPFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badURL: "the address is not valid"
        case .badHeader: "a header field contains characters that cannot be sent"
        case .insecure: "plain HTTP is for this machine only; the service must use HTTPS"
        case .dns: "this box cannot find the address of the service (DNS)"
        case .connect: "the service does not accept connections"
        case .unreachable: "the network of the service cannot be reached"
        case .tls(let trouble): trouble.description
        case .proxy(let name, .unknownName): "this box cannot find the address of the proxy \(name) (DNS)"
        case .proxy(let name, .noConnection): "the proxy \(name) does not accept connections"
        case .proxy(let name, .noRoute): "the network of the proxy \(name) cannot be reached"
        case .proxy(let name, .late): "the proxy \(name) did not connect to the service in time"
        case .proxy(let name, .refused(407)): "the proxy \(name) asks for a name and a password (status 407)"
        case .proxy(let name, .refused(let status)):
            "the proxy \(name) refused to connect to the service (status \(status))"
        case .timeout(let wasSent):
            wasSent ? "the service did not answer in time" : "the service could not be reached in time"
        case .tooLarge(let limit): "the answer is larger than \(limit) bytes"
        case .disconnected: "the connection ended before there was an answer"
        case .broken(let detail): "the answer is invalid or incomplete: \(detail)"
        case .cancelled: "the call was cancelled"
        case .noLibrary(let reason): "libcurl cannot be loaded: \(reason)"
        case .closed: "the client was closed"
        }
    }
}

/// The reason why there is no secure connection, as reported by OpenSSL. The description is for operators.
public enum TLSTrouble: Equatable, Sendable {
    case expired, notYetValid, revoked
    /// The certificate is for another host.
    case wrongHost
    case unknownIssuer
    /// The configured certificate authorities cannot be read.
    case unusableAuthorities
    /// The service, or a machine between box and service, asks for a certificate of this box.
    case clientCertificate
    /// The other side closed the connection before it was secure.
    case noHandshake
    /// Any other trouble, in the words of libcurl.
    case other(String)

    /// `alert` is the message with which the other side refused the secure connection, in the words of OpenSSL.
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
        // libcurl itself compares the host with the certificate. The result is still 1 if libcurl finds another host before it
        // asks OpenSSL for the result.
        case 0 where code == CURLE_PEER_FAILED_VERIFICATION, 1 where code == CURLE_PEER_FAILED_VERIFICATION:
            self = .wrongHost
        case _ where code == CURLE_SSL_CONNECT_ERROR: self = .noHandshake
        default: self = .other(String(cString: pass_curl_easy_strerror(code)))
        }
    }

    /// Whether the other side asks for a certificate of this box. In TLS 1.3 the alert comes after the handshake, when passd
    /// reads the answer. Swift's own text search is not used here, because it would add a library for regular expressions to
    /// the program.
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
        case .unknownIssuer:
            "another system may have answered in place of the service, because this box does not trust the issuer of the "
                + "certificate"
        case .unusableAuthorities: "the file of certificate authorities cannot be read"
        case .clientCertificate: "the service asks for a certificate of this box, and passd has none"
        case .noHandshake: "the other side closed the connection before it was secure"
        case .other(let detail): "the secure connection failed: \(detail)"
        }
    }
}

public enum ProxyTrouble: Equatable, Sendable {
    case unknownName, noConnection, noRoute, late
    /// The proxy answered with this status instead of making a connection.
    case refused(Int)
}
