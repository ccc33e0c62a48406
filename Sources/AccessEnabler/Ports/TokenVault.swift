// The port by which the engine stores its data. The vault is read once, at the start. From then on, the engine answers from
// memory (`Logins/Memory`). The engine passes every change to the vault before it answers the call. The vault works on its own
// queue: its methods may be called from any task and do not block the engine's queue. The engine never calls `commit` before
// the last `commit` has returned. architecture.md §3, §5.

/// Keeps logins on the disk.
public protocol TokenVault: Sendable {
    /// Returns everything that can be read, including changes that are not on the disk yet. Never fails. Unreadable data is set
    /// aside, and `health` reports it. When a missing disk is back, the result may contain more than before.
    func load() async -> VaultContents
    /// Returns when these and all earlier changes are on the disk. If they cannot be written, throws and keeps the missing
    /// changes in memory. The next successful commit writes them, even if it has no changes of its own. `Memory` makes such a
    /// commit after a pause. A commit writes all rows or none. Only rows beyond a limit are an exception: they are left out,
    /// and the other rows are written.
    func commit(_ changes: [VaultChange]) async throws(VaultFault)
    /// Whether changes are written to a disk, and the warnings about the store for operators.
    func health() async -> VaultHealth
    /// Whether the store can be written and read back, and all of its rows are well-formed. Contract: access-enabler.md
    /// §5.2.
    func examine() async -> Bool
}

/// Everything that the vault stores.
public struct VaultContents: Sendable {
    public var device: DeviceID?
    /// The private key with which the box signs, as PEM. Contract: rest-v2.md §12.1.
    public var deviceKey: Secret?
    public var registrations: [RegistrationKey: StoredRegistration] = [:]
    public var selections: [RequestorID: Selection] = [:]
    public var profiles: [ProfileKey: Profile] = [:]
    public var openLogins: [LoginKey: OpenLogin] = [:]
    /// Logins that have ended here, but whose logout the service has not confirmed.
    public var tombstones: Set<ProfileKey> = []
    /// Logins that do not count because the requestor no longer works with the provider. The service may still have
    /// them.
    public var lapsed: Set<ProfileKey> = []

    public init() {}
}

/// A change of one row: its new value, or nil to delete it.
public enum VaultChange: Sendable {
    case device(DeviceID)
    case deviceKey(Secret)
    case registration(RegistrationKey, StoredRegistration?)
    case selection(RequestorID, Selection?)
    case profile(ProfileKey, Profile?)
    case openLogin(LoginKey, OpenLogin?)
    /// A logout that the service does not know yet. While the row is there, no answer of the service restores the login. False
    /// deletes the row.
    case tombstone(ProfileKey, Bool)
    /// Whether the requestor no longer works with the provider of a login. False deletes the row.
    case lapse(ProfileKey, Bool)
}

extension VaultContents {
    /// Applies a change in memory.
    public mutating func apply(_ change: VaultChange) {
        switch change {
        case .device(let device): self.device = device
        case .deviceKey(let key): deviceKey = key
        case .registration(let key, let value): registrations[key] = value
        case .selection(let key, let value): selections[key] = value
        case .profile(let key, let value): profiles[key] = value
        case .openLogin(let key, let value): openLogins[key] = value
        case .tombstone(let key, true): tombstones.insert(key)
        case .tombstone(let key, false): tombstones.remove(key)
        case .lapse(let key, true): lapsed.insert(key)
        case .lapse(let key, false): lapsed.remove(key)
        }
    }
}

/// The reason why some changes are not on the disk.
public struct VaultFault: Error, Hashable, Sendable {
    /// `limit` is the store's own limit, not the disk's: the refused rows do not fit now, and the others are written.
    public enum Kind: String, CaseIterable, Sendable { case full, readOnly = "read-only", limit, broken }

    public var kind: Kind
    /// For the log. It contains no secret.
    public var explanation: String
    /// The rows that the disk lacks, including rows of earlier commits.
    public var rows: Set<VaultRow>

    public init(_ kind: Kind, _ explanation: String, at rows: Set<VaultRow> = []) {
        self.kind = kind
        self.explanation = explanation
        self.rows = rows
    }
}

/// The state of the store for `passd.status` and `doctor`.
public struct VaultHealth: Hashable, Sendable {
    public struct Warning: Hashable, Sendable {
        /// The stable code. Tools depend on it.
        public var code: String
        public var message: String
        public var remedy: String

        public init(code: String, message: String, remedy: String) {
            self.code = code
            self.message = message
            self.remedy = remedy
        }
    }

    public var isPersistent: Bool
    /// Whether the disk lacks changes that a later commit may write.
    public var lacksChanges: Bool
    /// Whether the disk is back, but has the store of another device. The engine must not use that store, so the daemon
    /// restarts with the device identity of that store. Until then, the vault accepts only logouts. Contract: access-enabler.md
    /// §10.
    public var isOtherDevice: Bool
    public var warnings: [Warning]

    public init(
        isPersistent: Bool, lacksChanges: Bool = false, isOtherDevice: Bool = false, warnings: [Warning]
    ) {
        self.isPersistent = isPersistent
        self.lacksChanges = lacksChanges
        self.isOtherDevice = isOtherDevice
        self.warnings = warnings
    }
}

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
    /// Whether the change may log a viewer in or out.
    var isAboutLogin: Bool {
        switch self {
        case .profile, .selection: true
        case .device, .deviceKey, .registration, .openLogin, .tombstone, .lapse: false
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
