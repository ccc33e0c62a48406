// What memory brings along when the store is opened again while passd runs.

import AccessEnabler

struct KeptMemory {
    var contents: VaultContents
    /// What came after the disk was lost.
    var changes: [VaultChange]
    /// Memory holds all that the disk held: then it is right in everything. Otherwise only what came later is.
    var isComplete: Bool

    /// The disk's rows that nobody could read until now stay, and so does its device key: memory's is a makeshift. Logins
    /// of another device are none. Contract: access-enabler.md §10.
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
