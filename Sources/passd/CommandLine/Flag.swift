// The flags of passd. The parser, --help, the completions and passd(8) are made from them. operations.md §1.

package import PassArguments
package import PassConfiguration
import PassProtocol

/// A flag that overrides a setting.
package struct Flag: Sendable {
    package let option: Option
    package let setting: Setting.Name
    /// Whether the value is a path. A relative path is resolved at the start, because the working directory may change before a
    /// reload.
    var isPath = false

    package static let all: [Flag] = [
        Flag(
            option: Option("--socket", "PATH", help: "listen on PATH, and on admin.sock in the same directory"),
            setting: Setting.Name("daemon", "socket"), isPath: true),
        Flag(
            option: Option(
                "--state-dir", "DIR", help: "keep logins in DIR",
                details: """
                    If --config and --backend are not given, and no configuration file sets origin, the service is a \
                    pass-sandbox on this machine.
                    """),
            setting: Setting.Name("storage", "directory"), isPath: true),
        Flag(
            option: Option(
                "--backend", "URL", help: "use the service at URL",
                details: "URL begins with https; http is allowed only for this machine."),
            setting: Setting.Name("backend", "origin")),
        Flag(
            option: Option("--protocol", "v2|v1", help: "use this protocol with the service"),
            setting: Setting.Name("backend", "protocol")),
        Flag(
            option: Option(
                "--log-level", "error|warning|notice|info|debug",
                help: "write only records that are at least this urgent"),
            setting: Setting.Name("daemon", "log-level")),
    ]
}

extension Option {
    static let config = Option(
        "--config", "FILE",
        help: "read the configuration only from FILE, FILE.d/*.conf, and apps.d in the same "
            + "directory")
    static let instance = Option(
        "--instance", "NAME", help: "run as the instance NAME",
        details: """
            Each instance of a host is a separate device; see INSTANCES. Other flags and the configuration can override \
            the paths of the instance.
            """)
    static let allowSameUser = Option(
        "--allow-same-user", help: "for development: let processes of the daemon's own user do everything",
        details: "These processes may use every requestor and every method, even if no stanza allows this.")
    static let checkConfig = Option(
        "--check-config", help: "check the configuration, print its problems, and exit",
        details: """
            Prints each problem as FILE:LINE: PROBLEM. The exit status is 78 if a start or a reload would reject the \
            configuration. The exit status is also 78 if passd cannot understand a part of a file in which a stanza may \
            begin, if a software statement is missing, damaged or expired, or if a file or program that a setting names \
            cannot be used. The exit status is 0 if there is no problem, or if there are only warnings, such as an \
            unknown key or an ignored stanza.
            """)
    static let strict = Option(
        "--strict", help: "with --check-config: treat warnings as errors", needs: "--check-config")
}

extension ProgramSyntax {
    package static let passd = ProgramSyntax(
        "passd", "the entitlement daemon", version: PassdVersion.text,
        options: [.config, .instance] + Flag.all.map(\.option) + [.allowSameUser, .checkConfig, .strict],
        note: "Flags override the configuration. See passd(8), and passd.conf(5) for the configuration.")
}
