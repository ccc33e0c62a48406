// What memory contributes when the store is opened again while passd runs.

import AccessEnabler

struct KeptMemory {
    var contents: VaultContents
    /// The changes since the disk was lost.
    var changes: [VaultChange]
    /// Memory contains all that the disk did, and overrides it. Otherwise only `changes` do.
    var isComplete: Bool

    /// Merges both. Rows of the disk that were unreadable until now are kept, and so is its device key, since the one
    /// in memory is only a substitute. Logins of another device are dropped. Contract: access-enabler.md §10.
    func united(with disk: VaultContents) -> VaultContents {
        guard !isComplete else { return contents }
        var united = disk
        if let device = contents.device, let former = disk.device, former != device {
            united.profiles = [:]
            united.tombstones = []
            united.openLogins = [:]
            united.selections = disk.selections.mapValues { Selection(provider: $0.provider, canAuthenticate: false) }
        }
        for change in changes { united.apply(change) }
        united.device = contents.device ?? disk.device
        united.deviceKey = disk.deviceKey ?? united.deviceKey
        return united
    }
}
