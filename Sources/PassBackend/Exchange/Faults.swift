// Translates faults of the connection and unusable answers, for the engine and for operators.

import AccessEnabler
import PassJSON

/// Translates faults of HTTP and of the budget into faults of the engine. No fault contains parts of the request.
extension BackendFault {
    /// The label `of` is necessary, because `HTTPFault` and `BackendFault` both have a case `.cancelled`. Without the label,
    /// `self.init(.cancelled)` would call this initializer again.
    init(of fault: HTTPFault) {
        switch fault {
        case .dns, .connect, .unreachable, .timeout, .proxy, .disconnected, .noLibrary: self.init(.unreachable)
        case .tls, .insecure: self.init(.insecure)
        case .tooLarge, .broken: self.init(.unusableAnswer)
        case .cancelled, .closed: self.init(.cancelled)
        case .badURL, .badHeader:
            // The app's values cannot be put into a request, so the app gets the 400 with which the service would answer.
            let error = ServiceError(
                status: 400, code: "invalid_request", actionName: "none", message: fault.description)
            self.init(.refused(error))
        }
        reason = fault.description
    }

    init(_ refusal: RequestBudget.Refusal, _ timeLimit: TimeLimit) {
        switch refusal {
        case .queueFull: self.init(.overloaded)
        case .deadlinePassed: self = timeLimit.exhausted
        }
    }

    init(describing error: any Error) {
        switch error {
        case let fault as BackendFault: self = fault
        case let fault as HTTPFault: self.init(of: fault)
        default: self.init(.cancelled)
        }
    }
}

/// Recognizes answers that do not come from the service. Often, a machine between the box and the service sends such an answer.
/// Contract: rest-v2.md §6.4.
extension BackendFault {
    /// The fault for an unusable answer, with a reason for operators. The reason contains no part of the body.
    static func unusable(_ response: HTTPResponse) -> BackendFault {
        unusable("\(strangeness(response)) (status \(response.status))")
    }

    /// The fault for an answer with a status of 5xx. If the body is a web page, the answer still counts as the service's,
    /// because it may come from the service's own front server. An answer with the status 511 does not count as the service's,
    /// because only captive portals send 511 (RFC 6585).
    static func serverError(_ response: HTTPResponse) -> BackendFault {
        guard response.status != 511 else { return unusable(response) }
        var fault = BackendFault(.serverError(response.status), trace: ServiceError(response.body)?.trace)
        if isPage(response) {
            fault.reason = "a web page came in place of its answer (status \(response.status))"
        } else if isPlainText(response) {
            fault.reason = "a plain text came in place of its answer (status \(response.status))"
        }
        return fault
    }

    /// The fault for a redirect, or for a web page in place of an answer. Nil for any other answer.
    static func foreign(_ response: HTTPResponse) -> BackendFault? {
        let isPortal =
            (300..<400).contains(response.status) || (200..<300).contains(response.status) && isPage(response)
        return isPortal ? unusable(response) : nil
    }

    /// Whether the body is HTML or XHTML. Both may begin with a declaration or a comment.
    private static func isPage(_ response: HTTPResponse) -> Bool {
        let head = String(decoding: response.body.prefix(1024), as: UTF8.self).lowercased()
        guard head.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" else { return false }
        return head.place(of: "<!doctype html") != nil || head.place(of: "<html") != nil
    }

    /// Whether the body is not empty and is neither JSON nor XML.
    private static func isPlainText(_ response: HTTPResponse) -> Bool {
        let head = String(decoding: response.body.prefix(64), as: UTF8.self)
        guard let first = head.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else { return false }
        return !"{[<\"".contains(first)
    }

    private static func strangeness(_ response: HTTPResponse) -> String {
        if (300..<400).contains(response.status) {
            let host = response.headers["Location"].flatMap(host)
            return "it redirects to \(host ?? "another address"), as a captive portal does"
        }
        if response.headers["Content-Encoding"] != nil || response.body.starts(with: [0x1F, 0x8B]) {
            return "it is compressed, although passd did not ask for compression; a proxy may have changed it"
        }
        if isPage(response) { return "it is a web page, perhaps from a captive portal or a proxy" }
        return response.body.isEmpty ? "it is empty" : "it is not what the service answers"
    }

