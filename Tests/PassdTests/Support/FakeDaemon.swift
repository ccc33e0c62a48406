// A fake of the other parts of the daemon. It shows the server the store, the service and the reload that a test has
// set.

import AccessEnabler
import PassProtocol
import PassSystem

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@EngineActor final class FakeDaemon {
    var storeHealth: @Sendable () async -> VaultHealth = { VaultHealth(isPersistent: false, warnings: []) }
    var instance: InstanceName?
    var contact = ServiceContact.never
    /// The value of `contact` after a check of the service, and the reason why no request could be sent.
    var seen: ServiceContact?
    var obstacle: BackendFault?
    private(set) var looks = 0
    var load = ServiceLoad()
    let meter = Meter()
    var crashes: [Crash] = []
    var reload = Reload.result(isApplied: false)
    /// The current content of the files.
    var files = LoadedConfiguration(values: [:], apps: [], problems: [])

    func report(_ load: ServiceLoad, _ contact: ServiceContact) { (self.load, self.contact) = (load, contact) }

    func parts(engine: Engine, clock: any EngineClock, journal: Journal, helper: PlatformHelper?) -> ServerParts {
        var parts = ServerParts(
            engine: engine, clock: clock, journal: journal,
            resourceMarks: ResourceMarks(secret: Array(repeating: 1, count: 32)),
            groups: Workspace.resources.groups, storeHealth: { await self.storeHealth() },
            serviceContact: { EngineActor.assumeIsolated { self.contact } },
            lookAtService: { _ throws(BackendFault) in try await self.look() },
            serviceLoad: { EngineActor.assumeIsolated { self.load } }, meter: meter,
            reload: { self.reload }, readFiles: { self.files },
            exportStore: { ("sealed", 1, 1) },
            importStore: { backup throws(RPCError) in
                guard backup == "sealed" else { throw .badBackup("It is damaged.", remedy: "Take another.") }
                return (1, true)
            })
        (parts.crashes, parts.instance) = (crashes, instance)
        parts.helper = helper
        return parts
    }

    private func look() throws(BackendFault) {
        looks += 1
        if let obstacle { throw obstacle }
        if let seen { return contact = seen }
        if case .never = contact {
            contact = .reachable(since: BootTime(nanoseconds: 0), last: BootTime(nanoseconds: 0))
        }
    }
}
