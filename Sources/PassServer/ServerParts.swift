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
    /// Looks up the groups of a user. The user may be disconnected.
    let groups: @Sendable (UInt32) -> Set<UInt32>
    let storeHealth: @Sendable () async -> VaultHealth
    let serviceContact: @Sendable () -> ServiceContact
    /// Asks the service whether it answers. This updates `serviceContact`. Throws if no request was possible.
    let lookAtService: @Sendable (BootTime) async throws(BackendFault) -> Void
    /// Begins, continues or ends a record of the exchanges with the service. Returns the exchanges since the last call.
    package var recordExchanges: @Sendable (Bool) -> JSONValue = { _ in ["exchanges": [], "complete": true] }
    let serviceLoad: @Sendable () -> ServiceLoad
    let meter: Meter
    /// The crashes before this start, the oldest first.
    package var crashes: [Crash] = []
    /// The name of the instance; nil for the box's main daemon.
    package var instance: InstanceName?
    /// The helper of the box's TV account; nil if there is none.
    package var helper: (any AccountHelper)?
    /// Reads the configuration again, and puts it into force if it is valid.
    let reload: @EngineActor @Sendable () async -> JSONValue
    /// Reads the files that a reload would read, and changes nothing.
    let readFiles: @EngineActor @Sendable () async -> LoadedConfiguration
    /// Exports the store, sealed.
    let exportStore: @EngineActor @Sendable () async throws(RPCError) -> (backup: String, logins: Int, apps: Int)
    /// Replaces the store. After the answer, the daemon exits.
    let importStore: @EngineActor @Sendable (_ backup: String) async throws(RPCError) -> (logins: Int, restarts: Bool)


    package init(
        engine: Engine, clock: any EngineClock, journal: Journal, resourceMarks: ResourceMarks,
        groups: @escaping @Sendable (UInt32) -> Set<UInt32>,
        storeHealth: @escaping @Sendable () async -> VaultHealth,
        serviceContact: @escaping @Sendable () -> ServiceContact,
        lookAtService: @escaping @Sendable (BootTime) async throws(BackendFault) -> Void,
        serviceLoad: @escaping @Sendable () -> ServiceLoad, meter: Meter,
        reload: @escaping @EngineActor @Sendable () async -> JSONValue,
        readFiles: @escaping @EngineActor @Sendable () async -> LoadedConfiguration,
        exportStore:
            @escaping @EngineActor @Sendable () async throws(RPCError) -> (backup: String, logins: Int, apps: Int),
        importStore:
            @escaping @EngineActor @Sendable (_ backup: String) async throws(RPCError) -> (logins: Int, restarts: Bool)
    ) {
        self.engine = engine
        self.clock = clock
        self.journal = journal
        self.resourceMarks = resourceMarks
        self.groups = groups
        self.storeHealth = storeHealth
        self.serviceContact = serviceContact
        self.lookAtService = lookAtService
        self.serviceLoad = serviceLoad
        self.meter = meter
        self.reload = reload
        self.readFiles = readFiles
        self.exportStore = exportStore
        self.importStore = importStore
    }
}

/// The helper program of the box's own TV account, as the server sees it. `passd.doctor` asks whether the helper answers. Its
/// methods may be called from any thread.
package protocol AccountHelper: Sendable {
    /// Asks the helper for its name and version. Throws if it does not answer.
    func introduceItself() async throws(PlatformFault) -> String
}
