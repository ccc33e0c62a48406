// Remedies for operators if the service does not answer, for the status report and `doctor`.

import AccessEnabler

extension ServiceTrouble {
    init(_ fault: HTTPFault) {
        self.init(reason: fault.description, remedy: fault.remedy)
    }

    /// The service, or a machine in its place, has answered with a status of 5xx.
    init(serverError response: HTTPResponse) {
        if response.status == 511 {
            self.init(
                reason: "a captive portal answers: this network asks the box to sign on first (status 511)",
                remedy: Self.somethingBetween)
        } else if let foreign = BackendFault.serverError(response).reason {
            self.init(reason: foreign, remedy: Self.somethingBetween)
        } else {
            self.init(
                reason: "the service answered with an error (\(response.status))",
                remedy: "Try again later. If it persists, ask the operator of the service.")
        }
    }

    /// The answer is not the service's. The reason describes it, if known.
    init(unusable reason: String?) {
        self.init(
            reason: "the answer cannot be used" + (reason.map { ": \($0)" } ?? ""), remedy: Self.somethingBetween)
    }

    private static let somethingBetween =
        "Something between box and service may have answered: sign the box on to its network if that asks for it (guest "
        + "Wi-Fi, hotel), look for a proxy, and compare [backend] origin with what the service's operator has named."
}

extension HTTPFault {
    fileprivate var remedy: String {
        switch self {
        case .badURL, .insecure: "Correct [backend] origin."
        case .badHeader: "Report this as a bug."
        case .dns:
            "Check the spelling of [backend] origin, and whether this box resolves other names: getent hosts debian.org"
        case .connect: "Check host and port of [backend] origin, and firewalls in between."
        case .unreachable: "Check the network of this box: cable or Wi-Fi, address and route."
        case .tls(let trouble): trouble.remedy
        case .proxy(_, .refused(407)):
            "passd does not sign in to a proxy. Ask the proxy's operator to let this box pass without."
        case .proxy(_, .refused): "Ask the proxy's operator to let the host of [backend] origin pass."
        case .proxy: "Check [backend] proxy, or remove it if this network has none."
        case .timeout(wasSent: false): "Check the network of this box, and firewalls in between."
        case .timeout(wasSent: true), .disconnected, .broken, .tooLarge:
            "Try again later. If it persists, ask the operator of the service, and look for a proxy in between."
        case .noLibrary: "Install libcurl with OpenSSL: apt install libcurl4, on Debian 13 libcurl4t64."
        case .cancelled, .closed: "Try again."
        }
    }
}

extension TLSTrouble {
    fileprivate var remedy: String {
        switch self {
        case .expired:
            "Compare the clock of this box with the real time. If it is right, the service's operator has to renew the "
                + "certificate."
        case .notYetValid:
            "The clock of this box is probably behind: set it, or let systemd-timesyncd do so (timedatectl)."
        case .revoked: "Ask the operator of the service."
        case .wrongHost:
            "Compare the host of [backend] origin with what the service's operator has named. A captive portal, or a "
                + "proxy that decrypts, also has this effect."
        case .unknownIssuer:
            "Install the package ca-certificates, or name the issuer's certificate in [backend] "
                + "certificate-authorities. A captive portal, or a proxy that decrypts, also has this effect."
        case .unusableAuthorities:
            "Check that [backend] certificate-authorities names a PEM file that the daemon's user can read."
        case .clientCertificate:
            "The service asks for a client certificate, and passd has none. Compare [backend] origin with what the "
                + "service's operator has named, and look for a proxy in between."
        case .noHandshake:
            "Check whether [backend] origin has the port of HTTPS, and look for a proxy in between. A service that "
                + "asks for a certificate also closes the connection: passd has none."
        case .other:
            "Check whether something between box and service changes the connection, and whether [backend] origin has the "
                + "port of HTTPS."
        }
    }
}
