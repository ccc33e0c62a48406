// The table of passd's flags. The parser, --help and passd(8) are generated from it. operations.md §1.

import PassConfiguration
import PassJSON

struct Flag: Sendable {
    let name: String
    /// The placeholder of the value; nil for a flag without one.
    let placeholder: String?
    let summary: String
    /// Further text for the manual.
    var details = ""
    /// The setting that the flag overrides.
    var setting: Setting.Name?
    /// Whether the value is a path. A relative one is resolved at the start, since a reload may have another working
    /// directory.
    var isPath = false

    var usage: String { placeholder.map { "\(name) \($0)" } ?? name }

    static let config = Flag(
        name: "--config", placeholder: "FILE",
        summary: "read only FILE, FILE.d/*.conf, and apps.d in the same directory")
    static let instance = Flag(
        name: "--instance", placeholder: "NAME", summary: "be the instance NAME of this host, a device of its own",
        details: """
            The name is part of the device's identifier. Configuration, store and sockets are in /etc/passd@NAME, \
            /var/lib/passd@NAME and /run/passd@NAME, unless other flags or the configuration name others. The group of \
            the operators is passd-NAME. See INSTANCES.
            """)
    static let allowSameUser = Flag(
        name: "--allow-same-user", placeholder: nil,
        summary: "for development: let processes of the daemon's own user do everything",
        details: "They may use every requestor and every method, whatever the stanzas say.")
    static let checkConfig = Flag(
        name: "--check-config", placeholder: nil, summary: "check the configuration, print its problems, and exit",
        details: """
            Each problem is printed as FILE:LINE: PROBLEM. The exit status is 0 if both a start and a reload would \
            accept the configuration and all of it can work, and 78 otherwise. A software statement that is missing, \
            damaged or expired, and a file or program that does not exist, cannot work. Warnings do not prevent that: \
            an unknown key or an ignored stanza has no effect, and the rest applies. If it is unclear which apps a file describes, a start accepts \
            the file but grants less, and a reload rejects it; the exit status is then 78.
            """)
    static let strict = Flag(
        name: "--strict", placeholder: nil, summary: "with --check-config: warnings count as errors")
    static let version = Flag(name: "--version", placeholder: nil, summary: "print the version and exit")
    static let help = Flag(name: "--help", placeholder: nil, summary: "print this help and exit")

    static let all: [Flag] = [
        config, instance,
        Flag(
            name: "--socket", placeholder: "PATH", summary: "listen on PATH, and on admin.sock beside it",
            setting: Setting.Name("daemon", "socket"), isPath: true),
        Flag(
            name: "--state-dir", placeholder: "DIR",
            summary: "keep logins in DIR; without --config, this also makes the local sandbox the default service",
            setting: Setting.Name("storage", "directory"), isPath: true),
        Flag(
            name: "--backend", placeholder: "URL", summary: "use the service at URL",
            details: "The scheme is https; plain http is allowed only to this machine.",
            setting: Setting.Name("backend", "origin")),
        Flag(
            name: "--protocol", placeholder: "v2|v1", summary: "use this protocol with the service",
            setting: Setting.Name("backend", "protocol")),
        allowSameUser,
        Flag(
            name: "--log-level", placeholder: "error|warning|notice|info|debug",
            summary: "log only records at least this urgent", setting: Setting.Name("daemon", "log-level")),
        checkConfig, strict, version, help,
    ]

    static var manual: String {
        let width = all.map(\.usage.count).max() ?? 0
        return """
            passd: the entitlement daemon

            usage: passd [FLAG…]

            \(all.map { "  \($0.usage.padded(to: width))  \($0.summary)" }.joined(separator: "\n"))

            Flags override the configuration. See passd(8), and passd.conf(5) for the configuration.

            """
    }
}
