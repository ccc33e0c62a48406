// The one table of settings. The parser, Config/passd.conf, passd.conf(5) and `config show` are made of it.
// operations.md §2.

package enum SettingTable {
    struct Section: Sendable {
        let name: String
        let summary: String
        let settings: [Setting]
    }

    static let sections: [Section] = [
        Section(name: "daemon", summary: "The daemon itself.", settings: daemon),
        Section(name: "backend", summary: "The service that passd asks about subscriptions.", settings: backend),
        Section(name: "device", summary: "What this box tells the service about itself.", settings: device),
        Section(name: "storage", summary: "Where logins are stored.", settings: storage),
        Section(name: "limits", summary: "Limits on what clients may use.", settings: limits),
        Section(name: "sign-on", summary: "Single sign-on, login and logout.", settings: signOn),
    ]

    static let all: [Setting] = sections.flatMap(\.settings)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func find(_ name: Setting.Name) -> Setting? { byName[name] }

    private static let daemon: [Setting] = [
        Setting(
            "socket", type: .socketPath, default: "/run/passd/passd.sock", path: \.daemon.socket, in: "daemon",
            effect: .afterRestart,
            summary:
                "The socket that apps connect to, unless systemd passes the sockets. The admin socket, admin.sock, is "
                + "in the same directory."),
        Setting(
            "log-level",
            type: .choice([
                "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
            ]), default: "notice", path: \.daemon.logLevel, in: "daemon", effect: .atOnce,
            summary: "The least urgent level that is logged."),
    ]

    private static let device: [Setting] = [
        Setting(
            "identity", type: .deviceIdentity, default: "machine-id", path: \.device.identity, in: "device",
            effect: .afterRestart,
            summary:
                "What the device ID is derived from: the machine ID, or one line in a file. A change ends all logins."),
        Setting(
            "hardware-type", type: .words(hardwareTypes), default: "SetTopBox", path: \.device.hardwareType,
            in: "device",
            effect: .afterRestart, summary: "The kind of device."),
        Setting(
            "model", type: .text(most: 128), default: "Linux", path: \.device.model, in: "device",
            effect: .afterRestart,
            summary: "The model name that appears in the service's reports."),
        Setting(
            "manufacturer", type: .text(most: 128), default: "Unknown", path: \.device.manufacturer, in: "device",
            effect: .afterRestart,
            summary: "The manufacturer of the device."),
        Setting(
            "expose-identity", type: .flag, default: "off", path: \.device.isReadable, in: "device", effect: .atOnce,
            summary: "Whether apps may read the device ID, as METADATA_DEVICE_ID."),
    ]

    private static let storage: [Setting] = [
        Setting(
            "directory", type: .absolutePath(), default: "/var/lib/passd", path: \.storage.directory, in: "storage",
            effect: .afterRestart,
            summary: "The directory of the store. Only the daemon's user may have access to it."),
        Setting(
            "sealing", type: .choice(["credential": .credential, "none": .none]), default: "credential",
            path: \.storage.sealing,
            in: "storage", effect: .afterRestart,
            summary:
                "What secrets are encrypted with: the systemd credential passd.sealing-key (without it, a key file), "
                + "or nothing."),
        Setting(
            "integrity-check", type: .choice(["none": .none, "all": .all, "clear": .clear]), default: "none",
            path: \.storage.integrityCheck, in: "storage", effect: .afterRestart,
            summary:
                "What happens to stored logins at startup: none keeps them, all deletes them if the store fails a "
                + "check, clear always deletes them."),
        Setting(
            "import-from", type: ValueType.absolutePath().orNone(), default: "none", path: \.storage.importFrom,
            in: "storage",
            effect: .afterRestart,
            summary:
                "The directory where version 1.6 stored logins. Each is imported once; the files stay as they are."),
    ]

    private static let limits: [Setting] = [
        Setting(
            "message-size", type: .size("4KiB", "64MiB"), default: "1MiB", path: \.limits.messageSize, in: "limits",
            effect: .forNewSessions, summary: "The longest message that a client may send."),
        Setting(
            "sessions-per-user", type: .count(1...4096), default: "64", path: \.limits.sessionsPerUser, in: "limits",
            effect: .forNewSessions, summary: "How many connections one user may have open."),
        Setting(
            "pending-calls-per-session", type: .count(1...1024), default: "64", path: \.limits.pendingCallsPerSession,
            in: "limits",
            effect: .forNewSessions, summary: "How many unanswered calls one connection may have."),
    ]

    private static let signOn: [Setting] = [
        Setting(
            "platform-identity", type: .platformIdentity, default: "device-key", path: \.signOn.platformIdentity,
            in: "sign-on",
            effect: .afterRestart,
            summary:
                "How this device identifies itself for sign-on: not at all, with its own key, or with a token that a "
                + "program prints."),
        Setting(
            "service-token", type: .serviceToken, default: "none", path: \.signOn.serviceToken, in: "sign-on",
            effect: .afterRestart,
            summary: "The source of the token of an external sign-on service: a file, or a program that prints it."),
        Setting(
            "partner", type: .partner, default: "none", path: \.signOn.partner, in: "sign-on", effect: .afterRestart,
            summary: "The program that signs apps in with the box's own TV account; see docs/platform-helper.md."),
        Setting(
            "partner-name", type: ValueType.serviceWord.orNone(), default: "none", path: \.signOn.partnerName,
            in: "sign-on",
            effect: .afterRestart,
            summary: "The name under which the service knows the operator of the TV account; required with partner."),
        Setting(
            "partner-device-type", type: ValueType.serviceWord.orNone(), default: "none",
            path: \.signOn.partnerDeviceType,
            in: "sign-on", effect: .afterRestart,
            summary: "The name under which the service knows the partner's devices; required with partner."),
        Setting(
            "passive-authentication", type: .flag, default: "on", path: \.signOn.isPassive, in: "sign-on",
            effect: .atOnce,
            summary: "Whether another app's login is tried before the viewer is asked to log in."),
        Setting(
            "remember-provider", type: .flag, default: "on", path: \.signOn.remembersProvider, in: "sign-on",
            effect: .atOnce,
            summary: "Whether the provider chosen in one app is offered to the next one."),
        Setting(
            "select-starts-login", type: .flag, default: "off", path: \.signOn.selectStartsLogin, in: "sign-on",
            effect: .atOnce,
            summary: "Whether choosing a provider starts a login at once, without waiting for the app to ask for one."),
        Setting(
            "cancel-signs-out", type: .flag, default: "on", path: \.signOn.cancelSignsOut, in: "sign-on",
            effect: .atOnce,
            summary: "Whether an app counts as signed out after the viewer backed out of its list of providers."),
        Setting(
            "logout-scope", type: .choice(["device": .device, "requestor": .requestor]), default: "device",
            path: \.signOn.logoutScope, in: "sign-on", effect: .atOnce,
            summary: "What a logout in one app ends: all logins on the box, or only those of that app's requestor."),
        Setting(
            "resync", type: .flag, default: "on", path: \.signOn.resyncs, in: "sign-on", effect: .atOnce,
            summary: "Whether every setRequestor asks the service who is logged in."),
        Setting(
            "secure-browser", type: .identifiers, default: "none", path: \.signOn.secureBrowserProviders, in: "sign-on",
            effect: .atOnce,
            summary: "Providers whose login pages need a secure browser, for apps that can open one."),
    ]

    private static let hardwareTypes = [
        "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
        "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem", "SetTopBox",
        "TV", "Tablet", "WirelessHotspot", "Wristwatch", "VehicleMultimediaSystem", "Projector", "Unknown",
    ]
}