    /// The host of an address, for operators. Nil if the address is not valid. Plain HTTP is accepted, because captive
    /// portals often have no TLS.
    private static func host(of address: String) -> String? {
        let lowercased = address.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowercased.hasPrefix) else { return nil }
        let authority = lowercased.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
        let isHost = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: ".-:[]_".utf8.contains(byte)
            }
        }
        return isHost && (1...253).contains(name.utf8.count) ? String(name) : nil
    }
}

/// Remedies for operators if the service does not answer, for the status report and `doctor`.
extension ServiceTrouble {
    init(_ fault: HTTPFault) {
        self.init(reason: fault.description, remedy: fault.remedy)
    }

    /// The service, or a machine in its place, has answered with a status of 5xx.
    init(serverError response: HTTPResponse) {
        if response.status == 511 {
            self.init(
                reason: "a captive portal answers, because this network wants a login first (status 511)",
                remedy: Self.somethingBetween)
        } else if let foreign = BackendFault.serverError(response).reason {
            self.init(reason: foreign, remedy: Self.somethingBetween)
        } else {
            self.init(
                reason: "the service answered with an error (\(response.status))",
                remedy: "Try again later. If the problem persists, ask the operator of the service.")
        }
    }

    /// The answer does not come from the service. `reason` says what is wrong with the answer, if this is known.
    init(unusable reason: String?) {
        self.init(
            reason: "the answer cannot be used" + (reason.map { ": \($0)" } ?? ""), remedy: Self.somethingBetween)
    }

    private static let somethingBetween =
        portal
        + "the administrator of the box has to look for a proxy, and compare [backend] origin in passd.conf with the "
        + "address from the service's operator."
}

/// The beginning of a remedy for answers and certificates that may come from a captive portal.
private let portal =
    "Is the box in a hotel or on guest Wi-Fi? Then log in to this network, or ask its staff to admit the box. Otherwise, "

extension HTTPFault {
    fileprivate var remedy: String {
        switch self {
        case .badURL, .insecure: "Correct [backend] origin."
        case .badHeader: "Report this as a bug."
        case .dns:
            "Run: getent hosts debian.org. If it prints nothing, restart the router, and check the internet connection. If "
                + "it prints an address, only the service is not found: the administrator of the box has to check "
                + "[backend] origin in passd.conf."
        case .connect: "Check host and port of [backend] origin, and firewalls on the way."
        case .unreachable: "Check the network of this box: cable or Wi-Fi, address and route."
        case .tls(let trouble): trouble.remedy
        case .proxy(_, .refused(407)):
            "passd cannot sign in to a proxy. Ask the proxy's operator to let this box connect without a password."
        case .proxy(_, .refused): "Ask the proxy's operator to allow connections to the host of [backend] origin."
        case .proxy: "Check [backend] proxy, or remove it if this network has none."
        case .timeout(wasSent: false): "Check the network of this box, and firewalls on the way."
        case .timeout(wasSent: true), .disconnected, .broken, .tooLarge:
            "Try again later. If the problem persists, ask the operator of the service, and look for a proxy on the "
                + "way."
        case .noLibrary: "Install libcurl with OpenSSL: apt install libcurl4, on Debian 13 libcurl4t64."
        case .cancelled, .closed: "Try again."
        }
    }
}

extension TLSTrouble {
    fileprivate var remedy: String {
        switch self {
        case .expired:
            "Compare the clock of this box with the real time. If the clock is right, the service's operator has to "
                + "renew the certificate."
        case .notYetValid:
            "The clock of this box is probably behind. Run: timedatectl set-ntp true. If the clock is still wrong after a "
                + "minute, the administrator of the box has to set date and time zone."
        case .revoked: "Ask the operator of the service."
        case .wrongHost:
            portal + "compare the host of [backend] origin with the address from the service's operator."
        case .unknownIssuer:
            portal
                + "the administrator of the box has to install the package ca-certificates, look for a proxy, or name "
                + "the issuer's certificate in [backend] certificate-authorities."
        case .unusableAuthorities:
            "Check that [backend] certificate-authorities names a PEM file that the daemon's user can read."
        case .clientCertificate:
            "Compare [backend] origin with the address from the service's operator, and look for a proxy on the way."
        case .noHandshake:
            "Check whether [backend] origin has the port of HTTPS, and look for a proxy on the way. A service that "
                + "requires a client certificate closes the connection, too, because passd has no certificate."
        case .other:
            "Check whether a system on the way to the service changes the connection, and whether [backend] origin "
                + "has the port of HTTPS."
        }
    }
}
