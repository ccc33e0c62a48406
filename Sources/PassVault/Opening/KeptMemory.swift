// What memory holds when the store is opened again while passd runs.

import AccessEnabler

struct KeptMemory {
    var contents: VaultContents
    /// The changes made since the disk was lost.
    var changes: [VaultChange]
    /// Whether memory holds everything that the disk held. Then all of memory counts; otherwise only `changes` do.
    var isComplete: Bool

    /// Unites memory with the rows of a disk that could not be read before. The disk's device key is kept, because
    /// memory's only stood in for it. Logins of another device do not count. Contract: access-enabler.md §10.
    func united(with disk: VaultContents) -> VaultContents {
        guard !isComplete else { return contents }
        var united = disk
        if let device = contents.device, let former = disk.device, former != device {
            united.profiles = [:]
            united.tombstones = []
            united.lapsed = []
            united.openLogins = [:]
            united.selections = disk.selections.mapValues { Selection(provider: $0.provider, canAuthenticate: false) }
        }
        for change in changes { united.apply(change) }
        united.device = contents.device ?? disk.device
        united.deviceKey = disk.deviceKey ?? united.deviceKey
        return united
    }
}
