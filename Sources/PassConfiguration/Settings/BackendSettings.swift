// The rows of the table of settings for the section [backend].

import PassBackend

extension SettingTable {
    static let backend: [Setting] = [
        Setting(
            "origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.origin,
            effect: .afterRestart,
            summary:
                "The service's address. With none, passd tells apps that no service is configured. After a change, "
                + "passd keeps the logins, open codes and unreported logouts of the previous service in the store, "
                + "and uses them again if you restore the previous address."),
        Setting(
            "protocol", type: .choice(["v2": .v2, "v1": .v1]), default: "v2", path: \.backend.version,
            effect: .afterRestart,
            summary:
                "The protocol between passd and the service. A login that was made with one protocol does not count "
                + "with the other protocol."),
        Setting(
            "regcode-origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.codeOrigin,
            effect: .afterRestart,
            summary:
                "The address where the service issues registration codes, if this address differs from origin. passd "
                + "uses it only with protocol v1."),
        Setting(
            "connect-timeout", type: .duration("100ms", "2min"), default: "5s", path: \.backend.http.connectTimeout,
            effect: .afterRestart, summary: "How long the service may take to accept a connection."),
        Setting(
            "request-timeout", type: .duration("100ms", "15s"), default: "15s", path: \.backend.http.requestTimeout,
            effect: .afterRestart,
            summary:
                "How long the service may take to answer one request. An app's call takes at most 15 s, so a shorter "
                + "timeout leaves time for a retry."),
        Setting(
            "requests-per-second", type: .decimal(0.01...100), default: "1",
            path: \.backend.budget.requestsPerSecond, effect: .afterRestart,
            summary: "How many requests per second this box may send on average."),
        Setting(
            "burst", type: .count(1...1000), default: "10", path: \.backend.budget.burst, effect: .afterRestart,
            summary:
                "How many requests this box may send at once, without waiting. A used burst refills at the rate of "
                + "requests-per-second. If the service answers a burst with status 429 (too many requests), passd "
                + "sends no bursts for a day."),
        Setting(
            "viewers-burst", type: .count(0...1000), default: "8", path: \.backend.budget.viewersBurst,
            effect: .afterRestart,
            summary:
                "How many requests of the burst are reserved for viewers who wait for a play, a code or a logout. "
                + "An app that starts alone may also use this reserve, but apps that start at about the same time "
                + "may not. At least one request of the burst always remains for other work. If passd starts before "
                + "any app is registered with the service, the reserve is at first half as large."),
        Setting(
            "activation-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.site.activationURL,
            effect: .atOnce,
            summary:
                "The page where viewers type the code of a login, such as https://tv.example/activate. The "
                + "programmer (the company that owns the channels) provides this page. With none and protocol v2, "
                + "viewers cannot type the code, so they must scan a QR code. This QR code needs the page of "
                + "finish-url. With none and protocol v1, the service itself may name a page."),
        Setting(
            "finish-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.site.finishURL,
            effect: .atOnce,
            summary:
                "The page that a viewer's phone shows at the end of a login, such as https://tv.example/done. You "
                + "provide this page, with the words \"Go back to your TV\". Any phone must be able to open the "
                + "page, and the programmer must register its address with the service. With none, passd uses "
                + "redirect-url if that address begins with https:// and its host is not this machine. Without such "
                + "an address, the service gives no link to the provider's login. Viewers must then use the page of "
                + "activation-url: they scan a QR code that leads to this page, or they type the code on this page."),
        Setting(
            "domain-name", type: ValueType.domainName.orNone(), default: "none", path: \.backend.site.domainName,
            effect: .atOnce,
            summary:
                "The domain that passd sends with each login. With none, passd sends the domain that the service has "
                + "registered for the requestor, if there is one."),
        Setting(
            "redirect-url", type: ValueType.address.orNone(), default: "none", path: \.backend.site.redirectURL,
            effect: .atOnce,
            summary:
                "The address to which the service sends a browser on the box after a login or logout, such as "
                + "lumentv://back. The app closes the browser at this address, so no page has to exist at this "
                + "address. The programmer must register the address with the service. With none, passd sends "
                + "adobepass://ios.app. When passd registers an app with the service, it sends finish-url, or "
                + "redirect-url if finish-url is none, because some services require an address."),
        Setting(
            "service-providers", type: ValueType.origins, default: "none", path: \.backend.serviceProviders,
            effect: .afterRestart,
            summary:
                "Addresses of further services. In setRequestor, an app may choose one of these instead of origin."),
        Setting(
            "certificate-authorities", type: ValueType.absolutePath().orNone("system"), default: "system",
            path: \.backend.http.certificateAuthorities, effect: .afterRestart,
            summary:
                "A PEM file with the certificates of authorities. passd trusts these authorities instead of the "
                + "authorities that the system trusts."),
        Setting(
            "proxy", type: ValueType.proxy.orNone(), default: "none", path: \.backend.http.proxy, effect: .afterRestart,
            summary: "The proxy for requests to the service. passd ignores the environment variables for proxies."),
    ]
}
