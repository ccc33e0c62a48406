// The rows of the table of settings for the section [backend].

extension SettingTable {
    static let backend: [Setting] = [
        Setting(
            "origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.origin, in: "backend",
            effect: .afterRestart,
            summary:
                "Address of the service. With none, passd tells apps that no service is configured. After a change, "
                + "the logins, open codes and unreported logouts of the previous service stay in the store for that "
                + "service."),
        Setting(
            "protocol", type: .choice(["v2": .v2, "v1": .v1]), default: "v2", path: \.backend.version, in: "backend",
            effect: .afterRestart,
            summary: "The protocol of the service. Logins made with one do not count with the other."),
        Setting(
            "regcode-origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.codeOrigin,
            in: "backend",
            effect: .afterRestart, summary: "Address of the service's registration codes, if not origin; only with v1."),
        Setting(
            "connect-timeout", type: .duration("100ms", "2min"), default: "5s", path: \.backend.connectTimeout,
            in: "backend",
            effect: .afterRestart, summary: "How long the service may take to accept a connection."),
        Setting(
            "request-timeout", type: .duration("100ms", "15s"), default: "15s", path: \.backend.requestTimeout,
            in: "backend",
            effect: .afterRestart,
            summary:
                "How long the service may take to answer one request. An app's call takes at most 15 s; a shorter "
                + "timeout leaves time for a retry."),
        Setting(
            "requests-per-second", type: .decimal(0.01...100), default: "1", path: \.backend.requestsPerSecond,
            in: "backend",
            effect: .afterRestart, summary: "How many requests per second this box may send on average."),
        Setting(
            "burst", type: .count(1...1000), default: "10", path: \.backend.burst, in: "backend", effect: .afterRestart,
            summary:
                "How many requests this box may send without waiting. The burst refills at the rate of "
                + "requests-per-second, unless the service shows that its own limit does not refill."),
        Setting(
            "viewers-burst", type: .count(0...1000), default: "8", path: \.backend.viewersBurst, in: "backend",
            effect: .afterRestart,
            summary:
                "How many requests of the burst are reserved for waiting viewers: for a play, a code or a logout, and "
                + "the setup of an app for one of these. An app that starts alone may use them, too. Everything else "
                + "has at least one request of the burst, and half of the reserve while the box knows no app."),
        Setting(
            "activation-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.activationURL,
            in: "backend",
            effect: .atOnce,
            summary:
                "The programmer's page where viewers type the code of a login, such as https://tv.example/activate. "
                + "With none, a V1 service may name one; on V2, viewers can only scan a QR code, which needs "
                + "finish-url."
        ),
        Setting(
            "finish-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.finishURL,
            in: "backend",
            effect: .atOnce,
            summary:
                "The page that a viewer's phone shows at the end of a login, such as https://tv.example/done with the "
                + "words \"Go back to your TV\". QR codes need it: without it, the service gives no link to the "
                + "provider's login, and viewers must type a code at activation-url. Any phone must be able to open "
                + "it, and the programmer must register its address with the service. With none, redirect-url is used "
                + "if it is https and not on this machine."
        ),
        Setting(
            "domain-name", type: ValueType.domainName.orNone(), default: "none", path: \.backend.domainName,
            in: "backend",
            effect: .atOnce,
            summary:
                "The domain that is sent with each login. With none, passd sends the domain that the service has "
                + "registered for the requestor, if there is one."),
        Setting(
            "redirect-url", type: ValueType.address.orNone(), default: "none", path: \.backend.redirectURL,
            in: "backend",
            effect: .atOnce,
            summary:
                "The address to which the service sends a browser on the box after a login or logout, such as "
                + "lumentv://back. The app waits for this address and closes the browser, so no page has to exist "
                + "there. The programmer must register the address with the service. With none, adobepass://ios.app "
                + "is sent. If finish-url is none, apps also register with this address, which some services require."
        ),
        Setting(
            "service-providers", type: ValueType.origins, default: "none", path: \.backend.serviceProviders,
            in: "backend",
            effect: .afterRestart,
            summary: "Addresses of further services that apps may choose in setRequestor instead of origin."),
        Setting(
            "certificate-authorities", type: ValueType.absolutePath().orNone("system"), default: "system",
            path: \.backend.certificateAuthorities, in: "backend", effect: .afterRestart,
            summary: "A PEM file with the certificate authorities to trust instead of the system's."),
        Setting(
            "proxy", type: ValueType.proxy.orNone(), default: "none", path: \.backend.proxy, in: "backend",
            effect: .afterRestart,
            summary: "The proxy for requests to the service. Environment variables are ignored."),
    ]
}
