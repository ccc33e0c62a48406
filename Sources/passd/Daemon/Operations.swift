// What an operator can ask of and do to the running daemon, beside the engine: the daemon's root fills it in.

import AccessEnabler
import PassBackend
import PassProtocol
import PassSystem

@EngineActor final class Operations {
    enum Readiness: String, Sendable { case starting, ready, reloading, stopping }

    let journal: Journal
    let started = BootClock.now
    var readiness = Readiness.starting
    var loaded: LoadedConfiguration
    let environment: AppEnvironment
    /// What was found at the start and stays so.
    var warnings: [VaultHealth.Warning] = []
    /// Where the service is and how the last exchange with it went.
    var contact: @Sendable () -> Contact = { .never }
    var storeHealth: @Sendable () async -> VaultHealth = { VaultHealth(isPersistent: false, warnings: []) }
    var resourceMarks = ResourceMarks.ofThisStart()
    /// Who speaks for the box's TV account.
    var platformHelper: PlatformHelper?
    /// What the box says of its viewer.
    var signOn = BoxSignOn()
    /// Reads the configuration again; the problems, and whether it is in force.
    var reload: () -> (applied: Bool, problems: [Problem]) = { (false, []) }

    init(_ journal: Journal, _ loaded: LoadedConfiguration, _ environment: AppEnvironment) {
        self.journal = journal
        self.loaded = loaded
        self.environment = environment
    }

    var uptime: Int64 { (BootClock.now - started).components.seconds }
}
