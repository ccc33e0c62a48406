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
        name: "--config", placeholder: "FILE", summary: "read FILE, FILE.d/*.conf and apps.d beside it, nothing else")
    static let allowSameUser = Flag(
        name: "--allow-same-user", placeholder: nil,
        summary: "for development: peers of the daemon's own user may do everything",
        details: "They may use every requestor and every method, whatever the stanzas say.")
    static let checkConfig = Flag(
        name: "--check-config", placeholder: nil, summary: "say what is wrong with the configuration, and end",
        details: """
            Every problem is printed as file:line: what. Ends with 0 if a start and a reload take the configuration, with \
            78 if not. They take it with warnings too: an unknown key or a stanza that is set aside has no effect, and \
            the rest is in force. Where nobody can tell which apps a file has, a start takes them and trusts less, a reload \
            does not, and it ends with 78.
            """)
    static let version = Flag(name: "--version", placeholder: nil, summary: "print the version, and end")
    static let help = Flag(name: "--help", placeholder: nil, summary: "print the flags, and end")

    static let all: [Flag] = [
        config,
        Flag(
            name: "--socket", placeholder: "PATH", summary: "bind PATH, and admin.sock beside it",
            setting: Setting.Name("daemon", "socket"), isPath: true),
        Flag(
            name: "--state-dir", placeholder: "DIR",
            summary: "keep logins in DIR; without a configuration, use the sandbox here",
            setting: Setting.Name("storage", "directory"), isPath: true),
        Flag(
            name: "--backend", placeholder: "URL", summary: "ask the service at URL",
            details: "It is https, or plain http to this machine.",
            setting: Setting.Name("backend", "origin")),
        Flag(
            name: "--protocol", placeholder: "v2|v1", summary: "speak this protocol with the service",
            setting: Setting.Name("backend", "protocol")),
        allowSameUser,
        Flag(
            name: "--log-level", placeholder: "error|warning|notice|info|debug",
            summary: "the least urgent record that is kept", setting: Setting.Name("daemon", "log-level")),
        checkConfig, version, help,
    ]

    static var manual: String {
        let width = all.map(\.usage.count).max() ?? 0
        return """
            passd: the entitlement daemon

            usage: passd [FLAG…]

            \(all.map { "  \($0.usage.padded(to: width))  \($0.summary)" }.joined(separator: "\n"))

            Flags stand over the configuration, which passd.conf(5) describes. passd(8) says more.

            """
    }
}
