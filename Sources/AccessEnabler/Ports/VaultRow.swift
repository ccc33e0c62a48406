// The row that a change is about. Of two changes to the same row, the later one wins.

/// The row that a change is about.
public enum VaultRow: Hashable, Sendable {
    case device
    case deviceKey
    case registration(RegistrationKey)
    case selection(RequestorID)
    case profile(ProfileKey)
    case openLogin(LoginKey)
    case tombstone(ProfileKey)
    case lapse(ProfileKey)
}

extension VaultChange {
    /// Whether it may change who is logged in.
    var isAboutLogin: Bool {
        switch self {
        case .profile, .selection: true
        case .device, .deviceKey, .registration, .openLogin, .tombstone, .lapse: false
        }
    }

    /// Whether it deletes the row.
    public var isRemoval: Bool {
        switch self {
        case .registration(_, nil), .selection(_, nil), .profile(_, nil), .openLogin(_, nil), .tombstone(_, false),
            .lapse(_, false):
            true
        default: false
        }
    }

    public var row: VaultRow {
        switch self {
        case .device: .device
        case .deviceKey: .deviceKey
        case .registration(let key, _): .registration(key)
        case .selection(let key, _): .selection(key)
        case .profile(let key, _): .profile(key)
        case .openLogin(let key, _): .openLogin(key)
        case .tombstone(let key, _): .tombstone(key)
        case .lapse(let key, _): .lapse(key)
        }
    }
}
