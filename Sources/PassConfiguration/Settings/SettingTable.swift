// The one table of settings. The parser, Config/passd.conf and passd.conf(5) are made from it. operations.md §2.

import AccessEnabler
import PassBackend
import PassSystem
import PassVault
import PassWire

package enum SettingTable {
    package struct Section: Sendable {
        package let name: String
        package let summary: String
        package let settings: [Setting]

        init(_ name: String, _ summary: String, _ settings: [Setting]) {
            self.name = name
            self.summary = summary
            self.settings = settings.map { $0.moved(to: name) }
        }
    }

    package static let sections: [Section] = [
        Section("daemon", "The daemon itself.", daemon),
        Section("backend", "The service that passd asks what a viewer may watch.", backend),
        Section("device", "What passd tells the service about this box.", device),
        Section("storage", "Where passd keeps logins.", storage),
        Section("limits", "What a client or a user may use.", limits),
        Section("sign-on", "Single sign-on, and how logins and logouts behave.", signOn),
    ]

    static let all: [Setting] = sections.flatMap(\.settings)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func find(_ name: Setting.Name) -> Setting? { byName[name] }

    private static let daemon: [Setting] = [
        Setting(
            "socket", type: .socketPath, default: "/run/passd/passd.sock", path: \.daemon.socket, effect: .afterRestart,
            summary:
                "The socket for apps. The operator's socket, admin.sock, is in the same directory. If systemd passes "
                + "the sockets to passd, this setting has no effect."),
        Setting(
            "log-level",
            type: .choice([
                "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
            ]), default: "notice", path: \.daemon.logLevel, effect: .atOnce,
            summary: "passd writes records of this priority and of higher priorities."),
        Setting(
            "web-gateway", type: .webGateway, default: "user:passd-web+unit:passd-web.service",
            path: \.daemon.webGateway, effect: .forNewSessions,
            summary:
                "The process that is the gateway for web apps. Only this process may tell passd which web app a "
                + "connection belongs to. See WEB APPS in the manual."),
    ]

    private static let device: [Setting] = [
        Setting(
            "identity", type: .deviceIdentity, default: "machine-id", path: \.device.identity, effect: .afterRestart,
            summary:
                "The source of the device's identifier: the machine ID, a file with one line, or both. A change ends "
                + "all logins."),
        Setting(
            "hardware-type", type: .words(hardwareTypes), default: "SetTopBox", path: \.device.facts.hardwareType,
            effect: .afterRestart, summary: "The kind of device."),
        Setting(
            "model", type: .text(limit: 128), default: "Linux", path: \.device.facts.model, effect: .afterRestart,
            summary: "The name of the model, for the service's reports."),
        Setting(
            "manufacturer", type: .text(limit: 128), default: "Unknown", path: \.device.facts.manufacturer,
            effect: .afterRestart,
            summary: "The manufacturer of the box."),
        Setting(
            "expose-identity", type: .flag, default: standard(\.deviceIDIsReadable), path: \.engine.deviceIDIsReadable,
            effect: .atOnce,
            summary:
                "Whether apps may learn the device's identifier. If on, apps get it as METADATA_DEVICE_ID. With "
                + "protocol v1, the address of the provider's logout page also contains the identifier. If off, "
                + "passd therefore does not give this page to apps that open logins in their own browser. After a "
                + "logout, the browser of such an app is still signed in at the provider."),
    ]

    private static let storage: [Setting] = [
        Setting(
            "directory", type: .absolutePath(), default: "/var/lib/passd", path: \.storage.directory,
            effect: .afterRestart,
            summary: "The directory of the store. Only the daemon's user may read it."),
        Setting(
            "sealing", type: .choice(["credential": .credential, "none": .none]), default: "credential",
            path: \.storage.sealing, effect: .afterRestart,
            summary:
                "How passd encrypts the secrets in the store. credential: passd uses the key in the systemd "
                + "credential passd.sealing-key, or a key file if this credential does not exist. none: passd does "
                + "not encrypt the secrets."),
        Setting(
            "integrity-check", type: .choice(["none": .none, "all": .all, "clear": .clear]), default: "none",
            path: \.storage.integrityCheck, effect: .afterRestart,
            summary:
                "What passd does with stored logins when it starts. none: passd keeps them. all: passd deletes them "
                + "if the store is damaged. clear: passd always deletes them."),
        Setting(
            "import-from", type: ValueType.absolutePath().orNone(), default: "none", path: \.storage.importFrom,
            effect: .afterRestart,
            summary:
                "The directory with the logins of the AccessEnabler 1.6, the older library for apps. passd imports "
                + "each login once, and does not delete the files."),
    ]

    private static let limits: [Setting] = [
        Setting(
            "message-size", type: .size("4KiB", "64MiB"), default: "1MiB", path: \.limits.connection.messageSize,
            effect: .forNewSessions, summary: "The max size of a message from a client."),
        Setting(
            "sessions-per-user", type: .count(1...4096), default: "64", path: \.limits.sessionsPerUser,
            effect: .forNewSessions, summary: "How many connections one user may have at once."),
        Setting(
            "pending-calls-per-session", type: .count(1...1024), default: "64", path: \.limits.connection.pendingCalls,
            effect: .forNewSessions, summary: "How many unanswered calls one connection may have."),
    ]

    /// The engine's own default for this flag, as a word of the file.
    private static func standard(_ flag: KeyPath<EngineSettings, Bool>) -> String {
        EngineSettings()[keyPath: flag] ? "on" : "off"
    }

    private static let signOn: [Setting] = [
        Setting(
            "platform-identity", type: .platformIdentity, default: "device-key", path: \.signOn.platformIdentity,
            effect: .afterRestart,
            summary:
                "What proves the device's identity to the service: nothing, the device's own key, or a program that "
                + "prints a token."
        ),
        Setting(
            "service-token", type: .serviceToken, default: "none", path: \.signOn.serviceToken, effect: .afterRestart,
            summary:
                "The source of the token of an external sign-on service: a file, or a program that prints the token."),
        Setting(
            "partner", type: .partner, default: "none", path: \.signOn.partner, effect: .afterRestart,
            summary: "The program that connects passd to the box's own TV account. See docs/platform-helper.md."),
        Setting(
            "partner-name", type: ValueType.serviceWord.orNone(), default: "none", path: \.signOn.partnerName,
            effect: .afterRestart,
            summary: "The service's name for the company that runs the TV account. Required if partner is set."),
        Setting(
            "partner-device-type", type: ValueType.serviceWord.orNone(), default: "none",
            path: \.signOn.partnerDeviceType, effect: .afterRestart,
            summary:
                "The name that the service uses for this kind of box. The company that runs the TV account may have "
                + "several kinds of boxes. Ask the service's operator for this name. Required if partner is set."),
        Setting(
            "passive-authentication", type: .flag, default: standard(\.isPassive), path: \.engine.isPassive,
            effect: .atOnce,
            summary: "Whether passd tries the login of another app before it asks the viewer to log in."),
        Setting(
            "remember-provider", type: .flag, default: standard(\.remembersProvider), path: \.engine.remembersProvider,
            effect: .atOnce,
            summary:
                "Whether an app's next login starts with the provider of the app's last login, instead of the list of "
                + "providers."),
        Setting(
            "select-starts-login", type: .flag, default: standard(\.selectStartsLogin),
            path: \.engine.selectStartsLogin, effect: .atOnce,
            summary: "Whether the choice of a provider starts a login at once, before the app asks for a login."),
        Setting(
            "cancel-signs-out", type: .flag, default: standard(\.cancelSignsOut), path: \.engine.cancelSignsOut,
            effect: .atOnce,
            summary:
                "Whether an app counts as logged out after its viewer cancels the list of providers. The stored login stays."
        ),
        Setting(
            "logout-scope", type: .choice(["device": .device, "requestor": .requestor]),
            default: EngineSettings().logoutScope.rawValue, path: \.engine.logoutScope, effect: .atOnce,
            summary:
                "Which logins end when the viewer logs out in an app. device: all logins on the box. requestor: only "
                + "the logins of the app's requestor."),
        Setting(
            "resync", type: .flag, default: standard(\.resyncs), path: \.engine.resyncs, effect: .atOnce,
            summary:
                "Whether passd asks the service, at each setRequestor, who is logged in. If the store has a login, passd "
                + "answers the app first and asks the service afterwards, at most once a minute for each login."),
        Setting(
            "permit-omitted", type: .flag, default: standard(\.permitsOmitted), path: \.engine.permitsOmitted,
            effect: .atOnce,
            summary:
                "Whether checkPreauthorizedResources also lists the resources that the service left out of its "
                + "answer. Some services leave out resources that need no login."),
        Setting(
            "secure-browser", type: .identifiers, default: "none", path: \.signOn.secureBrowserProviders,
            effect: .atOnce,
            summary:
                "IDs of providers whose login page must open in a browser, not inside the app. An app that has set "
                + "the option handleSVC learns this from useSVC = true in the callback navigateToUrl. See passd(7)."),
    ]

    private static let hardwareTypes = [
        "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
        "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem", "SetTopBox",
        "TV", "Tablet", "WirelessHotspot", "Wristwatch", "VehicleMultimediaSystem", "Projector", "Unknown",
    ]
}
