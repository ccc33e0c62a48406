// What a change does to the contents in memory; the tables get the same by `RowWriter`.

import AccessEnabler

extension VaultContents {
    mutating func apply(_ change: VaultChange) {
        switch change {
        case .device(let device): self.device = device
        case .registration(let key, let value): registrations[key] = value
        case .selection(let key, let value): selections[key] = value
        case .profile(let key, let value): profiles[key] = value
        case .openLogin(let key, let value): openLogins[key] = value
        case .tombstone(let key, true): tombstones.insert(key)
        case .tombstone(let key, false): tombstones.remove(key)
        }
    }
}
