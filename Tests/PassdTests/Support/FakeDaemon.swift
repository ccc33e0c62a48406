// A fake of the other parts of the daemon. It shows the server the store, the service and the reload that a test has
// set.

import AccessEnabler
import PassJSON
import PassProtocol
import PassSystem

@testable import PassConfiguration
@testable import PassDaemon
@testable import PassPlatform
@testable import PassServer

@EngineActor final class FakeDaemon: DaemonActions {
    var storeHealth: @Sendable () async -> VaultHealth = { VaultHealth(isPersistent: false, warnings: []) }
    var instance: InstanceName?
    var contact = ServiceContact.never
    /// The value of `contact` after a check of the service, and the reason why no request could be sent.
    var seen: ServiceContact?
    var obstacle: BackendFault?
    private(set) var looks = 0
    /// The pages of logins that were looked at, and those that do not answer.
    private(set) var pages: [String] = []
    var deadPages: [String: ServiceTrouble] = [:]
    var load = ServiceLoad()
    let meter = Meter()
    var crashes: [Crash] = []
    var reloadResult = Reload.result(isApplied: false)
    /// The current content of the files.
    var files = LoadedConfiguration(values: [:], apps: [], problems: [])

    func report(_ load: ServiceLoad, _ contact: ServiceContact) { (self.load, self.contact) = (load, contact) }

    func parts(engine: Engine, clock: any EngineClock, journal: Journal, helper: PlatformHelper?) -> ServerParts {
        var service = ServiceView(load: { EngineActor.assumeIsolated { self.load } })
        service.contact = { EngineActor.assumeIsolated { self.contact } }
        service.look = { _ throws(BackendFault) in try await self.look() }
        service.pageTrouble = { address, _, _ in await self.trouble(of: address) }
        var parts = ServerParts(
            engine: engine, clock: clock, journal: journal,
            resourceMarks: ResourceMarks(secret: Array(repeating: 1, count: 32)),
            groups: Workspace.resources.groups, storeHealth: { await self.storeHealth() },
            service: service, meter: meter,
            actions: self)
        (parts.crashes, parts.instance) = (crashes, instance)
        parts.helper = helper
        return parts
    }

    func reload() async -> JSONValue { reloadResult }

    func readFiles() async -> LoadedConfiguration { files }

    func exportStore() async throws(RPCError) -> (backup: String, logins: Int, apps: Int) { ("sealed", 1, 1) }

    func importStore(_ backup: String) async throws(RPCError) -> (logins: Int, restarts: Bool) {
        guard backup == "sealed" else { throw .badBackup("It is damaged.", remedy: "Take another.") }
        return (1, true)
    }

    private func trouble(of page: String) -> ServiceTrouble? {
        pages.append(page)
        return deadPages[page]
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
