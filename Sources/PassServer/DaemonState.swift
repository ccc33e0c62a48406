// The state of the daemon as a whole: the stage of its start, and the configuration in force. The server changes it; the
// reports read it.

package import AccessEnabler
package import PassConfiguration
package import PassProtocol
import PassSystem

@EngineActor package final class DaemonState {
    package var readiness = Status.Readiness.starting
    package internal(set) var loaded: LoadedConfiguration
    /// The problems of the last refused reload; empty if the last reload succeeded.
    var reloadProblems: [Problem] = []
    /// The sockets for apps in containers that cannot be made, with reasons.
    package var socketFaults: [String] = []
    /// The settings whose changes wait for a restart.
    var waiting: [Setting.Name] = []
    /// Warnings about problems that were found at the start. They stay until the next start.
    let startWarnings: [VaultHealth.Warning]
    private let started = BootClock.now

    init(_ loaded: LoadedConfiguration, startWarnings: [VaultHealth.Warning]) {
        self.loaded = loaded
        self.startWarnings = startWarnings
    }

    var uptime: Int64 { (BootClock.now - started).components.seconds }
}
