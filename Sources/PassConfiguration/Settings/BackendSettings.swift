// The rows of the table of settings for the section [backend].

import PassBackend

extension SettingTable {
    static let backend: [Setting] = [
        Setting(
            "origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.origin,
            effect: .afterRestart),
        Setting(
            "protocol", type: .choice(["v2": .v2, "v1": .v1]), default: "v2", path: \.backend.version,
            effect: .afterRestart),
        Setting(
            "regcode-origin", type: ValueType.origin.text.orNone(), default: "none", path: \.backend.codeOrigin,
            effect: .afterRestart),
        Setting(
            "connect-timeout", type: .duration("100ms", "2min"), default: "5s", path: \.backend.http.connectTimeout,
            effect: .afterRestart),
        Setting(
            "request-timeout", type: .duration("100ms", "15s"), default: "15s", path: \.backend.http.requestTimeout,
            effect: .afterRestart),
        Setting(
            "requests-per-second", type: .decimal(0.01...100), default: "1",
            path: \.backend.budget.requestsPerSecond, effect: .afterRestart),
        Setting(
            "burst", type: .count(1...1000), default: "10", path: \.backend.budget.burst, effect: .afterRestart),
        Setting(
            "viewers-burst", type: .count(0...1000), default: "8", path: \.backend.budget.viewersBurst,
            effect: .afterRestart),
        Setting(
            "activation-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.site.activationURL,
            effect: .atOnce),
        Setting(
            "finish-url", type: ValueType.webPage.orNone(), default: "none", path: \.backend.site.finishURL,
            effect: .atOnce),
        Setting(
            "domain-name", type: ValueType.domainName.orNone(), default: "none", path: \.backend.site.domainName,
            effect: .atOnce),
        Setting(
            "redirect-url", type: ValueType.address.orNone(), default: "none", path: \.backend.site.redirectURL,
            effect: .atOnce),
        Setting(
            "service-providers", type: ValueType.origins, default: "none", path: \.backend.serviceProviders,
            effect: .afterRestart),
        Setting(
            "certificate-authorities", type: ValueType.absolutePath().orNone("system"), default: "system",
            path: \.backend.http.certificateAuthorities, effect: .afterRestart),
        Setting(
            "proxy", type: ValueType.proxy.orNone(), default: "none", path: \.backend.http.proxy, effect: .afterRestart),
    ]
}
