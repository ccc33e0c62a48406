// The port through which the engine stores what has to survive a restart. The vault is read once, at start; from then
// on the engine answers from memory (`Logins/Memory`) and hands every change to the vault before it answers the call
// that made it. The vault works on a queue of its own: its methods may be called from any task, and the engine calls
// `commit` one at a time. architecture.md §3, §5.

public protocol TokenVault: Sendable {
    /// Returns everything that can be read. What cannot be read is set aside and reported by `health`; it never
    /// prevents the start.
    func load() async -> VaultContents
    /// When it returns, the changes are on the disk: all of them or none. A vault that has lost its disk keeps the
    /// changes in memory and throws; the next commit that succeeds writes them as well.
    func commit(_ changes: [VaultChange]) async throws(VaultFault)
    /// Returns whether changes reach the disk, and what operators should know about the store.
    func health() async -> VaultHealth
    /// Returns whether the store can be written and read back, and whether everything in it is well-formed.
    /// Contract: access-enabler.md §5.2.
    func examine() async -> Bool
    /// Tries to use the disk again if the vault has lost it. Returns true on success; `load` may then return more than
    /// before, because more can be read now.
    func recover() async -> Bool
}

extension TokenVault {
    public func recover() async -> Bool { false }
}

/// Everything that is stored.
public struct VaultContents: Sendable {
    public var device: DeviceID?
    /// The private key that identifies the box, as PEM. Contract: rest-v2.md §12.1.
    public var deviceKey: Secret?
    public var registrations: [RegistrationKey: StoredRegistration] = [:]
    public var selections: [RequestorID: Selection] = [:]
    public var profiles: [ProfileKey: Profile] = [:]
    public var openLogins: [LoginKey: OpenLogin] = [:]
    /// Logins that were ended here, while the service has not confirmed the logout.
    public var tombstones: Set<ProfileKey> = []

    public init() {}
}

/// The new content of one row; nil removes the row.
public enum VaultChange: Sendable {
    case device(DeviceID)
    case deviceKey(Secret)
    case registration(RegistrationKey, StoredRegistration?)
    case selection(RequestorID, Selection?)
    case profile(ProfileKey, Profile?)
    case openLogin(LoginKey, OpenLogin?)
    /// Adds or removes the record of a logout that the service has not heard of yet. While it exists, no answer of the
    /// service brings the login back.
    case tombstone(ProfileKey, Bool)
}

extension VaultContents {
    /// Applies a change to the contents in memory.
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
        }
    }
}

/// Why a commit failed.
public struct VaultFault: Error, Hashable, Sendable {
    /// With `limit` the store refused single rows because of its own bounds; all other rows were stored.
    public enum Kind: Hashable, Sendable { case full, readOnly, limit, broken }

    public var kind: Kind
    /// For the log; it never contains a secret.
    public var explanation: String
    /// With `limit`: the rows that were refused.
    public var rows: Set<VaultRow>

    public init(_ kind: Kind, _ explanation: String, at rows: Set<VaultRow> = []) {
        self.kind = kind
        self.explanation = explanation
        self.rows = rows
    }
}

/// What `passd.status` and `doctor` say about the store.
public struct VaultHealth: Hashable, Sendable {
    public struct Warning: Hashable, Sendable {
        /// A stable name that tools may compare.
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
    public var warnings: [Warning]

    public init(isPersistent: Bool, warnings: [Warning]) {
        self.isPersistent = isPersistent
        self.warnings = warnings
    }
}
