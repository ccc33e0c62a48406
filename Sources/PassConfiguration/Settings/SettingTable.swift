// The one table of settings. The parser, Config/passd.conf and passd.conf(5) are made of it.
// operations.md §2.

import AccessEnabler
import PassSystem
import PassVault

package enum SettingTable {
    struct Section: Sendable {
        let name: String
        let summary: String
        let settings: [Setting]
    }

    static let sections: [Section] = [
        Section(name: "daemon", summary: "The daemon itself.", settings: daemon),
        Section(name: "backend", summary: "The service that knows the subscriptions.", settings: backend),
        Section(name: "device", summary: "What the service is told about this box.", settings: device),
        Section(name: "storage", summary: "Where logins are kept.", settings: storage),
        Section(name: "limits", summary: "What one client may use.", settings: limits),
        Section(name: "sign-on", summary: "Single sign-on, and how logins and logouts behave.", settings: signOn),
    ]

    static let all: [Setting] = sections.flatMap(\.settings)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func find(_ name: Setting.Name) -> Setting? { byName[name] }

    private static let daemon: [Setting] = [
        Setting(
            "socket", type: .socketPath, default: "/run/passd/passd.sock", path: \.daemon.socket, in: "daemon",
            effect: .afterRestart,
            summary: "The socket for apps, unless systemd passes the sockets; admin.sock is in the same directory."),
        Setting(
            "log-level",
            type: .choice([
                "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
            ]), default: "notice", path: \.daemon.logLevel, in: "daemon", effect: .atOnce,
            summary: "The lowest priority of records to keep."),
        Setting(
            "web-gateway", type: .webGateway, default: "user:passd-web+unit:passd-web.service",
            path: \.daemon.webGateway, in: "daemon", effect: .forNewSessions,
            summary:
                "The process that is trusted to name its web app; see WEB APPS in passd.conf(5)."),
    ]

    private static let device: [Setting] = [
        Setting(
            "identity", type: .deviceIdentity, default: "machine-id", path: \.device.identity, in: "device",
            effect: .afterRestart,
            summary:
                "The source of the device's identifier: the machine ID, one line of a file, or both. A change ends "
                + "all logins."
        ),
        Setting(
            "hardware-type", type: .words(hardwareTypes), default: "SetTopBox", path: \.device.hardwareType,
            in: "device",
            effect: .afterRestart, summary: "The kind of device."),
        Setting(
            "model", type: .text(limit: 128), default: "Linux", path: \.device.model, in: "device",
            effect: .afterRestart,
            summary: "The model, as it should appear in the service's reports."),
        Setting(
            "manufacturer", type: .text(limit: 128), default: "Unknown", path: \.device.manufacturer, in: "device",
            effect: .afterRestart,
            summary: "The manufacturer of the box."),
        Setting(
            "expose-identity", type: .flag, default: standard(\.deviceIDIsReadable), path: \.engine.deviceIDIsReadable,
            in: "device", effect: .atOnce,
            summary: """
                Whether apps may learn the device's identifier. METADATA_DEVICE_ID is this identifier, and on v1 the \
                provider's logout page has it in its address. If off, an app that opens logins in its own browser gets \
                no logout page on v1, and the viewer stays signed in at the provider there.
                """),
    ]

    private static let storage: [Setting] = [
        Setting(
            "directory", type: .absolutePath(), default: "/var/lib/passd", path: \.storage.directory, in: "storage",
            effect: .afterRestart,
            summary: "Where the store is; only the daemon's user may read it."),
        Setting(
            "sealing", type: .choice(["credential": .credential, "none": .none]), default: "credential",
            path: \.storage.sealing,
            in: "storage", effect: .afterRestart,
            summary:
                "What seals the secrets: the systemd credential passd.sealing-key (or a key file without it), or nothing."
        ),
        Setting(
            "integrity-check", type: .choice(["none": .none, "all": .all, "clear": .clear]), default: "none",
            path: \.storage.integrityCheck, in: "storage", effect: .afterRestart,
            summary:
                "What happens to stored logins at a start. none: they are kept. all: they are deleted if the store is "
                + "damaged. clear: they are deleted."
        ),
        Setting(
            "import-from", type: ValueType.absolutePath().orNone(), default: "none", path: \.storage.importFrom,
            in: "storage",
            effect: .afterRestart,
            summary:
                "The directory with the logins of the AccessEnabler 1.6. Each is imported once; the files stay."),
    ]

    private static let limits: [Setting] = [
        Setting(
            "message-size", type: .size("4KiB", "64MiB"), default: "1MiB", path: \.limits.messageSize, in: "limits",
            effect: .forNewSessions, summary: "The max size of a client's message."),
        Setting(
            "sessions-per-user", type: .count(1...4096), default: "64", path: \.limits.sessionsPerUser, in: "limits",
            effect: .forNewSessions, summary: "How many connections one user may have at once."),
        Setting(
            "pending-calls-per-session", type: .count(1...1024), default: "64", path: \.limits.pendingCallsPerSession,
            in: "limits",
            effect: .forNewSessions, summary: "How many unanswered calls one connection may have."),
    ]

    /// The engine's own default.
    private static func standard(_ flag: KeyPath<EngineSettings, Bool>) -> String {
        EngineSettings()[keyPath: flag] ? "on" : "off"
    }

    private static let signOn: [Setting] = [
        Setting(
            "platform-identity", type: .platformIdentity, default: "device-key", path: \.signOn.platformIdentity,
            in: "sign-on",
            effect: .afterRestart,
            summary:
                "What proves the device's identity to the service: nothing, the device's own key, or a program that "
                + "prints a token."
        ),
        Setting(
            "service-token", type: .serviceToken, default: "none", path: \.signOn.serviceToken, in: "sign-on",
            effect: .afterRestart,
            summary: "The source of the token of an external sign-on service: a file, or a program that prints it."),
        Setting(
            "partner", type: .partner, default: "none", path: \.signOn.partner, in: "sign-on", effect: .afterRestart,
            summary: "The program that answers for the box's own TV account, see docs/platform-helper.md."),
        Setting(
            "partner-name", type: ValueType.serviceWord.orNone(), default: "none", path: \.signOn.partnerName,
            in: "sign-on",
            effect: .afterRestart,
            summary: "The service's name for the company that runs the TV account; required with partner."),
        Setting(
            "partner-device-type", type: ValueType.serviceWord.orNone(), default: "none",
            path: \.signOn.partnerDeviceType,
            in: "sign-on", effect: .afterRestart,
            summary: "The service's name for that company's kind of device; required with partner."),
        Setting(
            "passive-authentication", type: .flag, default: standard(\.isPassive), path: \.engine.isPassive,
            in: "sign-on",
            effect: .atOnce,
            summary: "Whether the daemon tries another app's login before it asks the viewer to log in."),
        Setting(
            "remember-provider", type: .flag, default: standard(\.remembersProvider), path: \.engine.remembersProvider,
            in: "sign-on",
            effect: .atOnce,
            summary: "Whether the next login of an app starts with the provider of its last one, without the list."),
        Setting(
            "select-starts-login", type: .flag, default: standard(\.selectStartsLogin),
            path: \.engine.selectStartsLogin, in: "sign-on",
            effect: .atOnce,
            summary: "Whether choosing a provider starts a login at once, before the app asks for one."),
        Setting(
            "cancel-signs-out", type: .flag, default: standard(\.cancelSignsOut), path: \.engine.cancelSignsOut,
            in: "sign-on",
            effect: .atOnce,
            summary:
                "Whether an app counts as logged out after its viewer cancels the list of providers. The stored login stays."
        ),
        Setting(
            "logout-scope", type: .choice(["device": .device, "requestor": .requestor]),
            default: EngineSettings().logoutScope.rawValue, path: \.engine.logoutScope, in: "sign-on", effect: .atOnce,
            summary:
                "Which logins a logout in one app ends: those of the whole box, or only those of that app's requestor."),
        Setting(
            "resync", type: .flag, default: standard(\.resyncs), path: \.engine.resyncs, in: "sign-on", effect: .atOnce,
            summary:
                "Whether passd asks the service who is logged in when an app calls setRequestor. If a viewer is "
                + "logged in, it answers the app first, and asks at most once a minute for each login."),
        Setting(
            "permit-omitted", type: .flag, default: standard(\.permitsOmitted), path: \.engine.permitsOmitted,
            in: "sign-on",
            effect: .atOnce,
            summary: "Whether checkPreauthorizedResources also lists resources that the service's answer omits "
                + "because they need no login."),
        Setting(
            "secure-browser", type: .identifiers, default: "none", path: \.signOn.secureBrowserProviders, in: "sign-on",
            effect: .atOnce,
            summary:
                "IDs of providers whose login page the app must open in a browser, and not inside itself; passd tells "
                + "the app."
        ),
    ]

    private static let hardwareTypes = [
        "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
        "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem", "SetTopBox",
        "TV", "Tablet", "WirelessHotspot", "Wristwatch", "VehicleMultimediaSystem", "Projector", "Unknown",
    ]
}
