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
        Section(name: "backend", summary: "The service that knows the subscriptions.", settings: backend),
        Section(name: "device", summary: "What the service is told about this box.", settings: device),
        Section(name: "storage", summary: "Where logins are kept.", settings: storage),
        Section(name: "limits", summary: "What one peer may cost.", settings: limits),
        Section(name: "sign-on", summary: "Logins that need no code.", settings: signOn),
    ]

    static let all: [Setting] = sections.flatMap(\.settings)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func find(_ name: Setting.Name) -> Setting? { byName[name] }

    private static let daemon: [Setting] = [
        Setting(
            "socket", .socketPath, default: "/run/passd/passd.sock", \.daemon.socket, in: "daemon", .afterRestart,
            "Where apps connect, unless systemd passes the sockets; admin.sock is bound beside it."),
        Setting(
            "log-level",
            .choice([
                "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
            ]), default: "notice", \.daemon.logLevel, in: "daemon", .atOnce, "The least urgent record that is kept."),
    ]

    private static let device: [Setting] = [
        Setting(
            "identity", .deviceIdentity, default: "machine-id", \.device.identity, in: "device", .afterRestart,
            "What the device is known by: derived from the machine id, or one line of a file. A change ends all logins."
        ),
        Setting(
            "hardware-type", .words(hardwareTypes), default: "SetTopBox", \.device.hardwareType, in: "device",
            .afterRestart, "The kind of device."),
        Setting(
            "model", .text(most: 128), default: "Linux", \.device.model, in: "device", .afterRestart,
            "The model, as the service's reports shall name it."),
        Setting(
            "manufacturer", .text(most: 128), default: "Unknown", \.device.manufacturer, in: "device", .afterRestart,
            "Who made it."),
        Setting(
            "expose-identity", .flag, default: "off", \.device.isReadable, in: "device", .atOnce,
            "Whether apps may read the device's identifier by METADATA_DEVICE_ID."),
    ]

    private static let storage: [Setting] = [
        Setting(
            "directory", .absolutePath(), default: "/var/lib/passd", \.storage.directory, in: "storage", .afterRestart,
            "Where the store is; only the daemon's user may look into it."),
        Setting(
            "sealing", .choice(["credential": .credential, "none": .none]), default: "credential", \.storage.sealing,
            in: "storage", .afterRestart,
            "What secrets are sealed with: the systemd credential passd.sealing-key (a key file without one), or nothing."
        ),
        Setting(
            "integrity-check", .choice(["none": .none, "all": .all, "clear": .clear]), default: "none",
            \.storage.integrityCheck, in: "storage", .afterRestart,
            "What is done with stored logins at the start: nothing, clear them if the store fails an examination, or clear them."
        ),
        Setting(
            "import-from", ValueType.absolutePath().orNone(), default: "none", \.storage.importFrom, in: "storage",
            .afterRestart, "Where version 1.6 left its logins; each is taken over once and stays where it is."),
    ]

    private static let limits: [Setting] = [
        Setting(
            "message-size", .size("4KiB", "64MiB"), default: "1MiB", \.limits.messageSize, in: "limits",
            .forNewSessions, "The longest message that a client may send."),
        Setting(
            "sessions-per-user", .count(1...4096), default: "64", \.limits.sessionsPerUser, in: "limits",
            .forNewSessions, "Connections of one user at one time."),
        Setting(
            "pending-calls-per-session", .count(1...1024), default: "64", \.limits.pendingCallsPerSession, in: "limits",
            .forNewSessions, "Calls of one connection that wait for their answers."),
    ]

    private static let signOn: [Setting] = [
        Setting(
            "platform-identity", .platformIdentity, default: "device-key", \.signOn.platformIdentity, in: "sign-on",
            .afterRestart, "Who vouches for this device: nobody, a key of its own, or a program that prints a token."),
        Setting(
            "service-token", .serviceToken, default: "none", \.signOn.serviceToken, in: "sign-on", .afterRestart,
            "Where the token of an external sign-on service comes from: a file, or a program that prints it."),
        Setting(
            "partner", .partner, default: "none", \.signOn.partner, in: "sign-on", .afterRestart,
            "The program that speaks for the box's own TV account, docs/platform-helper.md."),
        Setting(
            "partner-name", ValueType.serviceWord.orNone(), default: "none", \.signOn.partnerName, in: "sign-on",
            .afterRestart, "As whom the service knows who runs the TV account; needed with a partner."),
        Setting(
            "partner-device-type", ValueType.serviceWord.orNone(), default: "none", \.signOn.partnerDeviceType,
            in: "sign-on", .afterRestart, "As what it knows the partner's devices; needed with a partner."),
        Setting(
            "passive-authentication", .flag, default: "on", \.signOn.isPassive, in: "sign-on", .atOnce,
            "Whether a login of another app is tried before a viewer is asked."),
        Setting(
            "remember-provider", .flag, default: "on", \.signOn.remembersProvider, in: "sign-on", .atOnce,
            "Whether the provider chosen in one app is offered to the next one."),
        Setting(
            "select-starts-login", .flag, default: "off", \.signOn.selectStartsLogin, in: "sign-on", .atOnce,
            "Whether choosing a provider begins a login by itself, before the app asks for one."),
        Setting(
            "cancel-signs-out", .flag, default: "on", \.signOn.cancelSignsOut, in: "sign-on", .atOnce,
            "Whether nobody counts as logged in after the viewer backed out of the list of providers."),
        Setting(
            "logout-scope", .choice(["device": .device, "requestor": .requestor]), default: "device",
            \.signOn.logoutScope, in: "sign-on", .atOnce,
            "Whose logins a logout in one app ends: those of the whole box, or of that app's requestor alone."),
        Setting(
            "resync", .flag, default: "on", \.signOn.resyncs, in: "sign-on", .atOnce,
            "Whether every setRequestor asks the service who is logged in."),
        Setting(
            "secure-browser", .identifiers, default: "none", \.signOn.secureBrowserProviders, in: "sign-on", .atOnce,
            "Providers whose login pages want the secure browser, for apps that open one themselves."),
    ]

    private static let hardwareTypes = [
        "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
        "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem", "SetTopBox",
        "TV", "Tablet", "WirelessHotspot", "Wristwatch", "VehicleMultimediaSystem", "Projector", "Unknown",
    ]
}
