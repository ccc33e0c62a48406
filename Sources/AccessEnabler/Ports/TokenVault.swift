// The port to the store. The vault is read once, on start. From then on the engine answers from memory
// (`Logins/Memory`), and passes every change to the vault before it answers the call that made it. The vault works on a
// queue of its own: its methods may be called from any task, and the engine has at most one `commit` under way.
// Architecture §3, §5.

public protocol TokenVault: Sendable {
    /// Everything that can be read. What cannot be read is set aside and reported by `health`; it never prevents a
    /// start.
    func load() async -> VaultContents
    /// Stores all of the changes or none; they are durable on return. A vault whose disk has failed keeps the changes
    /// in memory and throws; they are written with the next commit that succeeds.
    func commit(_ changes: [VaultChange]) async throws(VaultFault)
    /// Whether changes reach a disk, and the warnings for operators.
    func health() async -> VaultHealth
    /// Checks that the store can be written and read back, and that everything in it is well-formed.
    /// Contract: access-enabler.md §5.2.
    func examine() async -> Bool
    /// Tries to reopen the store after its disk has failed. True if that worked: `load` may then return more than
    /// before, because data has become readable.
    func recover() async -> Bool
}

extension TokenVault {
    public func recover() async -> Bool { false }
}

/// Everything that is remembered.
public struct VaultContents: Sendable {
    public var device: DeviceID?
    /// The box's signing key, as PEM. Contract: rest-v2.md §12.1.
    public var deviceKey: Secret?
    public var registrations: [RegistrationKey: StoredRegistration] = [:]
    public var selections: [RequestorID: Selection] = [:]
    public var profiles: [ProfileKey: Profile] = [:]
    public var openLogins: [LoginKey: OpenLogin] = [:]
    /// Logins that were ended here, while the service has not confirmed the logout.
    public var tombstones: Set<ProfileKey> = []

    public init() {}
}

/// The new content of a row; nil deletes the row.
public enum VaultChange: Sendable {
    case device(DeviceID)
    case deviceKey(Secret)
    case registration(RegistrationKey, StoredRegistration?)
    case selection(RequestorID, Selection?)
    case profile(ProfileKey, Profile?)
    case openLogin(LoginKey, OpenLogin?)
    /// Whether a logout is still to be delivered. While it is, no answer of the service may revive the login.
    case tombstone(ProfileKey, Bool)
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
        }
    }
}

/// Why a commit failed.
public struct VaultFault: Error, Hashable, Sendable {
    /// `limit` is a bound of the store itself and not of the disk: it refuses single rows, and the others can still be
    /// stored.
    public enum Kind: Hashable, Sendable { case full, readOnly, limit, broken }

    public var kind: Kind
    /// For the log. It contains no secret.
    public var explanation: String
    /// The rows that a `limit` refuses. A commit without them succeeds.
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
        /// A stable code that tools may rely on.
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
