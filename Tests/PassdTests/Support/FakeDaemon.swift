// A fake of the rest of the daemon: what a test wants the server to see of the store, the service and a reload.

import AccessEnabler
import PassProtocol
import PassSystem

@testable import PassConfiguration
@testable import PassPlatform
@testable import PassServer
@testable import passd

@EngineActor final class FakeDaemon {
    var storeHealth: @Sendable () async -> VaultHealth = { VaultHealth(isPersistent: false, warnings: []) }
    var contact = ServiceContact.never
    var reload = Reload.Result(isApplied: false, problems: [])

    func parts(engine: Engine, clock: any EngineClock, journal: Journal, helper: PlatformHelper?) -> ServerParts {
        return ServerParts(
            engine: engine, clock: clock, journal: journal,
            resourceMarks: ResourceMarks(secret: Array(repeating: 1, count: 32)),
            groups: Workspace.resources.groups, storeHealth: { await self.storeHealth() },
            serviceContact: { EngineActor.assumeIsolated { self.contact } }, helper: helper,
            reload: { self.reload })
    }
}
