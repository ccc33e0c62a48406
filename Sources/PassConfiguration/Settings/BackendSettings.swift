// The rows of the table of settings for the section [backend].

extension SettingTable {
    static let backend: [Setting] = [
        Setting(
            "origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.origin, in: "backend",
            effect: .afterRestart,
            summary:
                "Address of the service. With none, passd contacts no service and tells apps that none is configured. "
                + "After a change, the logins, open codes and unreported logouts of the previous service stay in the "
                + "store, and are used only with that service."),
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
                "How long the service may take to answer one request. An app's call is answered within 15 s in all; a "
                + "shorter timeout leaves time for a retry."),
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
                "How many requests of the burst are reserved for what a viewer waits for: a play, a code, a logout, or the "
                + "setup of an app for one of these. An app may also use them to start if no other app starts at the same "
                + "time. At least one request remains for everything else. On a box that does not know any app yet, half "
                + "of the reserve does."),
        Setting(
            "activation-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.activationURL,
            in: "backend",
            effect: .atOnce,
            summary:
                "The page where viewers type the code of a login, if the programmer has one, such as https://tv.example/activate. "
                + "With none, a service on REST V1 may name one. On REST V2 viewers can then only scan a QR code, which needs "
                + "finish-url."
        ),
        Setting(
            "finish-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.finishURL,
            in: "backend",
            effect: .atOnce,
            summary:
                "The page that a viewer's phone shows at the end of a login, such as https://tv.example/done with the words \"Go back to "
                + "your TV\". Set it so that viewers can scan a QR code that leads straight to their provider's login: without such a "
                + "page the service gives no link to the provider, and viewers have to type a code at activation-url. Any phone must be "
                + "able to open it, and the programmer must have registered its address with the service. With none, redirect-url "
                + "serves as this page if it is https and not on this machine."
        ),
        Setting(
            "domain-name", type: ValueType.domainName.orNone(), default: "none", path: \.backend.domainName,
            in: "backend",
            effect: .atOnce,
            summary:
                "The domain that is sent with each login. With none, one that the service has registered for the requestor "
                + "is sent, or none."),
        Setting(
            "redirect-url", type: ValueType.address.orNone(), default: "none", path: \.backend.redirectURL,
            in: "backend",
            effect: .atOnce,
            summary:
                "The address to which the service sends the browser after a login or logout, such as lumentv://back. It is for apps "
                + "that open a browser on the box itself; viewers with a phone need finish-url. The app waits for this address and "
                + "closes the browser, so no page has to exist there. The programmer must register the address with the service. "
                + "With none, adobepass://ios.app is sent. If finish-url is none, apps also register with this address, which some "
                + "services require."
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
