// The settings of the service.

extension SettingTable {
    static let backend: [Setting] = [
        Setting(
            "origin", ValueType.origin.text.orNone(), default: "none", \.backend.origin, in: "backend",
            .afterRestart,
            "Where the service is. With none the daemon asks nobody, and apps hear that none is chosen. Logins, codes and "
                + "logouts of a former service stay in the store, and nobody else hears of them."),
        Setting(
            "protocol", .choice(["v2": .v2, "v1": .v1]), default: "v2", \.backend.version, in: "backend", .afterRestart,
            "Which protocol is spoken with it. Logins of the one are not logins of the other."),
        Setting(
            "regcode-origin", ValueType.origin.text.orNone(), default: "none", \.backend.codeOrigin, in: "backend",
            .afterRestart, "Where registration codes come from, if not from origin; in v1 alone."),
        Setting(
            "connect-timeout", .duration("100ms", "2min"), default: "5s", \.backend.connectTimeout, in: "backend",
            .afterRestart, "How long the service may take to accept a connection."),
        Setting(
            "request-timeout", .duration("100ms", "10min"), default: "15s", \.backend.requestTimeout, in: "backend",
            .afterRestart, "How long it may take to answer."),
        Setting(
            "requests-per-second", .decimal(0.01...100), default: "1", \.backend.requestsPerSecond, in: "backend",
            .afterRestart, "How often this box may ask in the long run."),
        Setting(
            "burst", .count(1...1000), default: "10", \.backend.burst, in: "backend", .afterRestart,
            "How many requests the service takes at one moment."),
        Setting(
            "activation-url", ValueType.webPage.orNone(), default: "none", \.backend.activationURL, in: "backend",
            .afterRestart, "The page where viewers type the code, if not the service's own."),
        Setting(
            "domain-name", ValueType.domainName.orNone(), default: "none", \.backend.domainName, in: "backend",
            .afterRestart, "The domain that logins are made for, if the software statement does not say."),
        Setting(
            "redirect-url", ValueType.address.orNone(), default: "none", \.backend.redirectURL, in: "backend",
            .afterRestart, "Where the browser goes after a login or logout on this box."),
        Setting(
            "service-providers", ValueType.origins, default: "none", \.backend.serviceProviders, in: "backend",
            .afterRestart, "Other services that apps may name in setRequestor, besides the one of this box."),
        Setting(
            "certificate-authorities", ValueType.absolutePath().orNone("system"), default: "system",
            \.backend.certificateAuthorities, in: "backend", .afterRestart,
            "A PEM file of the authorities to trust instead of the system's."),
        Setting(
            "proxy", ValueType.proxy.orNone(), default: "none", \.backend.proxy, in: "backend", .afterRestart,
            "The proxy on the way to the service. Variables of the environment do not count."),
    ]
}
