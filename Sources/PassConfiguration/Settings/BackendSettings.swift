// The rows of the table of settings for the section [backend].

extension SettingTable {
    static let backend: [Setting] = [
        Setting(
            "origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.origin, in: "backend",
            effect: .afterRestart,
            summary:
                "Where the service is. With none the daemon asks nobody, and apps hear that none is chosen. Logins, codes and "
                + "logouts of a former service stay in the store, and nobody else hears of them."),
        Setting(
            "protocol", type: .choice(["v2": .v2, "v1": .v1]), default: "v2", path: \.backend.version, in: "backend",
            effect: .afterRestart,
            summary: "Which protocol is spoken with it. Logins of the one are not logins of the other."),
        Setting(
            "regcode-origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.codeOrigin,
            in: "backend",
            effect: .afterRestart, summary: "Where registration codes come from, if not from origin; in v1 alone."),
        Setting(
            "connect-timeout", type: .duration("100ms", "2min"), default: "5s", path: \.backend.connectTimeout,
            in: "backend",
            effect: .afterRestart, summary: "How long the service may take to accept a connection."),
        Setting(
            "request-timeout", type: .duration("100ms", "10min"), default: "15s", path: \.backend.requestTimeout,
            in: "backend",
            effect: .afterRestart, summary: "How long it may take to answer."),
        Setting(
            "requests-per-second", type: .decimal(0.01...100), default: "1", path: \.backend.requestsPerSecond,
            in: "backend",
            effect: .afterRestart, summary: "How often this box may ask in the long run."),
        Setting(
            "burst", type: .count(1...1000), default: "10", path: \.backend.burst, in: "backend", effect: .afterRestart,
            summary: "How many requests the service takes at one moment."),
        Setting(
            "activation-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.activationURL,
            in: "backend",
            effect: .afterRestart, summary: "The page where viewers type the code, if not the service's own."),
        Setting(
            "domain-name", type: ValueType.domainName.orNone(), default: "none", path: \.backend.domainName,
            in: "backend",
            effect: .afterRestart,
            summary: "The domain that logins are made for, if the software statement does not say."),
        Setting(
            "redirect-url", type: ValueType.address.orNone(), default: "none", path: \.backend.redirectURL,
            in: "backend",
            effect: .afterRestart, summary: "Where the browser goes after a login or logout on this box."),
        Setting(
            "service-providers", type: ValueType.origins, default: "none", path: \.backend.serviceProviders,
            in: "backend",
            effect: .afterRestart,
            summary: "Other services that apps may name in setRequestor, besides the one of this box."),
        Setting(
            "certificate-authorities", type: ValueType.absolutePath().orNone("system"), default: "system",
            path: \.backend.certificateAuthorities, in: "backend", effect: .afterRestart,
            summary: "A PEM file of the authorities to trust instead of the system's."),
        Setting(
            "proxy", type: ValueType.proxy.orNone(), default: "none", path: \.backend.proxy, in: "backend",
            effect: .afterRestart,
            summary: "The proxy on the way to the service. Variables of the environment do not count."),
    ]
}
