// Implements the engine's port `TokenVault` on SQLite. The actor runs on the storage queue: a commit that waits for the
// disk delays only the commits behind it. Architecture §3.

import AccessEnabler

public actor Vault: TokenVault {
    private let executor: StorageExecutor
    private let store: Store
    /// The secret with which the daemon's records hide names. It stays the same from one start to the next while the
    /// store is sealed under the same key; otherwise it is new at each start.
    public nonisolated let recordSecret: [UInt8]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, or creates it. All problems are reported by `health`; only a second instance is refused.
    public static func open(_ configuration: VaultConfiguration) async throws(VaultInUse) -> Vault {
        let executor = StorageExecutor("passd.storage")
        let result: Result<Vault, VaultInUse> = await withCheckedContinuation { continuation in
            executor.queue.async {
                continuation.resume(
                    returning: Result { () throws(VaultInUse) in try Vault(configuration, executor) })
            }
        }
        return try result.get()
    }

    private init(_ configuration: VaultConfiguration, _ executor: StorageExecutor) throws(VaultInUse) {
        self.executor = executor
        store = try Store(configuration)
        recordSecret = store.recordSecret
    }

    public func load() -> VaultContents { store.contents }

    public func commit(_ changes: [VaultChange]) throws(VaultFault) { try store.commit(changes) }

    /// Whether `[storage] integrity-check` ended all logins at this start.
    public var wasErased: Bool { store.wasErased }

    /// The store that was set aside earlier and put back in use at this start.
    public var restoredStore: RestoredStore? { store.restoredStore }

    public func health() -> VaultHealth { store.health }

    /// Returns as soon as the storage queue runs it, which shows that the queue is not stuck.
    public func answer() {}

    /// If the store is in memory only, tries to reopen it on disk.
    public func recover() -> Bool { store.recover() }

    public func examine() -> Bool { store.examine() }

    /// Closes the store after the commits that were made before. On return the next instance may open it.
    public func close() { store.close() }
}
