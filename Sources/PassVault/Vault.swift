// Implements the engine's protocol `TokenVault` with SQLite. The actor runs on the storage queue and owns the `Store`. A commit
// that waits for the disk delays only later commits. architecture.md §3.

public import AccessEnabler

public actor Vault: TokenVault {
    private let executor: StorageExecutor
    private let store: Store
    private let onCommit: @Sendable (VaultFault?) -> Void
    private let onOtherDevice: @Sendable () -> Void
    /// The secret for the marks that replace the names of resources in the daemon's records. The secret is the same after a
    /// restart if the store is sealed with the same key. Without a key, a new secret is made at each start.
    public nonisolated let recordSecret: [UInt8]
    /// The random bytes that are part of the input for the device's identity. A reset of the box removes them.
    public nonisolated let deviceSalt: [UInt8]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, or makes it. Any problem is reported by `health`; only a second instance is refused.
    public static func open(_ configuration: VaultConfiguration) async throws(VaultInUse) -> Vault {
        let executor = StorageExecutor("passd.storage")
        let result: Result<Vault, VaultInUse> = await withCheckedContinuation { continuation in
            executor.run {
                continuation.resume(
                    returning: Result { () throws(VaultInUse) in try Vault(configuration, executor) })
            }
        }
        return try result.get()
    }

    private init(_ configuration: VaultConfiguration, _ executor: StorageExecutor) throws(VaultInUse) {
        self.executor = executor
        store = try Store(configuration)
        onCommit = configuration.onCommit
        onOtherDevice = configuration.onOtherDevice
        recordSecret = store.recordSecret
        deviceSalt = store.deviceSalt
    }

    public func load() -> VaultContents { store.contents }

    public func commit(_ changes: [VaultChange]) throws(VaultFault) {
        defer { if store.isOtherDevice { onOtherDevice() } }
        do throws(VaultFault) {
            try store.commit(changes)
            onCommit(nil)
        } catch {
            // These changes are written if the fault is about earlier changes.
            let isWritten = !changes.isEmpty && !changes.contains { error.rows.contains($0.row) }
            onCommit(isWritten ? nil : error)
            throw error
        }
    }

    /// Whether `[storage] integrity-check` ended all logins at this start.
    public var wasErased: Bool { store.wasErased }

    /// The logins that were lost at this start, by the integrity check or by damage.
    public var lostLogins: Set<ProfileKey> { store.lostLogins }

    /// The store that was restored at this start, if any.
    public var restoredStore: RestoredStore? { store.restoredStore }

    public func health() -> VaultHealth { store.health }

    /// The decisions of the last process, as `keepDecisions` got them. Read them before the first call of `keepDecisions`.
    public func decisions() -> String? { store.decisions() }

    public var hasDecisions: Bool { store.hasDecisions }

    /// Keeps the last decisions for the next process, sealed; nil removes them. The end of a login also removes them.
    public func keepDecisions(_ text: String?) { store.keepDecisions(text) }

    /// Returns when the kept decisions are on the disk.
    public func syncDecisions() { store.syncDecisions() }

    /// Returns when the earlier work of the storage queue is done. This shows that the queue is alive.
    public func answer() {}

    public func examine() -> Bool { store.examine() }

    /// The store as a sealed text. Contract: rpc.md §7.
    public func backUp() throws(BackupFault) -> StoreBackup { try store.backUp() }

    /// Replaces the store with a backup of this device, and closes it. Returns the new contents. If it throws, nothing has
    /// changed.
    public func restore(_ backup: String) throws(BackupFault) -> VaultContents { try store.restore(backup) }

    /// Closes the store after the earlier commits. When it returns, another instance may open the store.
    public func close() { store.close() }
}
