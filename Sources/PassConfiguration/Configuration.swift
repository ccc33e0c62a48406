// The daemon's configuration, typed and valid. Every configuration is made from the table of settings, because only this table
// has the defaults. operations.md §2.

package import AccessEnabler
package import PassBackend
import PassProtocol
package import PassSystem
package import PassVault
package import PassWire

package struct Configuration: Equatable, Sendable {
    package struct Daemon: Equatable, Sendable {
        /// The path of the API socket. The admin socket is in the same directory.
        package var socket = ""
        package var logLevel = JournalLevel.notice
        /// The rule for the process that is trusted to name a web app. Nil if no process is trusted.
        package var webGateway: String?

        package var adminSocket: String {
            (socket.lastIndex(of: "/").map { String(socket[...$0]) } ?? "") + "admin.sock"
        }

        /// The directory of the sockets for apps in containers. For an installed daemon, systemd makes it.
        package var appSockets: String {
            let (folder, installed) = (adminSocket.dropLast("/admin.sock".count), "/run/passd")
            return folder == installed || folder.hasPrefix(installed + "@")
                ? "\(installed)-apps\(folder.dropFirst(installed.count))" : "\(folder)/apps"
        }
    }

    package struct Backend: Equatable, Sendable {
        package enum Version: String, Sendable, CaseIterable { case v2, v1 }

        /// The service's address in its shortest spelling; nil if no service is chosen.
        package var origin: String?
        package var version = Version.v2
        /// The service's address for registration codes in V1; nil if it is `origin`.
        package var codeOrigin: String?
        package var http = HTTPConfiguration(userAgent: "passd/\(PassdVersion.text)")
        package var budget = RequestBudget.Settings.standard
        /// The web addresses of logins, for apps that have no addresses of their own.
        package var site = LoginSite.none
        /// Other services that apps may name in `setRequestor`.
        package var serviceProviders: [String] = []
    }

    package struct Device: Equatable, Sendable {
        package var identity = DeviceIdentitySource.machineID
        /// The configured facts about the box. The version of the operating system stays empty, because it is not a setting.
        package var facts = DeviceFacts(model: "", manufacturer: "", osVersion: "")
    }

    package struct Storage: Equatable, Sendable {
        package var directory = ""
        package var sealing = VaultConfiguration.Sealing.credential
        package var integrityCheck = VaultConfiguration.IntegrityCheck.none
        /// The directory in which an older version of passd kept its logins.
        package var importFrom: String?
    }

    package struct Limits: Equatable, Sendable {
        package var sessionsPerUser = 0
        /// The limits of each connection. Most of them have no setting.
        package var connection = ConnectionLimits()
    }

    package struct SignOn: Equatable, Sendable {
        package enum PlatformIdentity: Equatable, Sendable { case none, deviceKey, command(String) }
        package enum ServiceToken: Equatable, Sendable { case none, file(String), command(String) }
        package enum Partner: Equatable, Sendable { case none, command(String) }

        package var platformIdentity = PlatformIdentity.none
        package var serviceToken = ServiceToken.none
        package var partner = Partner.none
        /// The names by which the service knows the partner and this kind of box.
        package var partnerName: String?
        package var partnerDeviceType: String?
        package var secureBrowserProviders: [String] = []
    }

    package var daemon = Daemon()
    package var backend = Backend()
    package var device = Device()
    package var storage = Storage()
    package var limits = Limits()
    package var signOn = SignOn()
    /// The settings of the engine. The defaults are the engine's own.
    package var engine = EngineSettings()

    /// Private, because a configuration without values from the table is not valid.
    fileprivate init() {}
}

extension Configuration {
    /// Makes a configuration from the effective values. A missing or unreadable setting gets its default.
    package init(values: [Setting.Name: String]) {
        self.init()
        for setting in SettingTable.all {
            // This cannot fail, because a test checks that every default can be read.
            _ = setting.apply(setting.defaultValue, &self)
            if let text = values[setting.name] { _ = setting.apply(text, &self) }
        }
    }

    package static let defaults = Configuration(values: [:])
}
