// The table of all settings, for the parser. Config/passd.conf has the text that explains each setting. The values and defaults
// in Config/passd.conf are made from this table. The settings in passd.conf(5) are made from both files. operations.md §2.

import AccessEnabler
import PassBackend
import PassSystem
import PassVault
import PassWire

package enum SettingTable {
    package struct Section: Sendable {
        package let name: String
        package let settings: [Setting]

        init(_ name: String, _ settings: [Setting]) {
            self.name = name
            self.settings = settings.map { $0.moved(to: name) }
        }
    }

    package static let sections: [Section] = [
        Section("daemon", daemon),
        Section("backend", backend),
        Section("device", device),
        Section("storage", storage),
        Section("limits", limits),
        Section("sign-on", signOn),
    ]

    static let all: [Setting] = sections.flatMap(\.settings)

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    package static func find(_ name: Setting.Name) -> Setting? { byName[name] }

    private static let daemon: [Setting] = [
        Setting(
            "socket", type: .socketPath, default: "/run/passd/passd.sock", path: \.daemon.socket, effect: .afterRestart),
        Setting(
            "log-level",
            type: .choice([
                "error": .error, "warning": .warning, "notice": .notice, "info": .info, "debug": .debug,
            ]), default: "notice", path: \.daemon.logLevel, effect: .atOnce),
        Setting(
            "web-gateway", type: .webGateway, default: "user:passd-web+unit:passd-web.service",
            path: \.daemon.webGateway, effect: .forNewSessions),
    ]

    private static let device: [Setting] = [
        Setting(
            "identity", type: .deviceIdentity, default: "machine-id", path: \.device.identity, effect: .afterRestart),
        Setting(
            "hardware-type", type: .words(hardwareTypes), default: "SetTopBox", path: \.device.facts.hardwareType,
            effect: .afterRestart),
        Setting(
            "model", type: .text(limit: 128), default: "Linux", path: \.device.facts.model, effect: .afterRestart),
        Setting(
            "manufacturer", type: .text(limit: 128), default: "Unknown", path: \.device.facts.manufacturer,
            effect: .afterRestart),
        Setting(
            "expose-identity", type: .flag, default: standard(\.deviceIDIsReadable), path: \.engine.deviceIDIsReadable,
            effect: .atOnce),
    ]

    private static let storage: [Setting] = [
        Setting(
            "directory", type: .absolutePath(), default: "/var/lib/passd", path: \.storage.directory,
            effect: .afterRestart),
        Setting(
            "sealing", type: .choice(["credential": .credential, "none": .none]), default: "credential",
            path: \.storage.sealing, effect: .afterRestart),
        Setting(
            "integrity-check", type: .choice(["none": .none, "all": .all, "clear": .clear]), default: "none",
            path: \.storage.integrityCheck, effect: .afterRestart),
        Setting(
            "import-from", type: ValueType.absolutePath().orNone(), default: "none", path: \.storage.importFrom,
            effect: .afterRestart),
    ]

    private static let limits: [Setting] = [
        Setting(
            "message-size", type: .size("4KiB", "64MiB"), default: "1MiB", path: \.limits.connection.messageSize,
            effect: .forNewSessions),
        Setting(
            "sessions-per-user", type: .count(1...4096), default: "64", path: \.limits.sessionsPerUser,
            effect: .forNewSessions),
        Setting(
            "pending-calls-per-session", type: .count(1...1024), default: "64", path: \.limits.connection.pendingCalls,
            effect: .forNewSessions),
    ]

    /// The engine's own default for this flag, as `on` or `off`.
    private static func standard(_ flag: KeyPath<EngineSettings, Bool>) -> String {
        EngineSettings()[keyPath: flag] ? "on" : "off"
    }

    private static let signOn: [Setting] = [
        Setting(
            "platform-identity", type: .platformIdentity, default: "device-key", path: \.signOn.platformIdentity,
            effect: .afterRestart),
        Setting(
            "service-token", type: .serviceToken, default: "none", path: \.signOn.serviceToken, effect: .afterRestart),
        Setting(
            "partner", type: .partner, default: "none", path: \.signOn.partner, effect: .afterRestart),
        Setting(
            "partner-name", type: ValueType.serviceWord.orNone(), default: "none", path: \.signOn.partnerName,
            effect: .afterRestart),
        Setting(
            "partner-device-type", type: ValueType.serviceWord.orNone(), default: "none",
            path: \.signOn.partnerDeviceType, effect: .afterRestart),
        Setting(
            "passive-authentication", type: .flag, default: standard(\.isPassive), path: \.engine.isPassive,
            effect: .atOnce),
        Setting(
            "remember-provider", type: .flag, default: standard(\.remembersProvider), path: \.engine.remembersProvider,
            effect: .atOnce),
        Setting(
            "select-starts-login", type: .flag, default: standard(\.selectStartsLogin),
            path: \.engine.selectStartsLogin, effect: .atOnce),
        Setting(
            "cancel-signs-out", type: .flag, default: standard(\.cancelSignsOut), path: \.engine.cancelSignsOut,
            effect: .atOnce),
        Setting(
            "logout-scope", type: .choice(["device": .device, "requestor": .requestor]),
            default: EngineSettings().logoutScope.rawValue, path: \.engine.logoutScope, effect: .atOnce),
        Setting(
            "resync", type: .flag, default: standard(\.resyncs), path: \.engine.resyncs, effect: .atOnce),
        Setting(
            "permit-omitted", type: .flag, default: standard(\.permitsOmitted), path: \.engine.permitsOmitted,
            effect: .atOnce),
        Setting(
            "secure-browser", type: .identifiers, default: "none", path: \.signOn.secureBrowserProviders,
            effect: .atOnce),
    ]

    private static let hardwareTypes = [
        "Camera", "DataCollectionTerminal", "Desktop", "EmbeddedNetworkModule", "eReader", "GamesConsole",
        "GeolocationTracker", "Glasses", "MediaPlayer", "MobilePhone", "PaymentTerminal", "PluginModem", "SetTopBox",
        "TV", "Tablet", "WirelessHotspot", "Wristwatch", "VehicleMultimediaSystem", "Projector", "Unknown",
    ]
}
