// The parts of the daemon that the server works with. `Daemon` makes them and passes them to the server.

package import AccessEnabler
package import PassConfiguration
package import PassJSON
package import PassProtocol
package import PassSystem

package struct ServerParts: Sendable {
    let engine: Engine
    let clock: any EngineClock
    let journal: Journal
    let resourceMarks: ResourceMarks
    /// Looks up the groups of a user, who need not be connected.
    let groups: @Sendable (UInt32) -> Set<UInt32>
    let storeHealth: @Sendable () async -> VaultHealth
    let service: ServiceView
    /// Begins, continues or ends a record of the exchanges with the service. Returns the exchanges since the last call.
    package var recordExchanges: @Sendable (Bool) -> JSONValue = { _ in ["exchanges": [], "complete": true] }
    let meter: Meter
    /// The crashes before this start, the oldest first.
    package var crashes: [Crash] = []
    /// The name of the instance; nil for the box's main daemon.
    package var instance: InstanceName?
    /// The helper of the box's TV account; nil if there is none.
    package var helper: (any AccountHelper)?
    unowned let actions: any DaemonActions

    package init(
        engine: Engine, clock: any EngineClock, journal: Journal, resourceMarks: ResourceMarks,
        groups: @escaping @Sendable (UInt32) -> Set<UInt32>,
        storeHealth: @escaping @Sendable () async -> VaultHealth, service: ServiceView, meter: Meter,
        actions: any DaemonActions
    ) {
        self.engine = engine
        self.clock = clock
        self.journal = journal
        self.resourceMarks = resourceMarks
        self.groups = groups
        self.storeHealth = storeHealth
        self.service = service
        self.meter = meter
        self.actions = actions
    }
}

/// What the server can ask about the box's own service, and about the load of all services. The defaults are for a box without
/// a service.
package struct ServiceView: Sendable {
    /// The outcome of the last exchange.
    package var contact: @Sendable () -> ServiceContact = { .never }
    /// Sends a request to the service, so that `contact` has a new outcome. Throws if no request was possible.
    package var look: @Sendable (BootTime) async throws(BackendFault) -> Void = { _ throws(BackendFault) in }
    /// Returns the reason why phones cannot open a page of a login, or nil if they can. `setting` is the setting that has the
    /// address. The remedy names this setting. If `setting` is nil, the address is only the host of a code's link, and any
    /// answer of this host is good.
    package var pageTrouble: @Sendable (_ address: String, _ setting: String?, BootTime) async -> ServiceTrouble? =
        { _, _, _ in nil }
    package var load: @Sendable () -> ServiceLoad

    package init(load: @escaping @Sendable () -> ServiceLoad) { self.load = load }
}

/// Keeps the last decisions for the next process.
package protocol DecisionStore: Sendable {
    /// Whether decisions are stored. They are removed when a login ends.
    var hasDecisions: Bool { get async }
    /// `text` is the decisions as JSON; nil if there are none.
    func keepDecisions(_ text: String?) async
    /// Returns when the kept decisions are on the disk.
    func syncDecisions() async
}

/// What only the daemon can do for the server.
@EngineActor package protocol DaemonActions: AnyObject, Sendable {
    /// Reads the configuration again, and puts it into force if it is valid.
    func reload() async -> JSONValue
    /// Reads the files that a reload would read, and changes nothing.
    func readFiles() async -> LoadedConfiguration
    /// Returns the content of the store as a sealed backup, with the numbers of its logins and apps.
    func exportStore() async throws(RPCError) -> (backup: String, logins: Int, apps: Int)
    /// Replaces the content of the store by the backup's content. After the answer, the daemon exits.
    func importStore(_ backup: String) async throws(RPCError) -> (logins: Int, restarts: Bool)
}

/// The helper program of the box's own TV account, as the server sees it. `passd.doctor` asks whether the helper answers. The
/// methods of this protocol may be called from any thread.
package protocol AccountHelper: Sendable {
    /// Asks the helper for its name and version. Throws if it does not answer.
    func introduceItself() async throws(PlatformFault) -> String
}
