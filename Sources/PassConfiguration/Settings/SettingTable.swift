// The table of all settings. The parser, Config/passd.conf, passd.conf(5) and `config show` are generated from it.
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
            "socket", type: .socketPath, default: "/run/passd/passd.sock", path: \.daemon.socket, in: "daemon",
            effect: .afterRestart,
            summary: "Where apps connect, unless systemd passes the sockets; admin.sock is bound beside it."),
        Setting(
            "log-level",
            type: .choice([
                "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
            ]), default: "notice", path: \.daemon.logLevel, in: "daemon", effect: .atOnce,
            summary: "The least urgent record that is kept."),
    ]

    private static let device: [Setting] = [
        Setting(
            "identity", type: .deviceIdentity, default: "machine-id", path: \.device.identity, in: "device",
            effect: .afterRestart,
            summary:
                "What the device is known by: derived from the machine id, or one line of a file. A change ends all logins."
        ),
        Setting(
            "hardware-type", type: .words(hardwareTypes), default: "SetTopBox", path: \.device.hardwareType,
            in: "device",
            effect: .afterRestart, summary: "The kind of device."),
        Setting(
            "model", type: .text(most: 128), default: "Linux", path: \.device.model, in: "device",
            effect: .afterRestart,
            summary: "The model, as the service's reports shall name it."),
        Setting(
            "manufacturer", type: .text(most: 128), default: "Unknown", path: \.device.manufacturer, in: "device",
            effect: .afterRestart,
            summary: "Who made it."),
        Setting(
            "expose-identity", type: .flag, default: "off", path: \.device.isReadable, in: "device", effect: .atOnce,
            summary: "Whether apps may read the device's identifier by METADATA_DEVICE_ID."),
    ]

    private static let storage: [Setting] = [
        Setting(
            "directory", type: .absolutePath(), default: "/var/lib/passd", path: \.storage.directory, in: "storage",
            effect: .afterRestart,
            summary: "Where the store is; only the daemon's user may look into it."),
        Setting(
            "sealing", type: .choice(["credential": .credential, "none": .none]), default: "credential",
            path: \.storage.sealing,
            in: "storage", effect: .afterRestart,
            summary:
                "What secrets are sealed with: the systemd credential passd.sealing-key (a key file without one), or nothing."
        ),
        Setting(
            "integrity-check", type: .choice(["none": .none, "all": .all, "clear": .clear]), default: "none",
            path: \.storage.integrityCheck, in: "storage", effect: .afterRestart,
            summary:
                "What is done with stored logins at the start: nothing, clear them if the store fails an examination, or clear them."
        ),
        Setting(
            "import-from", type: ValueType.absolutePath().orNone(), default: "none", path: \.storage.importFrom,
            in: "storage",
            effect: .afterRestart,
            summary: "Where version 1.6 left its logins; each is taken over once and stays where it is."),
    ]

    private static let limits: [Setting] = [
        Setting(
            "message-size", type: .size("4KiB", "64MiB"), default: "1MiB", path: \.limits.messageSize, in: "limits",
            effect: .forNewSessions, summary: "The longest message that a client may send."),
        Setting(
            "sessions-per-user", type: .count(1...4096), default: "64", path: \.limits.sessionsPerUser, in: "limits",
            effect: .forNewSessions, summary: "Connections of one user at one time."),
        Setting(
            "pending-calls-per-session", type: .count(1...1024), default: "64", path: \.limits.pendingCallsPerSession,
            in: "limits",
            effect: .forNewSessions, summary: "Calls of one connection that wait for their answers."),
    ]

    private static let signOn: [Setting] = [
        Setting(
            "platform-identity", type: .platformIdentity, default: "device-key", path: \.signOn.platformIdentity,
            in: "sign-on",
            effect: .afterRestart,
            summary: "Who vouches for this device: nobody, a key of its own, or a program that prints a token."),
        Setting(
            "service-token", type: .serviceToken, default: "none", path: \.signOn.serviceToken, in: "sign-on",
            effect: .afterRestart,
            summary: "Where the token of an external sign-on service comes from: a file, or a program that prints it."),
        Setting(
            "partner", type: .partner, default: "none", path: \.signOn.partner, in: "sign-on", effect: .afterRestart,
            summary: "The program that speaks for the box's own TV account, docs/platform-helper.md."),
        Setting(
            "partner-name", type: ValueType.serviceWord.orNone(), default: "none", path: \.signOn.partnerName,
            in: "sign-on",
            effect: .afterRestart, summary: "As whom the service knows who runs the TV account; needed with a partner."),
        Setting(
            "partner-device-type", type: ValueType.serviceWord.orNone(), default: "none",
            path: \.signOn.partnerDeviceType,
            in: "sign-on", effect: .afterRestart,
            summary: "As what it knows the partner's devices; needed with a partner."),
        Setting(
            "passive-authentication", type: .flag, default: "on", path: \.signOn.isPassive, in: "sign-on",
            effect: .atOnce,
            summary: "Whether a login of another app is tried before a viewer is asked."),
        Setting(
            "remember-provider", type: .flag, default: "on", path: \.signOn.remembersProvider, in: "sign-on",
            effect: .atOnce,
            summary: "Whether the provider chosen in one app is offered to the next one."),
        Setting(
            "select-starts-login", type: .flag, default: "off", path: \.signOn.selectStartsLogin, in: "sign-on",
            effect: .atOnce,
            summary: "Whether choosing a provider begins a login by itself, before the app asks for one."),
        Setting(
            "cancel-signs-out", type: .flag, default: "on", path: \.signOn.cancelSignsOut, in: "sign-on",
            effect: .atOnce,
            summary: "Whether nobody counts as logged in after the viewer backed out of the list of providers."),
        Setting(
            "logout-scope", type: .choice(["device": .device, "requestor": .requestor]), default: "device",
            path: \.signOn.logoutScope, in: "sign-on", effect: .atOnce,
            summary: "Whose logins a logout in one app ends: those of the whole box, or of that app's requestor alone."),
        Setting(
            "resync", type: .flag, default: "on", path: \.signOn.resyncs, in: "sign-on", effect: .atOnce,
            summary: "Whether every setRequestor asks the service who is logged in."),
        Setting(
            "secure-browser", type: .identifiers, default: "none", path: \.signOn.secureBrowserProviders, in: "sign-on",
            effect: .atOnce,
            summary: "Providers whose login pages want the secure browser, for apps that open one themselves."),
    ]

    private static let hardwareTypes = [
        "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
        "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem", "SetTopBox",
        "TV", "Tablet", "WirelessHotspot", "Wristwatch", "VehicleMultimediaSystem", "Projector", "Unknown",
    ]
}
