// What the daemon is told, typed and valid. The defaults stand in the table of settings and nowhere else: a
// configuration is always made by applying that table. operations.md §2.

import AccessEnabler
import PassBackend
import PassSystem
import PassVault

struct Configuration: Equatable, Sendable {
    struct Daemon: Equatable, Sendable {
        /// The api socket; the admin socket is beside it.
        var socket = ""
        var logLevel = JournalLevel.notice

        var adminSocket: String { (socket.lastIndex(of: "/").map { String(socket[...$0]) } ?? "") + "admin.sock" }
    }

    struct Backend: Equatable, Sendable {
        enum Version: String, Sendable, CaseIterable { case v2, v1 }

        /// In its shortest spelling. Nil: no service is chosen.
        var origin: String?
        var version = Version.v2
        /// Who keeps registration codes, in v1. Nil: the origin itself.
        var codeOrigin: String?
        var connectTimeout = Duration.zero
        var requestTimeout = Duration.zero
        var requestsPerSecond = 0.0
        var burst = 0
        /// Where viewers type the code. Nil: the page of the service.
        var activationURL: String?
        var domainName: String?
        var redirectURL: String?
        /// A PEM file instead of the system's.
        var certificateAuthorities: String?
        var proxy: String?
        /// Other services that apps may name in `setRequestor`.
        var serviceProviders: [String] = []
    }

    struct Device: Equatable, Sendable {
        var identity = DeviceIdentitySource.machineID
        var hardwareType = ""
        var model = ""
        var manufacturer = ""
        /// Whether apps may read the device's identifier.
        var isReadable = false
    }

    struct Storage: Equatable, Sendable {
        var directory = ""
        var sealing = VaultConfiguration.Sealing.credential
        var integrityCheck = VaultConfiguration.IntegrityCheck.none
        /// Where an older version left its logins.
        var importFrom: String?
    }

    struct Limits: Equatable, Sendable {
        var messageSize = 0
        var sessionsPerUser = 0
        var pendingCallsPerSession = 0
    }

    struct SignOn: Equatable, Sendable {
        enum PlatformIdentity: Equatable, Sendable { case none, deviceKey, command(String) }
        enum ServiceToken: Equatable, Sendable { case none, file(String), command(String) }
        enum Partner: Equatable, Sendable { case none, command(String) }

        var platformIdentity = PlatformIdentity.none
        var serviceToken = ServiceToken.none
        var partner = Partner.none
        /// As what the service knows the partner, and this box.
        var partnerName: String?
        var partnerDeviceType: String?
        var isPassive = false
        var remembersProvider = false
        var selectStartsLogin = false
        var cancelSignsOut = false
        var logoutScope = EngineSettings.LogoutScope.device
        var resyncs = false
        var secureBrowserProviders: [String] = []
    }

    var daemon = Daemon()
    var backend = Backend()
    var device = Device()
    var storage = Storage()
    var limits = Limits()
    var signOn = SignOn()

    /// Only for the table to fill.
    fileprivate init() {}
}

extension Configuration {
    /// Of the effective values; what is missing or cannot be read has its default.
    init(values: [Setting.Name: String]) {
        self.init()
        for setting in SettingTable.all {
            // The table's own default is readable; a test holds it to that.
            _ = setting.apply(setting.defaultValue, &self)
            if let text = values[setting.name] { _ = setting.apply(text, &self) }
        }
    }

    static let defaults = Configuration(values: [:])
}
