// The engine's vault on SQLite. An actor on the storage queue: a commit may wait for the disk without holding up
// anything but the commits behind it. Architecture §3.

import AccessEnabler

public actor Vault: TokenVault {
    private let executor: StorageExecutor
    private let store: Store
    /// What the daemon's records hide names with: the same from one start to the next while the store is sealed under the same
    /// key, otherwise that of this start.
    public nonisolated let recordSecret: [UInt8]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens the store, or makes it. Whatever is wrong with it ends up in the health; only a second instance is refused.
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

    /// The store that took its place back at this start.
    public var restoredStore: RestoredStore? { store.restoredStore }

    public func health() -> VaultHealth { store.health }

    /// Returns when the storage queue gets to it.
    public func answer() {}

    /// Where the store is in memory only: whether the disk is there again.
    public func recover() -> Bool { store.recover() }

    public func examine() -> Bool { store.examine() }

    /// After the commits that came before. The next instance may open the store when this returns.
    public func close() { store.close() }
}
