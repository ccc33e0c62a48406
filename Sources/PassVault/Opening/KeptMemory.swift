// The contents of memory at a time when the store is reopened while passd runs.

import AccessEnabler

struct KeptMemory {
    var contents: VaultContents
    /// The changes made since the disk was lost.
    var changes: [VaultChange]
    /// Whether memory has all contents of the disk. If so, all of memory counts; otherwise only `changes`.
    var isComplete: Bool
    /// The salt in use. It differs from the salt on the disk if the disk could not be read at the start.
    var salt: [UInt8]
    /// The salt of the device's identity since the start.
    var deviceSalt: [UInt8]

    /// This memory, changed for the disk of another device. After a restart, this box is the device of the disk. So only the
    /// logouts are kept.
    var forOtherDevice: KeptMemory {
        var memory = self
        (memory.contents, memory.changes, memory.isComplete) = (VaultContents(), changes.logouts, false)
        return memory
    }

    /// Merges memory with the rows of a disk that could not be read before. The disk's device key is kept, because the key in
    /// memory was temporary. Logins of another device do not count. Contract: access-enabler.md §10.
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

extension [VaultChange] {
    /// The logouts among the changes. Each also ends the login.
    var logouts: [VaultChange] {
        flatMap { change -> [VaultChange] in
            guard case .tombstone(let key, true) = change else { return [] }
            return [.profile(key, nil), .lapse(key, false), change]
        }
    }
}
