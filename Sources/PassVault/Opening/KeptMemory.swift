// What passd has in memory when it reopens the store without a restart.

import AccessEnabler

struct KeptMemory {
    var contents: VaultContents
    /// The changes made since the disk was lost.
    var changes: [VaultChange]
    /// Whether memory has all contents of the disk. If so, memory replaces the contents of the disk. Otherwise only `changes`
    /// are applied to the contents of the disk.
    var isComplete: Bool
    /// The salt in use. It differs from the salt on the disk if the disk was not readable at the start.
    var salt: [UInt8]
    /// The salt from which the device's identity was made when passd started.
    var deviceSalt: [UInt8]

    /// This memory, reduced for a disk that belongs to another device. Only the logouts are kept, because after a restart this
    /// box will have the device identity of the disk.
    var forOtherDevice: KeptMemory {
        var memory = self
        (memory.contents, memory.changes, memory.isComplete) = (VaultContents(), changes.logouts, false)
        return memory
    }

    /// Merges memory with the rows of a disk that could not be read before. The disk's device key is kept, because the key in
    /// memory was temporary. If the disk belongs to another device, its logins are dropped. Contract: access-enabler.md
    /// §10.
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
    /// The logouts among the changes, each with the changes that end its login.
    var logouts: [VaultChange] {
        flatMap { change -> [VaultChange] in
            guard case .tombstone(let key, true) = change else { return [] }
            return [.profile(key, nil), .lapse(key, false), change]
        }
    }
}
