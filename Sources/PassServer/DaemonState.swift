// What is true of the whole daemon at the moment: how far its start has come, and the configuration that is in force.
// The server changes it; the reports tell it.

import AccessEnabler
import PassConfiguration
import PassProtocol
import PassSystem

@EngineActor package final class DaemonState {
    package var readiness = Status.Readiness.starting
    package internal(set) var loaded: LoadedConfiguration
    /// What was found at the start, and stays until the next one.
    let startWarnings: [VaultHealth.Warning]
    private let started = BootClock.now

    init(_ loaded: LoadedConfiguration, startWarnings: [VaultHealth.Warning]) {
        self.loaded = loaded
        self.startWarnings = startWarnings
    }

    /// In seconds.
    var uptime: Int64 { (BootClock.now - started).components.seconds }
}
